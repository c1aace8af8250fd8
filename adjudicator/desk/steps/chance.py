"""Find out who chose a game's dice: the server's seed alone, or luck words too."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from msgspec import Struct

from adjudicator.core.dice import MixedWords, follows, is_luck_word, label_dice
from adjudicator.core.document import Seat
from adjudicator.core.events import format_count
from adjudicator.desk.model.ports import Books
from adjudicator.desk.model.seats import BOT, PLAYER
from adjudicator.desk.model.settings import EACH_TURN
from adjudicator.desk.model.values import Game, OrderSet, Seating, Status, Step
from adjudicator.desk.steps.record import Difference, Record

_WITHOUT_DICE = ("ruling", "end")
"""Phases of steps in which nothing is thrown."""
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
    game: Game, seatings: Iterable[Seating], first: Step | None, hosts: Collection[str] = ()
) -> tuple[Seat, ...]:
    """Find the seats whose luck words came from a player who is not a host.

    `first` is the first step; None before the start.
    """
    started = None if first is None else first.opened
    seats = {
        one.seat
        for one in seatings
        if one.kind == PLAYER
        and one.player not in hosts
        and (started is None or one.since <= started)
    }
    return tuple(seat for seat, words in game.luck if words.strip() and seat in seats)


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
    words = {own.seat: own.luck for own in executed}
    if not words or not is_asked_each_turn(game):
        return ()
    return tuple(
        (seat, words[seat] if follows(words.get(seat, ""), before.get(seat)) else None)
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


def find_mixed_words(record: Record, step: Step) -> MixedWords:
    """Find the luck words in a step's dice: those of the first step that drew with them."""
    if not is_asked_each_turn(record.game):
        return ()
    first = next(one for one in record.steps if one.dice == step.dice)
    game = record.as_dealt(first)
    before = last_words(game, record.orders_by_step, first.number)
    return mix_words(game, record.find_executed(first).values(), before)


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
        game = record.as_dealt(step)
        before = last_words(game, record.orders_by_step, step.number)
        words = dict(mix_words(game, executed, before))
        for own in executed:
            if words.get(own.seat):
                mixed[own.seat].append(step.name)
            elif is_luck_word(before.get(own.seat, "")) and own.by != BOT:
                missing[own.seat].append(step.name)
    return {seat: GivenWords(tuple(mixed[seat]), tuple(missing[seat])) for seat in mixed}


# what the dice of a step are called


def check_dice(record: Record) -> Iterator[Difference]:
    """Check the names of all dice: whoever could choose one could choose what is thrown.

    They are named after their step, and after the epoch in which it was opened; a rollback that
    kept the dice names them after a step that it undid.
    """
    epoch, past = 0, set[int]()
    earlier: dict[str, list[Step]] = {}
    for step in record.steps:
        if step.phase in _WITHOUT_DICE:
            continue
        own_epoch, alike = _read_epoch(step), earlier.setdefault(step.dice, [])
        may_be = own_epoch == 1 or (own_epoch is not None and record.game.epoch > 1)
        if may_be and own_epoch not in past:
            past |= {epoch} - {own_epoch}
            epoch = own_epoch or 0
        elif not any(one.phase == step.phase and (one.void or step.void) for one in alike):
            fault = f'its dice are called "{step.dice}", and nothing explains that'
            yield Difference(step=step.name, part="link", message=fault)
        alike.append(step)


def _read_epoch(step: Step) -> int | None:
    """Read the epoch from the name of a step's dice; None if they are not named after it."""
    if step.dice == step.name:
        return 1
    number = step.dice.removeprefix(f"{step.name}.")
    is_own = number.isdecimal() and step.dice == label_dice(step.name, int(number[:12]))
    return int(number) if is_own else None


def describe_dice(record: Record) -> Iterator[str]:
    """Describe when the host could have other dice thrown, for which there may be good reasons."""
    steps = (one for one in record.steps if one.phase not in _WITHOUT_DICE)
    epochs = [*filter(None, map(_read_epoch, steps)), record.game.epoch]
    changes = sum(one != after for one, after in pairwise(epochs))
    if changes:
        times = format_count(changes, "time")
        yield f"the dice to come were changed {times}, by `recover` or an import"
    if record.starts:
        times = format_count(len(record.starts), "time")
        yield f"the start was undone {times}, and then dealt again"
    numbers = [one.number for one in record.steps]
    gaps = [after for one, after in pairwise((-1, *numbers)) if after != one + 1]
    if len(gaps) > changes:
        names = ", ".join(record.steps_by_number[one].name for one in gaps)
        yield f"numbers are left out before {names}: steps of other numbers have other dice"
