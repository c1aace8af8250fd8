"""Do what is due in a game at this instant, and nothing else."""

from collections.abc import Sequence
from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.desk.clock.may_close import (
    are_complete,
    find_completing_trace_id,
    find_end_of_grace,
    find_settling,
    is_deadline_over,
    is_settled,
)
from adjudicator.desk.clock.outages import detect_outage, halt_game, repair_outage
from adjudicator.desk.clock.readings import (
    ClockReading,
    LastReading,
    find_previous_reading,
    follow_reading,
    hold_reading,
    measure_clock_jump,
    name_heartbeat,
    recall_reading,
    store_reading,
)
from adjudicator.desk.clock.reminders import list_reminder_times, send_due_reminders
from adjudicator.desk.model.context import STARTED, Context, current_step
from adjudicator.desk.model.history import act_trace_id
from adjudicator.desk.model.ports import Books, Library
from adjudicator.desk.model.standing import Standing
from adjudicator.desk.model.values import WAITING, Status, Step
from adjudicator.desk.outbox.announcement import expiry_of
from adjudicator.desk.outbox.form import answer_part
from adjudicator.desk.outbox.notices import send_answer, tell_gm
from adjudicator.desk.outbox.queue import queue_notices
from adjudicator.desk.steps.advance import StepClosing
from adjudicator.desk.steps.close import close_step
from adjudicator.desk.steps.lock import check_status, lock_game

_DAY = 24 * 3600.0


class Ticked(Struct, frozen=True, kw_only=True):
    """What a round did to a game."""

    acts: tuple[str, ...] = ()
    """The names of the acts, as the history has them."""
    closing: StepClosing | None = None
    """The step that was closed."""
    cause: str = ""
    """The trace id of the letter that completed the step, or of the round itself."""
    awaited: datetime | None = None
    """Something is due as soon as every postbox has been read until this instant."""


def tick(
    books: Books,
    library: Library,
    game: str,
    *,
    at: datetime,
    read_until: datetime | None,
    boot: float,
    machine: str = "",
    last: LastReading | None = None,
) -> Ticked:
    """Do what is due in this game now, and note when time can next change something in it.

    `read_until`: every postbox was read to its end at or after this instant (`at` in a house
    without post). `boot`: CLOCK_BOOTTIME; `machine`: the id of the boot that it counts from.
    `last`: the last round, in which this game was not looked at unless something was due in it.
    """
    now = ClockReading(at=at, read_until=read_until, boot=boot, machine=machine)
    cause = act_trace_id(f"clock {game}", at)
    books.because(cause)
    ticked = _tick_game(books, library, game, now, last)
    return ticked if ticked.cause else replace(ticked, cause=cause)


def _tick_game(
    books: Books, library: Library, game: str, now: ClockReading, last: LastReading | None
) -> Ticked:
    context = lock_game(books, library, game, at=now.at)
    own = recall_reading(books, name_heartbeat(game))
    before = find_previous_reading(own, last, context.game.created)
    if context.game.status is Status.OPEN:
        return _tick_open(context, before, now, last)
    if context.game.status not in STARTED:
        books.wake_game(game, None)
        return Ticked()
    check_status(context)
    step = context.open_step()
    off = measure_clock_jump(before, now)
    store_reading(books, name_heartbeat(game), follow_reading(before, now, last))
    if before is not None and off is not None:
        return Ticked(acts=halt_game(context, step, off, before, now))
    away = detect_outage(context, step, before, now)
    if away is None:
        return _tick_running(context, step, before, now)
    runs = context.game.status is Status.RUNNING
    if not away.is_long and runs and is_settled(context, step, context.standings, now):
        return _tick_running(context, step, None, now)  # its deadline no longer matters
    acts = repair_outage(context, step, away)
    result = _tick_running(context, context.open_step(), None, now)
    return replace(result, acts=acts + result.acts)


def _tick_open(
    context: Context, before: LastReading | None, now: ClockReading, last: LastReading | None
) -> Ticked:
    """Give up a game that nobody fills; a clock that jumped must run right for a day first."""
    if (
        before is not None
        and measure_clock_jump(before, now) is not None
        and now.boot - before.boot < _DAY
    ):
        hold_reading(context.books, context.id, last)
        return Ticked()
    store_reading(context.books, name_heartbeat(context.id), follow_reading(before, now, last))
    if expire_open_game(context):
        return Ticked(acts=("expire",))
    context.books.wake_game(context.id, expiry_of(context))
    return Ticked()


def expire_open_game(context: Context) -> bool:
    """Give up an open game that has not begun in time; everybody in it gets a notice."""
    if context.game.status is not Status.OPEN or context.at < expiry_of(context):
        return False
    check_status(context, (Status.OPEN,))
    context.now(status=Status.OVER)
    context.note("expire", "cancelled: it had not begun in time", by="clock")
    subject = "The game is cancelled"
    lines = [
        (
            f"{context.id} did not get enough players in time, so it is cancelled. Thank you for "
            "waiting."
        )
    ]
    queue_notices(context, current_step(context), subject, lines)
    tell_gm(context, current_step(context), subject, lines[:1])
    for one in context.books.signups(context.id):
        if one.status == WAITING:
            send_answer(context, one.address, subject, [answer_part(None, lines)], name=one.name)
    return True


def _tick_running(
    context: Context, step: Step, before: LastReading | None, now: ClockReading
) -> Ticked:
    """Close the step when it is time, or remind those it waits for."""
    if context.game.status is not Status.RUNNING:
        context.books.wake_game(context.id, None)
        return Ticked()
    stand = context.standings
    settled = is_settled(context, step, stand, now)
    if is_deadline_over(context, step, now) or settled:
        cause = find_completing_trace_id(context, step, now) if settled else ""
        if cause:
            context.books.because(cause)
        closing = close_step(context, now=True, step=step.name, by="clock")
        if closing.notes:
            tell_gm(context, closing.step, f"Step closed: {context.label(step)}", closing.notes)
        return Ticked(acts=("close",), closing=closing, cause=cause)
    acts = send_due_reminders(context, step, stand, before, now)
    if acts:
        return Ticked(acts=acts)
    wake = _find_wake(context, step, stand, now)
    context.books.wake_game(context.id, wake)
    return Ticked(awaited=wake if wake is not None and wake <= now.at else None)


def _find_wake(
    context: Context, step: Step, stand: Sequence[Standing], now: ClockReading
) -> datetime | None:
    """Find when time can next change something in a running game in which nothing is due now.

    A letter or an act wakes it earlier. While the mail has not been read, it stays awake.
    """
    if step.deadline is None:
        return None
    if now.read_until is None:
        return now.at
    marks = [
        *list_reminder_times(context, step),
        step.deadline,
        find_end_of_grace(context, step.deadline),
    ]
    if are_complete(stand):
        marks.append(find_settling(context, step, now))
    past = min(now.at, now.read_until)
    return min((mark for mark in marks if mark > past), default=now.at)
