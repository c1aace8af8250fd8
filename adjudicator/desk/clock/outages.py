"""Handle times when the server was away or its clock cannot be trusted."""

from datetime import datetime, timedelta

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.desk.clock.readings import SHORTEST_OUTAGE, ClockReading, LastReading
from adjudicator.desk.model.context import Context
from adjudicator.desk.model.deadlines import parse_length
from adjudicator.desk.model.values import Status, Step
from adjudicator.desk.outbox.notices import tell_gm
from adjudicator.desk.outbox.queue import instant_placeholder, queue_notices, withdraw_reminders

LONG = timedelta(days=1)
"""After a longer outage the GM decides how to continue."""
_MINUTE = timedelta(minutes=1)
_LOOKING = (
    "The game is paused until the GM has looked at it: no deadline is running, and no step "
    "closes. Orders are accepted."
)


class Outage(Struct, frozen=True, kw_only=True):
    """A time in which no letter was read."""

    start: datetime
    end: datetime
    first: bool
    """Whether no letter was ever read for this game: the server was not away, it was new."""

    @property
    def length(self) -> timedelta:
        return self.end - self.start

    @property
    def is_long(self) -> bool:
        """Whether the outage was so long that the GM looks first."""
        return self.length > LONG and not self.first


def detect_outage(
    context: Context, step: Step, before: LastReading | None, now: ClockReading
) -> Outage | None:
    """Detect the outage that this round ends; None if there is none, or it still lasts."""
    if now.read_until is None:
        return None
    last_read = before.read if before is not None else None
    outage = Outage(start=last_read or step.opened, end=now.read_until, first=last_read is None)
    shortest = max(parse_length(context.settings.outage, "outage"), SHORTEST_OUTAGE)
    return outage if outage.length > shortest else None


def repair_outage(context: Context, step: Step, away: Outage) -> tuple[str, ...]:
    """Move a deadline that fell into the outage; after a long outage wait for the GM."""
    withdraw_reminders(context, step)
    new_step = _move_deadline(context, step, away)
    if new_step is not None:
        context.books.save(new_step)
    running = context.game.status is Status.RUNNING and step.deadline is not None
    long = away.is_long and running
    if long:
        context = context.now(status=Status.PAUSED, paused=context.at)
    if new_step is None and not long:
        return ()
    _tell(context, new_step, away, new_step or step, long=long)
    return ("outage",)


def _move_deadline(context: Context, step: Step, away: Outage) -> Step | None:
    """Move the step's deadline by as long as the server was away while it ran."""
    start = max(away.start, step.opened)
    end = min(away.end, context.game.paused) if context.game.paused else away.end
    if step.deadline is None or not start < step.deadline <= end:
        return None
    minutes = -((start - end) // _MINUTE)  # whole ones, so that the notice is exact
    return replace(step, deadline=step.deadline + minutes * _MINUTE)


def _tell(context: Context, new_step: Step | None, away: Outage, step: Step, *, long: bool) -> None:
    lines = [
        (
            f"No letters were read from {instant_placeholder(away.start)} until "
            f"{instant_placeholder(away.end)}."
        ),
        "Letters that arrived in the meantime are read now.",
    ]
    if new_step is not None:
        lines.append(
            f"The deadline fell into that time and moves by the same length: {context.label(step)}."
        )
    lines.append(_LOOKING if long else "{deadline}")
    subject = "Paused after an outage" if long else "Deadline moved after an outage"
    queue_notices(context, step, subject, lines)
    text = f"no letters were read for {_format_span(away.length)}"
    data = {"from": away.start.isoformat(), "until": away.end.isoformat(), "paused": long}
    context.note("outage", text, by="clock", data=data)
    way_out = [f"When all is well, continue: resume {context.id}."] if long else []
    tell_gm(context, step, subject, [*lines, *way_out])


def halt_game(
    context: Context, step: Step, off: timedelta, before: LastReading, now: ClockReading
) -> tuple[str, ...]:
    """Pause a game whose deadlines cannot be judged, because the wall clock jumped."""
    withdraw_reminders(context, step)
    if context.game.status is not Status.RUNNING or step.deadline is None:
        return ()
    context = context.now(
        status=Status.PAUSED, paused=now.at - off
    )  # by the clock before it jumped
    direction = "forward" if off > timedelta() else "back"
    text = f"the clock of this machine jumped {direction} by {_format_span(abs(off))}"
    data = {"seconds": int(off.total_seconds()), "before": before.at.isoformat()}
    context.note("jump", text, by="clock", data=data)

    lines = ["The server's clock jumped.", _LOOKING]
    queue_notices(context, step, "Paused", lines, passing=True)
    gm_lines = [
        f"T{text[1:]}. {context.id} is paused, and its players know.",
        f"Correct the clock if it is wrong, then continue: resume {context.id}.",
    ]
    tell_gm(context, step, "The clock jumped", gm_lines)
    return ("jump",)


def _format_span(span: timedelta) -> str:
    minutes = int(span.total_seconds()) // 60
    days, rest = divmod(minutes, 24 * 60)
    hours, minutes = divmod(rest, 60)
    parts = [(days, "d"), (hours, "h"), (minutes, "m")]
    return " ".join(f"{number}{unit}" for number, unit in parts if number) or "less than a minute"
