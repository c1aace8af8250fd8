"""How many letters may go out: in an hour, on a day, and while the mail server wants fewer."""

from datetime import datetime

from msgspec import Struct

from adjudicator.desk.model.mail import Caller
from adjudicator.desk.model.people import House
from adjudicator.desk.model.ports import Books
from adjudicator.desk.outbox.notices import notify_gm_daily


class Budget(Struct, frozen=True):
    """How many letters may go out in a time, and how many did."""

    used: Caller
    most: int
    warns: int
    """The GM is told when so many have gone out."""
    notice: tuple[str, str]
    """What is told: the subject and the sentence."""


_SHORT = 200
_PAUSED = "letters out pause"
"""The caller under whose name it is kept until when the server takes no letters."""
_MANY_HOURLY, _MANY_DAILY = "Many letters go out this hour", "Many letters go out today"
_HOURLY = (
    "{{}} letters have gone out since {:%H}:00 UTC. At most {} go out in an hour (`hourly_letters` "
    "in the settings); press, and letters to people without a seat, may be half of them. The "
    "others wait for the next hour, and none is lost. You get this notice once a day."
)
_DAILY = (
    "Letters that went out since 00:00 UTC: {{}}. On a day there may be {} (`daily_letters` in the "
    "settings). Receipts and reports go first; press, and letters to people without a seat, "
    "may be half of them, spread over the day. The others wait, and none is lost."
)


def list_budgets(books: Books, house: House, at: datetime, *, urgent: bool | None) -> list[Budget]:
    """List the budgets that letters out use up, with what is left of them."""
    hour, day = f"{at:%Y-%m-%dT%H}", f"{at:%Y-%m-%d}"
    most = house.hourly_letters
    notice = _MANY_HOURLY, _HOURLY.format(at, most)
    budgets = [Budget(_count(books, "letters out", hour), most, most - most // 10, notice)]
    if urgent is False:
        tally = _count(books, "letters out that are not urgent", hour)
        budgets.append(Budget(tally, most // 2, most // 2, notice))
    most = house.daily_letters
    if most:
        notice = _MANY_DAILY, _DAILY.format(most)
        tally = _count(books, "letters out today", day)
        budgets.append(Budget(tally, most, most - most // 10, notice))
        if urgent is False:
            tally = _count(books, "letters out today that are not urgent", day)
            half = (most + 1) // 2  # half of 1 would be none, ever
            share = half * (at.hour + 1) // 24
            budgets.append(Budget(tally, share, half, notice))
    return budgets


def _count(books: Books, name: str, period: str) -> Caller:
    """Count the letters sent in this hour or on this day."""
    caller = books.caller(name)
    return caller if caller and caller.day == period else Caller(address=name, day=period)


def use_budget(books: Books, house: House, one: Budget, number: int, at: datetime) -> None:
    """Count letters that go out; tell the GM in time that there is little room left."""
    count = books.add_answers(one.used, number)
    if count - number < one.warns <= count:
        headline, words = one.notice
        notify_gm_daily(books, house, headline, [words.format(count)], at=at)


def find_pause(books: Books, at: datetime) -> datetime | None:
    """Find until when nothing goes out, if the mail server wanted fewer letters a while ago."""
    paused = books.caller(_PAUSED)
    return paused.until if paused and paused.until and paused.until > at else None


_TOO_MANY = "The mail server takes no more letters for now"
_PAUSE = (
    "It said: {} No letter goes out before {:%H:%M} UTC, then one at a time as a trial. None is "
    "lost. If that happens often, set `daily_letters` in the settings to what your provider allows "
    "on a day, or `hourly_letters`. You get this notice once a day."
)


def pause_letters(books: Books, house: House, reply: str, until: datetime, at: datetime) -> None:
    """Send nothing before this instant, and tell the GM why."""
    books.save(Caller(address=_PAUSED, day=f"{at:%Y-%m-%d}", until=until))
    line = _PAUSE.format(f"{reply.rstrip('.')[:_SHORT]}.", until)
    notify_gm_daily(books, house, _TOO_MANY, [line], at=at)
