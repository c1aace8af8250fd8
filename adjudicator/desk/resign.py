"""A player leaves the game."""

from datetime import datetime

from adjudicator.core.document import Seat
from adjudicator.desk.case import Case, take
from adjudicator.desk.errors import Refused
from adjudicator.desk.log import log
from adjudicator.desk.missed import vacate
from adjudicator.desk.ports import Books, Library
from adjudicator.desk.seating import PLAYER, current
from adjudicator.desk.values import Seating
from adjudicator.desk.vote import counted


def resign(
    books: Books, library: Library, game: str, seat: str, *, by: str, at: datetime
) -> Seating:
    """Free the seat, as the game's settings say (nmr: idle, bot, substitute)."""
    case = take(books, library, game, at=at)
    leave(case, case.seat(seat), by=by, at=at)
    return current(books, game)[seat]


def leave(case: Case, seat: Seat, *, by: str, at: datetime) -> None:
    """Free the seat; the game ends when nobody is left to play it."""
    books, game = case.books, case.game.id
    seating = current(books, game).get(seat)
    if seating is None or seating.kind != PLAYER:
        raise Refused(f"{game}: no player sits on {seat}, so nobody can resign from it")
    log(books, game, "resign", f"{seat} resigned", at=at, by=by, data={"seat": seat})
    why = "the player resigned"
    vacate(case, case.open_step(), seating, why, at=at, to_player="you resigned")
    counted(case, at=at)
