"""Who chose a game's dice: the server's seed alone, or players' luck words with it."""

from collections.abc import Collection, Iterable, Sequence

from adjudicator.core.document import Seat
from adjudicator.desk.model.ports import Books
from adjudicator.desk.model.seats import PLAYER
from adjudicator.desk.model.values import Game, Seating, Status, Step

SERVER_ALONE = (
    "the server alone chose the dice: no luck words came from a player other than the host"
)
_NOT_YET = (
    "no luck words have come from a player yet; without them the server alone chooses the dice"
)
_CHOSEN = "the seed was chosen, not drawn: the dice of this game prove nothing"


def find_luck_seats(
    game: Game, seatings: Iterable[Seating], steps: Sequence[Step], hosts: Collection[str] = ()
) -> tuple[Seat, ...]:
    """The seats whose luck words came from a player who is none of the hosts."""
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
    """Who chose the dice, given the seats whose luck words count."""
    if not game.verifiable:
        return _CHOSEN
    if seats:
        return f"the luck words of {', '.join(seats)} are mixed into the dice"
    return _NOT_YET if game.status is Status.OPEN else SERVER_ALONE


def find_hosts(books: Books, addresses: Iterable[str]) -> frozenset[str]:
    """The players who have one of the GM's addresses."""
    return frozenset(name for address in addresses for name in books.holders(address))
