"""Count missing orders per seat, and replace players who stay silent."""

from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Final

from adjudicator.core.document import Seat
from adjudicator.desk.model.context import Context
from adjudicator.desk.model.seats import PLAYER, change_seating
from adjudicator.desk.model.standing import Standing
from adjudicator.desk.model.values import Seating, Step
from adjudicator.desk.outbox.queue import queue_notice
from adjudicator.desk.steps.handover import SeatChanges, vacate_seat

CLOSE_ACT: Final = "close"
"""The act whose note keeps how many steps in a row each seat had missed."""


def count_missed(context: Context, step: Step, stand: Sequence[Standing]) -> SeatChanges:
    """Count who missed this step; a seat that reached the limit changes hands."""
    early = step.deadline is not None and context.at < step.deadline
    seatings = context.seatings
    notes: list[str] = []
    new: list[Seat] = []
    for one in stand:
        seating = seatings.get(one.seat)
        if one.due is None or seating is None or seating.kind != PLAYER:
            continue
        if one.is_in:
            if seating.missed:
                change_seating(context.books, seating, missed=0)
        elif one.due.counts_as_missed and not early:
            seating = change_seating(context.books, seating, missed=seating.missed + 1)
            if seating.missed < context.settings.nmr_limit:
                lines = _explain_missed(context, step, seating.missed)
                queue_notice(context, step, one.seat, "No orders from you", lines, seating=seating)
            else:
                row = f"{seating.missed} steps in a row" if seating.missed > 1 else "1 step"
                why = f"no orders were received in {row}"
                changes = vacate_seat(context, step, seating, why)
                notes += changes.notes
                new += changes.new
    return SeatChanges(tuple(notes), tuple(new))


_NEXT_PLAYERS: Final = {"idle": "nobody", "bot": "a bot", "substitute": "a substitute"}


def _explain_missed(context: Context, step: Step, count: int) -> tuple[str, ...]:
    """Tell a player how many steps in a row were missed, and what happens at the limit."""
    settings = context.settings
    limit, successor = settings.nmr_limit, _NEXT_PLAYERS.get(settings.nmr, "somebody else")
    row = "1 step" if count == 1 else f"{count} steps in a row"
    return (
        f"Your orders were not received in time: {context.label(step)}.",
        (
            f"You have missed {row}. After {limit} in a row you lose the seat, and {successor} "
            "plays it."
        ),
    )


def find_missed_counters(context: Context) -> dict[str, int]:
    """Make {seat/seating: missed in a row} for all who missed something; a closing records it."""
    seatings = context.seatings.values()
    return {_name_counter(one.seat, one.number): one.missed for one in seatings if one.missed}


def restore_missed(context: Context, last: Step) -> None:
    """Restore, after a rollback, the missed steps in a row as they were when `last` had closed.

    It is read, not found by comparing instants: a clock may have been set back in between.
    """
    counters = _find_counters(context, last)
    seatings = context.books.seatings(context.id)
    for seating in context.seatings.values():
        if seating.kind != PLAYER:
            continue
        numbers = _list_sitting([one for one in seatings if one.seat == seating.seat])
        names = [_name_counter(seating.seat, number) for number in numbers]
        change_seating(context.books, seating, missed=max(counters.get(name, 0) for name in names))


def _find_counters(context: Context, last: Step) -> Mapping[str, int]:
    """Find the counters after the last closing up to this step; rulings and the setup add none."""
    books, game = context.books, context.id
    closings = {
        note.data.get("step"): note.data for note in books.notes(game) if note.act == CLOSE_ACT
    }
    step = last
    while step.name not in closings and step.predecessor is not None:
        step = books.step(game, step.predecessor)
    counters: Mapping[str, int] = closings.get(step.name, {}).get("missed", {})
    return counters


def _list_sitting(seatings: Sequence[Seating]) -> list[int]:
    """List the numbers of the seatings since a player took the seat; new keys begin one, too."""
    present = seatings[-1].player
    return [one.number for one in takewhile(lambda s: s.player == present, reversed(seatings))]


def _name_counter(seat: Seat, number: int) -> str:
    return f"{seat}/{number}"
