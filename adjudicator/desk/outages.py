"""What happens when the house was away, or its clock cannot be trusted."""

from datetime import datetime, timedelta

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.desk.case import Case
from adjudicator.desk.deadlines import length
from adjudicator.desk.letters import instant, notices
from adjudicator.desk.log import log
from adjudicator.desk.moment import Before, Moment
from adjudicator.desk.reminders import lapse
from adjudicator.desk.seating import current
from adjudicator.desk.tellgm import tell_gm
from adjudicator.desk.values import Status, Step

LONG = timedelta(days=1)
"""After more than this the GM looks first."""
_MINUTE = timedelta(minutes=1)
_LOOKING = (
    "The game is paused until the GM has looked at it: no deadline runs, nothing closes. Orders "
    "are taken."
)


class Outage(Struct, frozen=True, kw_only=True):
    """A time in which no letter was read."""

    start: datetime
    end: datetime
    first: bool
    """Nobody ever read letters for this game before: the house was not away, it was not there."""

    @property
    def length(self) -> timedelta:
        return self.end - self.start

    @property
    def is_long(self) -> bool:
        """The GM looks first."""
        return self.length > LONG and not self.first


def outage(case: Case, step: Step, before: Before | None, now: Moment) -> Outage | None:
    """The outage that this round ends; None when all is well, or it still lasts."""
    if now.read_until is None:
        return None
    known = before.read if before is not None else None
    found = Outage(start=known or step.opened, end=now.read_until, first=known is None)
    return found if found.length > length(case.settings.outage, "outage") else None


def mend(case: Case, step: Step, away: Outage, *, at: datetime) -> tuple[str, ...]:
    """Move a deadline that fell into the outage; after a long one wait for the GM."""
    lapse(case, step)
    moved = _moved(case, step, away)
    if moved is not None:
        case.books.save_step(moved)
    running = case.game.status is Status.RUNNING and step.deadline is not None
    long = away.is_long and running
    if long:
        case = case.now(status=Status.PAUSED, paused=at)
    if moved is None and not long:
        return ()
    _tell(case, moved, away, moved or step, long=long, at=at)
    return ("outage",)


def _moved(case: Case, step: Step, away: Outage) -> Step | None:
    """The step with its deadline as much later as the house was away while it ran."""
    start = max(away.start, step.opened)
    end = min(away.end, case.game.paused) if case.game.paused else away.end
    if step.deadline is None or not start < step.deadline <= end:
        return None
    minutes = -((start - end) // _MINUTE)  # whole ones, so that what is told is what holds
    return replace(step, deadline=step.deadline + minutes * _MINUTE)


def _tell(
    case: Case, moved: Step | None, away: Outage, step: Step, *, long: bool, at: datetime
) -> None:
    lines = [
        f"No letters were read from {instant(away.start)} until {instant(away.end)}.",
        "What came in the meantime is read now.",
    ]
    if moved is not None:
        lines.append(f"The deadline of {step.name} fell into that time and moves by as much.")
    lines.append(_LOOKING if long else "The deadline is {deadline}.")
    subject = "Paused after an outage" if long else "Deadline moved after an outage"
    notices(case, step, subject, lines, seatings=current(case.books, case.game.id), at=at)
    text = f"no letters were read for {_span(away.length)}"
    data = {"from": away.start.isoformat(), "until": away.end.isoformat(), "paused": long}
    log(case.books, case.game.id, "outage", text, at=at, by="clock", data=data)
    way_out = [f"When all is well, go on: resume {case.game.id}."] if long else []
    tell_gm(case, step, subject, [*lines, *way_out], at=at)


def halt(case: Case, step: Step, off: timedelta, before: Before, now: Moment) -> tuple[str, ...]:
    """Pause a game whose deadlines cannot be judged, because the wall clock jumped."""
    lapse(case, step)
    if case.game.status is not Status.RUNNING or step.deadline is None:
        return ()
    case = case.now(status=Status.PAUSED, paused=now.at - off)  # by the clock as it went before
    way = "forward" if off > timedelta() else "back"
    text = f"the clock of this machine jumped {way} by {_span(abs(off))}"
    data = {"seconds": int(off.total_seconds()), "before": before.at.isoformat()}
    log(case.books, case.game.id, "jump", text, at=now.at, by="clock", data=data)

    lines = ["The clock of the house jumped.", _LOOKING]
    notices(case, step, "Paused", lines, seatings=current(case.books, case.game.id), at=now.at)
    told = [
        f"T{text[1:]}. {case.game.id} is paused, and its players know.",
        f"Set the clock right if it is wrong; then go on: resume {case.game.id}.",
    ]
    tell_gm(case, step, "The clock jumped", told, at=now.at)
    return ("jump",)


def _span(span: timedelta) -> str:
    minutes = int(span.total_seconds()) // 60
    days, rest = divmod(minutes, 24 * 60)
    hours, minutes = divmod(rest, 60)
    parts = [(days, "d"), (hours, "h"), (minutes, "m")]
    return " ".join(f"{number}{unit}" for number, unit in parts if number) or "less than a minute"
