"""Somebody new on a seat in mid-game: a full deadline, what is on file, the last report."""

from datetime import datetime

import msgspec

from adjudicator.core.canonical import decode
from adjudicator.core.document import Seat
from adjudicator.desk import deadlines
from adjudicator.desk.case import Case
from adjudicator.desk.inform import on_file
from adjudicator.desk.letters import ANSWER, notice, queue
from adjudicator.desk.papers import as_it_is, newest
from adjudicator.desk.reminders import lapse
from adjudicator.desk.settings import pace
from adjudicator.desk.stage import stage
from adjudicator.desk.values import Letter, Paper, Seating, Step


def full_deadline(case: Case, step: Step, at: datetime) -> Step:
    """The step with at least as much time as if it opened now."""
    later = deadlines.deadline(pace(case.settings), at)
    if later is None or (step.deadline is not None and step.deadline >= later):
        return step
    moved = msgspec.structs.replace(step, deadline=later)
    case.books.save_step(moved)
    lapse(case, moved)
    return moved


def what_stays(case: Case, step: Step, seat: Seat) -> tuple[str, ...]:
    """What becomes of the orders of somebody who leaves: they stay, and whoever comes is told."""
    on = on_file(case.books.orders(case.game.id, step.number), seat)
    if on is None:
        return ()
    return (f"Your orders (receipt {on.number}) stay on file for {step.name} and count.",)


def welcome(case: Case, step: Step, seating: Seating, at: datetime) -> None:
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
    paper = newest(case, seat)
    if paper is not None:
        send_last(case, seating, paper, at)


def send_last(case: Case, seating: Seating, paper: Paper, at: datetime) -> Letter:
    """A report of this seat to somebody who was not there when it was made."""
    document = as_it_is(case, seating.seat, decode(paper.document))
    reader = {"player": seating.player}
    return queue(case, stage(case), seating.seat, ANSWER, {**document, **reader}, at=at)
