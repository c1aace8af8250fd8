"""Reminders: before a deadline to seats without orders, after it to those who are late."""

from collections.abc import Sequence
from datetime import datetime

from adjudicator.core.document import Seat
from adjudicator.desk.clock.may_close import find_end_of_grace
from adjudicator.desk.clock.readings import ClockReading, LastReading
from adjudicator.desk.model.context import Context
from adjudicator.desk.model.deadlines import parse_length
from adjudicator.desk.model.seats import PLAYER
from adjudicator.desk.model.standing import Standing
from adjudicator.desk.model.values import OutgoingLetter, Seating, Step
from adjudicator.desk.outbox.queue import REMINDER, instant_placeholder, queue_notice, queue_notices


def send_due_reminders(
    context: Context,
    step: Step,
    stand: Sequence[Standing],
    before: LastReading | None,
    now: ClockReading,
) -> tuple[str, ...]:
    """Send the reminders that became due since the last round; return the names of the acts."""
    if step.deadline is None or before is None or before.read is None or now.read_until is None:
        return ()
    past, until = before.read, now.read_until
    acts: list[str] = []
    if now.at < step.deadline and any(
        past < mark <= until for mark in list_reminder_times(context, step)
    ):
        acts += ["remind"] if write_reminders(context, step, stand, by="clock") else []
    if past < step.deadline <= until:
        acts += ["late"] if write_late_notices(context, step, stand) else []
    return tuple(acts)


def list_reminder_times(context: Context, step: Step) -> tuple[datetime, ...]:
    """List when missing players are reminded: this long before the deadline, in its second half."""
    if step.deadline is None:
        return ()
    half = step.opened + (step.deadline - step.opened) / 2
    spans = [parse_length(text, "remind") for text in context.settings.remind]
    return tuple(sorted({max(step.deadline - span, half) for span in spans}))


def write_reminders(
    context: Context, step: Step, stand: Sequence[Standing], *, by: str
) -> tuple[OutgoingLetter, ...]:
    """Write a reminder to every player whose orders are missing."""
    label, letters = context.label(step), []
    for seat, seating in _find_missing(context, stand):
        lines = [
            "Your orders have not been received yet.",
            "{deadline}" if step.deadline else "The GM is waiting for them.",
            *_describe_threat(context, seating, stand, seat),
        ]
        letter = queue_notice(
            context,
            step,
            seat,
            f"Waiting for your orders: {label}",
            lines,
            seating=seating,
            kind=REMINDER,
        )
        letters += [letter] if letter else []
    if letters:
        text = f"players without orders were reminded: {label}"
        seats = [letter.seat for letter in letters]
        context.note("remind", text, by=by, data={"seats": seats})
    return tuple(letters)


def _describe_threat(
    context: Context, seating: Seating, stand: Sequence[Standing], seat: Seat
) -> tuple[str, ...]:
    """Describe what happens to a seat that stays silent, where missing this step counts."""
    due = next(one.due for one in stand if one.seat == seat)
    if due is None or not due.counts_as_missed or not seating.missed:
        return ()
    steps = "step" if seating.missed == 1 else f"{seating.missed} steps"
    return (
        f"You sent no orders in the last {steps}.",
        f"After {context.settings.nmr_limit} in a row without orders you lose the seat.",
    )


def write_late_notices(
    context: Context, step: Step, stand: Sequence[Standing]
) -> tuple[OutgoingLetter, ...]:
    """Tell late players how long their orders still count, and tell the others if they may know."""
    assert step.deadline is not None
    until = instant_placeholder(find_end_of_grace(context, step.deadline))
    late, label = _find_missing(context, stand), context.label(step)
    lines = [
        f"The deadline has passed, and your orders have not been received: {label}.",
        f"They still count if they arrive before {until}.",
    ]
    subject = f"Your orders are late: {label}"
    own = [
        queue_notice(context, step, seat, subject, lines, seating=seating, kind=REMINDER)
        for seat, seating in late
    ]
    notices = _name_them(context, step, [s for s, _ in late if _is_turn(stand, s)], until)
    letters = (*(letter for letter in own if letter), *notices)
    if letters:
        data = {"seats": [seat for seat, _ in late]}
        text = f"the deadline has passed: {label}"
        context.note("late", text, by="clock", data=data)
    return letters


def _name_them(
    context: Context, step: Step, late: Sequence[Seat], until: str
) -> tuple[OutgoingLetter, ...]:
    """Name the late players to the others; who is asked in mid-turn stays private."""
    if not context.settings.late_visible or not late:
        return ()
    lines = [
        f"The deadline has passed: {context.label(step)}. Late: {', '.join(late)}.",
        f"Orders still count if they arrive before {until}.",
    ]
    subject = f"Orders are late: {context.label(step)}"
    return queue_notices(context, step, subject, lines, without=late, passing=True)


def _is_turn(stand: Sequence[Standing], seat: Seat) -> bool:
    return any(one.seat == seat and one.due and one.due.counts_as_missed for one in stand)


def _find_missing(context: Context, stand: Sequence[Standing]) -> list[tuple[Seat, Seating]]:
    """Find the players whose orders the step waits for, in seat order."""
    seatings = context.seatings
    pairs = []
    for one in stand:
        seating = seatings.get(one.seat)
        if not one.is_in and seating is not None and seating.kind == PLAYER:
            pairs.append((one.seat, seating))
    return pairs
