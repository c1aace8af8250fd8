"""A game with all its papers, between store and archive."""

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.core.document import Seat
from adjudicator.desk.letters import ANSWER, NOTICE, PRESS, RECEIPT, REMINDER
from adjudicator.desk.ports import Books
from adjudicator.desk.record import Record, record_of
from adjudicator.desk.values import (
    Absence,
    Game,
    Note,
    Observer,
    OrderSet,
    Player,
    Press,
    Seating,
    Signup,
)


class Dossier(Struct, frozen=True, kw_only=True):
    """What an archive holds of a game."""

    record: Record
    """With the orders that were executed, and those on file in the open step."""
    seatings: tuple[Seating, ...]
    players: tuple[Player, ...] = ()
    """Those who hold or held a seat; none in a public archive."""
    notes: tuple[Note, ...] = ()
    press: tuple[Press, ...] = ()
    absences: tuple[Absence, ...] = ()
    observers: tuple[Observer, ...] = ()
    signups: tuple[Signup, ...] = ()
    letters: Mapping[Seat, Mapping[str, int]] = {}
    """The number of the last letter of each kind, so that counting goes on; reports are counted
    by themselves, and the letters are not kept."""


LETTERS = (ANSWER, NOTICE, PRESS, RECEIPT, REMINDER)


def dossier_of(books: Books, game: str) -> Dossier:
    """Everything about a game that is worth keeping, out of the store."""
    record = record_of(books, game)
    seatings = tuple(books.seatings(game))
    names = {seating.player for seating in seatings}
    return Dossier(
        record=replace(record, orders=(*record.orders, *_waiting(books, record.game))),
        seatings=seatings,
        players=tuple(player for player in books.players() if player.name in names),
        notes=tuple(books.notes(game)),
        press=tuple(books.press(game)),
        absences=tuple(books.absences(game)),
        observers=tuple(books.observers(game)),
        signups=tuple(books.signups(game)),
        letters={seat: _last(books, game, seat) for seat in record.game.seats},
    )


def _last(books: Books, game: str, seat: Seat) -> dict[str, int]:
    numbers = {kind: books.last_letter(game, seat, kind) for kind in LETTERS}
    return {kind: number for kind, number in numbers.items() if number}


def _waiting(books: Books, game: Game) -> tuple[OrderSet, ...]:
    """What is on file in the open step: the last set of each seat."""
    if game.open_step is None:
        return ()
    last = {orders.seat: orders for orders in books.orders(game.id, game.open_step)}
    return tuple(last.values())
