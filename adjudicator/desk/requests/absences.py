"""Absences: days on which a player is away; announced ahead, seen by all, within a budget.

The current deadline never moves. A deadline that is set later, and would fall into an
absence of somebody who owes orders by then, is set after it.
"""

from datetime import date, datetime, time, timedelta
from typing import Any

from msgspec import Struct

from adjudicator.core.events import format_count
from adjudicator.desk.model import deadlines
from adjudicator.desk.model.absences import (
    count_days_left,
    describe_absence,
    describe_days_left,
    list_seat_absences,
)
from adjudicator.desk.model.context import Context, RequestOutcome, Sender, current_step, reject
from adjudicator.desk.model.deadlines import find_zone
from adjudicator.desk.model.seats import PLAYER
from adjudicator.desk.model.values import Absence
from adjudicator.desk.outbox.queue import queue_notices

AHEAD = timedelta(hours=24)


class _Days(Struct, frozen=True):
    """Whole days in a zone, both ends counted."""

    first: date
    last: date
    zone: str

    @property
    def number(self) -> int:
        return (self.last - self.first).days + 1

    def start(self) -> datetime:
        return datetime.combine(self.first, time(), tzinfo=find_zone(self.zone))

    def end(self) -> datetime:
        after = self.last + timedelta(days=1)
        return datetime.combine(after, time(), tzinfo=find_zone(self.zone))

    def words(self) -> str:
        span = f"{self.first.isoformat()} until {self.last.isoformat()}"
        return f"{span} ({format_count(self.number, 'day')}, {self.zone})"


def handle_absence(context: Context, sender: Sender, value: Any) -> RequestOutcome:
    """Record when a seat's player is away, and tell everybody."""
    seating = sender.seating
    if seating is None or seating.kind != PLAYER:
        return reject(f"Nobody plays {sender.seat}, so nobody can be away.")
    zone = context.zone(context.player(seating))
    days = _read(context, value, zone)
    if not isinstance(days, _Days):
        return reject(*days)
    why = _refuse(context, sender, days)
    if why:
        return reject(why)
    absence = _write(context, sender, days)
    rest = count_days_left(context, sender.seat)
    lines = [
        f"You are away from {days.words()}; all players get a notice. {describe_days_left(rest)}"
    ]
    running = context.open_step().deadline if context.game.open_step is not None else None
    if running is not None and absence.start <= running < absence.end:
        when = deadlines.format_deadline(running, zone)
        lines.append(
            f"The current deadline stays: {when}. It falls into your absence, so send your "
            "orders before you leave; you may change them until then."
        )
    return RequestOutcome(done=tuple(lines))


def _read(context: Context, value: Any, zone: str) -> _Days | tuple[str, ...]:
    """Read the days that are meant, or say what is wrong with them."""
    content, wrong = context.read_request("absent", value)
    if wrong:
        return wrong
    fields = content or {}
    try:
        first, last = (date.fromisoformat(fields[key]) for key in ("from", "until"))
    except (KeyError, ValueError):
        return ("absent: there is no such day; write {from: 2026-12-24, until: 2026-12-31}",)
    if last.year > 9000:
        return ("absent: that is too far away; write {from: 2026-12-24, until: 2026-12-31}",)
    if last < first:
        return (f"absent: it ends ({last}) before it begins ({first}); nothing was recorded",)
    return _Days(first, last, zone)


def _refuse(context: Context, sender: Sender, days: _Days) -> str | None:
    if days.start() < context.at + AHEAD:
        first = (context.at + AHEAD).astimezone(find_zone(days.zone)).date() + timedelta(days=1)
        return (
            f"absent: {days.first} begins less than 24 hours from now; an absence is announced a "
            f"day ahead. The first day that you can name is {first}."
        )
    own = list_seat_absences(context, sender.seat)
    for one in own:
        if one.start < days.end() and days.start() < one.end:
            zone = days.zone
            return f"absent: this has been announced already: {describe_absence(one, zone)}."
    rest = count_days_left(context, sender.seat)
    if days.number > rest:
        return (
            f"absent: {days.words()} is more than you have left; a player has "
            f"{format_count(context.settings.away, 'day')} a game, and you have {max(rest, 0)} of "
            "them left."
        )
    return None


def _write(context: Context, sender: Sender, days: _Days) -> Absence:
    assert sender.seating is not None
    books, game, seat = context.books, context.id, sender.seat
    number = max((one.number for one in books.absences(game) if one.seat == seat), default=0) + 1
    absence = Absence(
        game=game,
        seat=seat,
        number=number,
        seating=sender.seating.number,
        start=days.start(),
        end=days.end(),
        days=days.number,
        announced=context.at,
    )
    books.save(absence)
    text = f"{seat} is away from {days.words()}"
    context.note("absent", text, by=sender.by, data={"seat": seat})
    subject = f"{seat} is away for a while"
    step = current_step(context)
    timed = context.game.open_step is not None and step.deadline is not None
    stays = "The current deadline stays; later ones are set around these days. {deadline}"
    lines = [f"{text}.", *([stays] if timed else [])]
    queue_notices(context, step, subject, lines, without=(seat,))
    return absence
