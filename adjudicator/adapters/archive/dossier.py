"""A game with all its papers, between store and archive."""

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.core.document import Seat
from adjudicator.desk.model.history import public_data
from adjudicator.desk.model.people import GM, NOBODY, PUBLIC
from adjudicator.desk.model.ports import Books
from adjudicator.desk.model.values import (
    Absence,
    Game,
    HistoryNote,
    Observer,
    OrderSet,
    Player,
    Press,
    Seating,
    Signup,
)
from adjudicator.desk.outbox.queue import ANSWER, NOTICE, PRESS, RECEIPT, REMINDER, REPORT
from adjudicator.desk.steps.record import Record, read_record


class Dossier(Struct, frozen=True, kw_only=True):
    """What an archive holds of a game."""

    record: Record
    """With the orders that were executed, and those on file in the open step."""
    seatings: tuple[Seating, ...]
    players: tuple[Player, ...] = ()
    """Those who hold or held a seat; none in a public archive."""
    notes: tuple[HistoryNote, ...] = ()
    press: tuple[Press, ...] = ()
    absences: tuple[Absence, ...] = ()
    observers: tuple[Observer, ...] = ()
    signups: tuple[Signup, ...] = ()
    letters: Mapping[Seat, Mapping[str, int]] = {}
    """The number of the last letter of each kind to each reader, so that counting goes on and no
    Message-ID comes twice; the letters are not kept."""


KEPT_LETTERS = (ANSWER, NOTICE, PRESS, RECEIPT, REMINDER)
"""Of these; a seat's reports are counted by themselves."""


def collect_dossier(books: Books, game: str) -> Dossier:
    """Everything about a game that is worth keeping, out of the store."""
    record = read_record(books, game)
    seatings = tuple(books.seatings(game))
    names = {seating.player for seating in seatings}
    return Dossier(
        record=replace(record, orders=(*record.orders, *_waiting(books, record.game))),
        seatings=seatings,
        players=tuple(player for player in books.players() if player.name in names),
        notes=tuple(replace(note, data=public_data(note)) for note in books.notes(game)),
        press=tuple(books.press(game)),
        absences=tuple(books.absences(game)),
        observers=tuple(books.observers(game)),
        signups=tuple(books.signups(game)),
        letters=_last_letters(books, record.game),
    )


def _last_letters(books: Books, game: Game) -> dict[Seat, dict[str, int]]:
    kinds = {
        **dict.fromkeys((*game.seats, GM, NOBODY), KEPT_LETTERS),
        PUBLIC: (*KEPT_LETTERS, REPORT),
    }
    return {reader: _last(books, game.id, reader, kinds[reader]) for reader in kinds}


def _last(books: Books, game: str, reader: Seat, kinds: Sequence[str]) -> dict[str, int]:
    numbers = {kind: books.last_letter(game, reader, kind) for kind in kinds}
    return {kind: number for kind, number in numbers.items() if number}


def _waiting(books: Books, game: Game) -> tuple[OrderSet, ...]:
    """What is on file in the open step: the last set of each seat."""
    if game.open_step is None:
        return ()
    last = {orders.seat: orders for orders in books.orders(game.id, game.open_step)}
    return tuple(last.values())
