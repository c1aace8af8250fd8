"""Absences: days on which a player is away; announced ahead, seen by all, within a budget.

The deadline that is running never moves. A deadline that is set later, and would fall into an
absence of somebody who owes orders by then, is set after it.
"""

from collections.abc import Iterable
from datetime import date, datetime, time, timedelta
from typing import Any

from msgspec import Struct

from adjudicator.core.document import Seat
from adjudicator.core.finding import path_text
from adjudicator.core.reading import Text
from adjudicator.desk import deadlines
from adjudicator.desk.case import Case
from adjudicator.desk.deadlines import Pace, length, zone_of
from adjudicator.desk.letters import notices, person, zone_for
from adjudicator.desk.log import log
from adjudicator.desk.receipt import Sender
from adjudicator.desk.seating import PLAYER, current
from adjudicator.desk.settings import pace
from adjudicator.desk.stage import stage
from adjudicator.desk.values import Absence
from adjudicator.desk.wish import Told, refused

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
        return datetime.combine(self.first, time(), tzinfo=zone_of(self.zone))

    def end(self) -> datetime:
        after = self.last + timedelta(days=1)
        return datetime.combine(after, time(), tzinfo=zone_of(self.zone))

    def words(self) -> str:
        said = f"{self.first.isoformat()} until {self.last.isoformat()}"
        return f"{said} ({self.number} {'day' if self.number == 1 else 'days'}, {self.zone})"


def absent(case: Case, sender: Sender, value: Any, at: datetime) -> Told:
    """Write down when a seat's player is away, and tell everybody."""
    seating = sender.seating
    if seating is None or seating.kind != PLAYER:
        return refused(f"Nobody plays {sender.seat}, so nobody can be away.")
    zone = zone_for(case, person(case, seating))
    days = _read(case, value, zone)
    if not isinstance(days, _Days):
        return refused(*days)
    why = _refused(case, sender, days, at)
    if why:
        return refused(why)
    made = _write(case, sender, days, at)
    left = days_left(case, sender.seat)
    done = [f"You are away from {days.words()}; all players are told. {_left(left)}"]
    running = case.open_step().deadline if case.game.open_step is not None else None
    if running is not None and made.start <= running < made.end:
        when = deadlines.words(running, zone)
        done.append(
            f"The deadline that runs now stays: {when}. It falls into your absence, so send your "
            "orders before you leave; you may change them as long as you like."
        )
    return Told(done=tuple(done))


def absences(case: Case, seat: Seat) -> tuple[Absence, ...]:
    """The absences of whoever plays a seat now."""
    seating = current(case.books, case.game.id).get(seat)
    if seating is None or seating.kind != PLAYER:
        return ()
    return tuple(
        one
        for one in case.books.absences(case.game.id)
        if one.seat == seat and _holds(case, one, seating.player)
    )


def days_left(case: Case, seat: Seat) -> int:
    """What is left of the budget of a seat's player, who may have played another seat before."""
    held = current(case.books, case.game.id).get(seat)
    player = held.player if held else None
    spent = sum(one.days for one in case.books.absences(case.game.id) if _holds(case, one, player))
    return case.settings.away - spent


def _holds(case: Case, absence: Absence, player: str | None) -> bool:
    """An absence is a person's: a new key of the same person changes nothing."""
    held = [
        one
        for one in case.books.seatings(case.game.id)
        if (one.seat, one.number) == (absence.seat, absence.seating)
    ]
    return any(one.player == player for one in held)


def away(case: Case, at: datetime) -> tuple[Absence, ...]:
    """The absences that have not ended yet, by seat."""
    return tuple(one for seat in case.game.seats for one in absences(case, seat) if one.end > at)


def in_words(one: Absence, zone: str) -> str:
    """An absence by a reader's clock, to its last minute."""
    end = one.end - timedelta(minutes=1)
    return (
        f"{one.seat} is away from {deadlines.words(one.start, zone)} until "
        f"{deadlines.words(end, zone)}"
    )


def beyond(
    case: Case, seats: Iterable[Seat], deadline: datetime | None, at: datetime
) -> datetime | None:
    """A deadline that is being set, moved out of the absences of those who owe orders."""
    if deadline is None or not case.books.absences(case.game.id):
        return deadline
    out = sorted(
        (one.start, one.end) for seat in seats for one in absences(case, seat) if one.end > at
    )
    for start, end in out:
        if start <= deadline < end:
            deadline = max(deadline, _after(pace(case.settings), end, case))
    return deadline


def _after(wanted: Pace, end: datetime, case: Case) -> datetime:
    """The first deadline that leaves time after a return: the next of a schedule, else a day."""
    least = length(case.settings.least, "least")
    if wanted.days:
        found = deadlines.deadline(wanted, end)
        assert found is not None, "a schedule always has a next time"
        return found
    return end + (least if wanted.length is None else min(least, wanted.length))


def _read(case: Case, value: Any, zone: str) -> _Days | tuple[str, ...]:
    """The days that are meant, or what is wrong with them."""
    reading = case.kind.around(Text(value={"absent": value}), case.game.seats)
    wrong = tuple(f"{path_text(f.path)}: {f.message}" for f in reading.findings)
    if wrong:
        return wrong
    given = (reading.orders or {}).get("absent") or {}
    try:
        first, last = (date.fromisoformat(given[key]) for key in ("from", "until"))
    except (KeyError, ValueError):
        return ("absent: there is no such day; write {from: 2026-12-24, until: 2026-12-31}",)
    if last.year > 9000:
        return ("absent: that is too far away; write {from: 2026-12-24, until: 2026-12-31}",)
    if last < first:
        return (f"absent: it ends ({last}) before it begins ({first}); nothing was written down",)
    return _Days(first, last, zone)


def _refused(case: Case, sender: Sender, days: _Days, at: datetime) -> str | None:
    if days.start() < at + AHEAD:
        first = (at + AHEAD).astimezone(zone_of(days.zone)).date() + timedelta(days=1)
        return (
            f"absent: {days.first} begins less than 24 hours from now; an absence is announced a "
            f"day ahead. The first day that you can name is {first}."
        )
    mine = absences(case, sender.seat)
    for one in mine:
        if one.start < days.end() and days.start() < one.end:
            zone = days.zone
            return f"absent: this is announced already: {in_words(one, zone)}."
    left = days_left(case, sender.seat)
    if days.number > left:
        return (
            f"absent: {days.words()} is more than you have left; a player has "
            f"{case.settings.away} days a game, and you have {max(left, 0)} of them left."
        )
    return None


def _left(days: int) -> str:
    return f"You have {days} {'day' if days == 1 else 'days'} of absence left in this game."


def _write(case: Case, sender: Sender, days: _Days, at: datetime) -> Absence:
    assert sender.seating is not None
    books, game, seat = case.books, case.game.id, sender.seat
    number = max((one.number for one in books.absences(game) if one.seat == seat), default=0) + 1
    made = Absence(
        game=game,
        seat=seat,
        number=number,
        seating=sender.seating.number,
        start=days.start(),
        end=days.end(),
        days=days.number,
        announced=at,
    )
    books.save_absence(made)
    text = f"{seat} is away from {days.words()}"
    log(books, game, "absent", text, at=at, by="player", data={"seat": seat})
    subject = f"{seat} is away for a while"
    lines = [
        f"{text}. The deadline that runs now stays; later ones are set around these days.",
        "The deadline is {deadline}.",
    ]
    seatings = current(books, game)
    step = stage(case)
    lines = lines if case.game.open_step is not None else lines[:1]
    notices(case, step, subject, lines, seatings=seatings, at=at, without=(seat,))
    return made
