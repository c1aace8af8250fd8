"""A player leaves the game."""

from collections.abc import Sequence
from datetime import datetime

from adjudicator.core.document import Seat
from adjudicator.desk.beforehand import leave_early
from adjudicator.desk.case import STARTED, Case, take
from adjudicator.desk.errors import Refused
from adjudicator.desk.letters import notices
from adjudicator.desk.log import log
from adjudicator.desk.missed import vacate
from adjudicator.desk.ports import Books, Library
from adjudicator.desk.reminders import lapse
from adjudicator.desk.seating import PLAYER, current
from adjudicator.desk.substitute import full_deadline, welcome
from adjudicator.desk.tellgm import tell_gm
from adjudicator.desk.values import Seating, Status, Step
from adjudicator.desk.vote import counted


def resign(
    books: Books, library: Library, game: str, seat: str, *, by: str, at: datetime
) -> Seating:
    """Free the seat, as the game's settings say (nmr: idle, bot, substitute).

    Before the game begins it is free for whoever joins.
    """
    case = take(books, library, game, at=at, status=(Status.OPEN, *STARTED))
    leave(case, case.seat(seat), by=by, at=at)
    return current(books, game)[seat]


def leave(case: Case, seat: Seat, *, by: str, at: datetime) -> None:
    """Free the seat; the game ends when nobody is left to play it."""
    books, game = case.books, case.game.id
    seating = current(books, game).get(seat)
    if seating is None or seating.kind != PLAYER:
        raise Refused(f"{game}: no player sits on {seat}, so nobody can resign from it")
    if case.game.status is Status.OPEN:
        leave_early(case, seat, seating, by=by, at=at)
        return
    log(books, game, "resign", f"{seat} resigned", at=at, by=by, data={"seat": seat})
    told = "you resigned" if by == "player" else "the GM wrote down that you resigned"
    step = case.open_step()
    lapse(case, step, seat)
    why = "the player resigned"
    left = vacate(case, step, seating, why, at=at, to_player=told, open_step=True)
    if by == "player":
        _tell_the_gm(case, step, seat, left.notes, at)
    _settle_in(case, step, current(books, game)[seat], at)
    counted(case, at=at)


def _tell_the_gm(case: Case, step: Step, seat: Seat, notes: Sequence[str], at: datetime) -> None:
    lines = [*(f"{note}." for note in notes)]
    if current(case.books, case.game.id)[seat].kind != PLAYER:
        lines.append(f"Somebody else gets it with a line like `gm: [replace {seat} ADDRESS]`.")
    tell_gm(case, step, f"The player of {seat} has left", lines, at=at)


def _settle_in(case: Case, step: Step, seating: Seating, at: datetime) -> None:
    """A substitute has a full deadline, and everybody knows it."""
    if seating.kind != PLAYER:
        return
    after = full_deadline(case, step, at)
    welcome(case, after, seating, at)
    if after.deadline != step.deadline:
        lines = [f"Somebody else plays {seating.seat} now and has the time of a whole step."]
        lines.append("The deadline is {deadline}.")
        seatings = current(case.books, case.game.id)
        without = (seating.seat,)
        notices(case, after, "Deadline moved", lines, seatings=seatings, at=at, without=without)
