"""Give a seat to another player."""

from datetime import datetime

import msgspec

from adjudicator.core.canonical import decode
from adjudicator.desk import deadlines
from adjudicator.desk.case import STARTED, Case, take
from adjudicator.desk.inform import on_file
from adjudicator.desk.letters import ANSWER, notice, notices, queue
from adjudicator.desk.log import log
from adjudicator.desk.ports import Books, Library
from adjudicator.desk.reminders import lapse
from adjudicator.desk.seating import PLAYER, current, seat_player
from adjudicator.desk.settings import pace
from adjudicator.desk.values import Seating, Status, Step


def replace(
    books: Books, library: Library, game: str, seat: str, player: str, *, at: datetime
) -> Seating:
    """Seat a substitute, who gets a full deadline, what is on file and the last report."""
    case = take(books, library, game, at=at, status=(Status.OPEN, *STARTED))
    seatings = current(books, game)
    before = seatings.get(case.seat(seat))
    seating = seat_player(books, game, seat, player, seatings, at)
    data = {"seat": seat, "seating": seating.number}
    log(books, game, "replace", f"{player} plays {seat}", at=at, data=data)
    if case.game.open_step is None:
        return seating
    step = _full_deadline(case, case.open_step(), at)
    lapse(case, step, seat)
    if before is not None and before.kind == PLAYER:
        lines = [f"The GM gave your seat {seat} in {game} to another player. Thank you."]
        subject = f"You no longer play {seat}"
        notice(case, step, seat, subject, lines, seating=before, at=at, form=False)
    _welcome(case, step, seating, at)
    whom = "Somebody else" if case.settings.anonymous else player
    lines = [f"{whom} plays {seat} from now on.", "The deadline is {deadline}."]
    subject = f"A new player for {seat}"
    notices(case, step, subject, lines, seatings=current(books, game), at=at, without=(seat,))
    return seating


def _full_deadline(case: Case, step: Step, at: datetime) -> Step:
    later = deadlines.deadline(pace(case.settings), at)
    if later is None or (step.deadline is not None and step.deadline >= later):
        return step
    moved = msgspec.structs.replace(step, deadline=later)
    case.books.save_step(moved)
    lapse(case, moved)
    return moved


def _welcome(case: Case, step: Step, seating: Seating, at: datetime) -> None:
    """Tell the substitute what stands, and send the last report once more."""
    game, seat = case.game.id, seating.seat
    on = on_file(case.books.orders(game, step.number), seat)
    lines = [f"You play {seat} in {game} now.", f"{step.name} is due: {{deadline}}."]
    if on is None:
        lines.append("No orders of this seat are on file for this step.")
    else:
        lines.append(
            f"Your predecessor's orders (receipt {on.number}) are on file and stand in the form "
            "below; they count unless you send others."
        )
    notice(case, step, seat, f"You play {seat} in {game} now", lines, seating=seating, at=at)
    papers = [p for p in case.books.papers(game, step.predecessor) if p.seat == seat]
    if papers:
        document = {**decode(papers[-1].document), "player": seating.player}
        queue(case, step, seat, ANSWER, document, at=at)
