"""Absences: who is away when, and how deadlines allow for it."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from adjudicator.core.document import Seat
from adjudicator.core.events import format_count
from adjudicator.desk.model import deadlines
from adjudicator.desk.model.context import Context
from adjudicator.desk.model.deadlines import Pace, parse_length
from adjudicator.desk.model.seats import PLAYER
from adjudicator.desk.model.settings import find_pace
from adjudicator.desk.model.values import Absence


def list_seat_absences(context: Context, seat: Seat) -> tuple[Absence, ...]:
    """List the absences of the seat's present player."""
    seating = context.seatings.get(seat)
    if seating is None or seating.kind != PLAYER:
        return ()
    return tuple(
        one
        for one in context.books.absences(context.id)
        if one.seat == seat and _is_held_by(context, one, seating.player)
    )


def count_days_left(context: Context, seat: Seat) -> int:
    """Count the days left to a seat's player, who may have played another seat before."""
    seating = context.seatings.get(seat)
    player = seating.player if seating else None
    days = sum(
        one.days for one in context.books.absences(context.id) if _is_held_by(context, one, player)
    )
    return context.settings.away - days


def _is_held_by(context: Context, absence: Absence, player: str | None) -> bool:
    """Whether this person is the one absent; a new key for the same person changes nothing."""
    seatings = [
        one
        for one in context.books.seatings(context.id)
        if (one.seat, one.number) == (absence.seat, absence.seating)
    ]
    return any(one.player == player for one in seatings)


def describe_days_left(days: int) -> str:
    """Describe what is left of a player's budget, in words for its player."""
    return f"You have {format_count(days, 'day')} of absence left in this game."


def list_current_absences(context: Context) -> tuple[Absence, ...]:
    """List the absences that have not ended yet, by seat."""
    return tuple(
        one
        for seat in context.game.seats
        for one in list_seat_absences(context, seat)
        if one.end > context.at
    )


def describe_absence(one: Absence, zone: str) -> str:
    """Describe an absence by a reader's clock, to the minute."""
    end = one.end - timedelta(minutes=1)
    return (
        f"{one.seat} is away from {deadlines.format_deadline(one.start, zone)} until "
        f"{deadlines.format_deadline(end, zone)}"
    )


def find_deadline_beyond_absences(
    context: Context, seats: Iterable[Seat], deadline: datetime | None
) -> datetime | None:
    """Move a deadline out of the absences of those who owe orders."""
    if deadline is None or not context.books.absences(context.id):
        return deadline
    out = sorted(
        (one.start, one.end)
        for seat in seats
        for one in list_seat_absences(context, seat)
        if one.end > context.at
    )
    for start, end in out:
        if start <= deadline < end:
            deadline = max(
                deadline, _find_deadline_after(find_pace(context.settings), end, context)
            )
    return deadline


def _find_deadline_after(pace: Pace, end: datetime, context: Context) -> datetime:
    """Find the first deadline with enough time after a return: the schedule's next, else a day."""
    least = parse_length(context.settings.least, "least")
    if pace.days:
        deadline = deadlines.next_deadline(pace, end)
        assert deadline is not None, "a schedule always has a next time"
        return deadline
    return end + (least if pace.length is None else min(least, pace.length))
