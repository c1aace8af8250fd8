"""Find out who chose a game's dice: the server's seed alone, or luck words too."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from msgspec import Struct

from adjudicator.core.dice import MixedWords, follows, is_luck_word
from adjudicator.core.document import Seat
from adjudicator.desk.model.ports import Books
from adjudicator.desk.model.seats import BOT, PLAYER
from adjudicator.desk.model.settings import EACH_TURN
from adjudicator.desk.model.values import Game, OrderSet, Seating, Status, Step
from adjudicator.desk.steps.record import Record

SERVER_ALONE = (
    "the server alone chose the dice: no luck words came from a player other than the host"
)
_NOT_YET = (
    "no luck words have come from a player yet; without them the server alone chooses the dice"
)
_EACH_TURN = (
    "a luck word is asked for with each set of orders; without any, the server alone chooses the "
    "dice of a step"
)
_CHOSEN = "the seed was chosen, not drawn: the dice of this game prove nothing"


def find_luck_seats(
    game: Game, seatings: Iterable[Seating], steps: Sequence[Step], hosts: Collection[str] = ()
) -> tuple[Seat, ...]:
    """Find the seats whose luck words came from a player who is not a host."""
    started = min((step.opened for step in steps), default=None)
    held = {
        one.seat
        for one in seatings
        if one.kind == PLAYER
        and one.player not in hosts
        and (started is None or one.since <= started)
    }
    return tuple(seat for seat, words in game.luck if words.strip() and seat in held)


def describe_chance(game: Game, seats: Sequence[Seat]) -> str:
    """Say who chose the dice, given the seats whose luck words count."""
    if not game.verifiable:
        return _CHOSEN
    if is_asked_each_turn(game):
        return _EACH_TURN
    if seats:
        return f"the luck words of {', '.join(seats)} are mixed into the dice"
    return _NOT_YET if game.status is Status.OPEN else SERVER_ALONE


def find_hosts(books: Books, addresses: Iterable[str]) -> frozenset[str]:
    """Find the players who have one of the GM's addresses."""
    return frozenset(name for address in addresses for name in books.holders(address))


def is_asked_each_turn(game: Game) -> bool:
    """Whether each set of orders may bring a luck word."""
    return game.settings.get("luck") == EACH_TURN


def mix_words(game: Game, executed: Iterable[OrderSet], before: Mapping[Seat, str]) -> MixedWords:
    """Choose the words mixed into a step's dice, from each seat's last word in earlier steps."""
    given = {own.seat: own.luck for own in executed}
    if not given or not is_asked_each_turn(game):
        return ()
    return tuple(
        (seat, given[seat] if follows(given.get(seat, ""), before.get(seat)) else None)
        for seat in game.seats
    )


def last_words(
    game: Game, orders: Mapping[int, Sequence[OrderSet]], step: int
) -> Mapping[Seat, str]:
    """Find each seat's last word before a step, counting or undone; at first the start's."""
    words = dict(game.luck)
    for number in sorted(orders):
        if number < step:
            words |= {own.seat: own.luck for own in orders[number] if own.executed and own.luck}
    return words


class GivenWords(Struct, frozen=True):
    """The steps of a seat with and without a luck word in their dice."""

    mixed: tuple[str, ...]
    missing: tuple[str, ...]
    """The steps in which it owed the next word of its sheet."""


def trace_words(record: Record) -> dict[Seat, GivenWords]:
    """Trace each seat's luck words; sets of bots and seats without a sheet bring none."""
    mixed: dict[Seat, list[str]] = {seat: [] for seat in record.game.seats}
    missing: dict[Seat, list[str]] = {seat: [] for seat in record.game.seats}
    for step in record.steps:
        executed = record.find_executed(step).values()
        dealt = record.as_dealt(step)
        before = last_words(dealt, record.orders_by_step, step.number)
        words = dict(mix_words(dealt, executed, before))
        for own in executed:
            if words.get(own.seat):
                mixed[own.seat].append(step.name)
            elif is_luck_word(before.get(own.seat, "")) and own.by != BOT:
                missing[own.seat].append(step.name)
    return {seat: GivenWords(tuple(mixed[seat]), tuple(missing[seat])) for seat in mixed}
