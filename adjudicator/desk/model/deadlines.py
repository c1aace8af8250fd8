"""Deadlines: absolute instants, from a length of time or a weekly schedule in the game's zone."""

import re
from datetime import UTC, datetime, time, timedelta, tzinfo
from zoneinfo import ZoneInfo, available_timezones

from msgspec import Struct

from adjudicator.core.events import format_count
from adjudicator.desk.model.errors import Refused

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_DAY_WORDS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_UNITS = {
    "m": timedelta(minutes=1),
    "h": timedelta(hours=1),
    "d": timedelta(days=1),
    "w": timedelta(weeks=1),
}
_LENGTH = re.compile(r"(?:\d{1,5}\s*[mhdw]\s*){1,4}")
_SPAN = re.compile(r"(\d{1,5})\s*([mhdw])")
_LONGEST = timedelta(days=365_000)
"""No length is longer, so that every instant computed from one exists."""
_SCHEDULE = re.compile(r"([a-z, ]+?)\s+(\d{1,2}):(\d{2})")


class Pace(Struct, frozen=True, kw_only=True):
    """How long a step may take; with neither a length nor days the GM closes by hand."""

    length: timedelta | None = None
    days: tuple[int, ...] = ()
    """Days of the week, Monday is 0."""
    hour: int = 0
    minute: int = 0
    zone: str = "UTC"
    least: timedelta = timedelta()


def find_zone(name: str) -> tzinfo:
    """Find the time zone of this name."""
    try:
        return UTC if name == "UTC" else ZoneInfo(name)
    except (KeyError, ValueError, OSError) as wrong:
        raise Refused(f'no time zone is called "{name}"; write one like Europe/Berlin') from wrong


def find_zone_named(name: str) -> str:
    """Find the zone that is meant, even in lower case or with a space: america/new york."""
    try:
        find_zone(name)
    except Refused:
        folded_name = name.strip().replace(" ", "_").casefold()
        for one in sorted(available_timezones()):
            if folded_name == one.casefold():
                return one
        raise
    return name


def parse_length(text: str, what: str = "a length of time") -> timedelta:
    """Parse a length of time as people write it: 90m, 72h, 2h30m, 3d, 1w."""
    match = _LENGTH.fullmatch(text.strip().lower())
    if not match:
        raise Refused(f'{what}: expected minutes, hours or days like 90m, 72h, 3d, not "{text}"')
    length = timedelta()
    for number, unit in _SPAN.findall(match[0]):
        length += int(number) * _UNITS[unit]
    if length > _LONGEST:
        raise Refused(f'{what}: expected at most {_LONGEST.days}d, not "{text}"')
    return length


def parse_pace(text: str, *, zone: str = "UTC", least: timedelta = timedelta()) -> Pace:
    """Parse the pace as the GM wrote it: none, 72h, `mon,thu 20:00`, `daily 20:00`."""
    plain = text.strip().lower()
    if plain == "none":
        return Pace(zone=zone)
    if _LENGTH.fullmatch(plain):
        span = parse_length(plain)
        if not span:
            raise Refused('pace: a step needs some time; write "none" to close by hand')
        return Pace(length=span, zone=zone)
    match = _SCHEDULE.fullmatch(plain)
    if not match:
        raise Refused(f'pace: expected none, 72h or "mon,thu 20:00", not "{text}"')
    hour, minute = int(match[2]), int(match[3])
    if hour > 23 or minute > 59:
        raise Refused(f"pace: there is no time {match[2]}:{match[3]}")
    return Pace(days=_parse_days(match[1]), hour=hour, minute=minute, zone=zone, least=least)


def _parse_days(text: str) -> tuple[int, ...]:
    if text.strip() == "daily":
        return tuple(range(7))
    days: list[int] = []
    for word in re.split(r"[,\s]+", text.strip(", ")):
        if word[:3] not in DAYS:
            raise Refused(f'pace: "{word}" is no day of the week; write {", ".join(DAYS)}')
        days.append(DAYS.index(word[:3]))
    return tuple(sorted(set(days)))


def next_deadline(pace: Pace, start: datetime, after: datetime | None = None) -> datetime | None:
    """Find when a step opened at this instant is due; None when the GM closes by hand.

    `after`: the deadline that has opened it, from which `least` is measured however late the
    step before was closed.
    """
    if pace.length is not None:
        return start.astimezone(UTC) + pace.length
    if not pace.days:
        return None
    zone = find_zone(pace.zone)
    earliest = start.astimezone(UTC) if after is None else min(after, start)
    days = timedelta(days=pace.least.days)
    if days:  # by the zone's clock: a daily deadline stays daily when clocks change
        earliest = _find_instant(_parse_time(pace, earliest, zone) + days, zone)
    earliest += pace.least - days
    day = earliest.astimezone(zone).date() - timedelta(days=2)
    while True:
        day += timedelta(days=1)
        if day.weekday() not in pace.days:
            continue
        instant = _find_instant(datetime.combine(day, time(pace.hour, pace.minute)), zone)
        if instant > start and instant >= earliest:
            return instant


def list_schedule_faults(pace: Pace, grace: timedelta) -> tuple[str, ...]:
    """List where steps cannot keep the days of a schedule, a sentence each."""
    days = pace.days
    later = [*days[1:], *(day + 7 for day in days[:1])]
    faults = []
    for day, after in zip(days, later, strict=True):
        gap, names = timedelta(days=after - day), f"{_DAY_WORDS[day]} to {_DAY_WORDS[after % 7]}"
        if pace.least > gap:
            faults.append(
                f"steps cannot keep the schedule from {names}: `least` is longer than the "
                f"{format_count(gap.days, 'day')} between them"
            )
        if grace >= gap:
            faults.append(
                f"steps cannot keep the schedule from {names}: `grace` lasts until the next "
                "deadline or longer"
            )
    return tuple(faults)


def _find_instant(local: datetime, zone: tzinfo) -> datetime:
    """Find the instant of a local time; one in a gap moves forward, a doubled one is the first."""
    return local.replace(tzinfo=zone, fold=0).astimezone(UTC)


def _parse_time(pace: Pace, instant: datetime, zone: tzinfo) -> datetime:
    """Return the local time of an instant; for a deadline moved by a gap, the scheduled time."""
    local = instant.astimezone(zone).replace(tzinfo=None)
    for day in (local.date(), local.date() - timedelta(days=1)):
        scheduled = datetime.combine(day, time(pace.hour, pace.minute))
        if day.weekday() in pace.days and _find_instant(scheduled, zone) == instant:
            return scheduled
    return local


def format_deadline(instant: datetime, zone: str, *, seconds: bool = False) -> str:
    """Format the instant for a reader: Sat 7 Nov 2026, 20:00 (Europe/Berlin, UTC+1)."""
    local = instant.astimezone(find_zone(zone))
    day = f"{_DAY_WORDS[local.weekday()]} {local.day} {_MONTHS[local.month - 1]} {local.year}"
    clock = f"{local.hour:02}:{local.minute:02}" + (f":{local.second:02}" if seconds else "")
    if zone == "UTC":
        return f"{day}, {clock} UTC"
    return f"{day}, {clock} ({zone}, {format_offset(local)})"


def format_length(length: timedelta) -> str:
    """Format a length of time in its two largest units: 1 day 3 hours, 42 seconds."""
    parts: list[str] = []
    rest = max(0, int(length.total_seconds()))
    for unit, size in (("day", 86400), ("hour", 3600), ("minute", 60), ("second", 1)):
        number, rest = divmod(rest, size)
        if number or parts:
            parts.append(format_count(number, unit) if number else "")
    return " ".join(filter(None, parts[:2])) or "less than a second"


def format_moment(instant: datetime, zone: str) -> str:
    """Format the instant in few signs, for a subject line: Sat 7 Nov 20:00."""
    local = instant.astimezone(find_zone(zone))
    day = f"{_DAY_WORDS[local.weekday()]} {local.day} {_MONTHS[local.month - 1]}"
    return f"{day} {local.hour:02}:{local.minute:02}"


def format_offset(local: datetime) -> str:
    """Format the distance from UTC at this instant: UTC+1, UTC-3:30."""
    minutes = int((local.utcoffset() or timedelta()).total_seconds() // 60)
    if not minutes:
        return "UTC"
    hours, rest = divmod(abs(minutes), 60)
    sign = "+" if minutes > 0 else "-"
    return f"UTC{sign}{hours}" + (f":{rest:02}" if rest else "")


def format_local(instant: datetime, zone: str) -> str:
    """Format the instant as RFC 3339 with the reader's offset."""
    return instant.astimezone(find_zone(zone)).isoformat(timespec="seconds")
