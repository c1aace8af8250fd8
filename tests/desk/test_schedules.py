"""Schedules over a year's changes of clocks, beside a clock on the wall that is walked along."""

from datetime import UTC, datetime, time, timedelta
from itertools import product
from zoneinfo import ZoneInfo

import pytest

from adjudicator.desk.model.deadlines import DAYS, format_deadline, next_deadline, parse_pace
from tests.desk.deadline_model import HOUR, MINUTE, rested, walked
from tests.samples import sampled


def _utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


CHANGES = {
    "Europe/Berlin": ["2026-03-29", "2026-10-25"],
    "America/New_York": ["2026-03-08", "2026-11-01"],
    "Australia/Lord_Howe": ["2026-04-05", "2026-10-04"],
    "Asia/Kolkata": ["2026-06-07"],
}
"""The days on which clocks change in a zone, or any day where they never do."""
CLOCKS = ("00:15", "01:45", "02:15", "02:30", "03:00", "20:00")
SCHEDULES = list(product(CHANGES, CLOCKS, ("daily", "sun", "sat,mon"), (0, 7, 24)))


@pytest.mark.parametrize("schedule", sampled(SCHEDULES, 4, lambda one: "-".join(map(str, one))))
def test_a_schedule_is_what_the_clock_on_the_wall_shows(
    schedule: tuple[str, str, str, int],
) -> None:
    zone, at, days, least = schedule
    wanted = set(range(7)) if days == "daily" else {DAYS.index(day) for day in days.split(",")}
    pace = parse_pace(f"{days} {at}", zone=zone, least=least * HOUR)
    for change in CHANGES[zone]:
        for hours in range(-49, 50, 7):
            opened = _utc(change) + hours * HOUR + timedelta(minutes=7)
            clock = time.fromisoformat(at)
            earliest = rested(wanted, clock, zone, opened, least * HOUR)
            found = walked(wanted, clock, zone, earliest, opened)
            assert next_deadline(pace, opened) == found


@pytest.mark.parametrize(
    ("pace", "zone", "opened", "due"),
    [
        # the hour that is left out: as much later
        ("sun 02:30", "Europe/Berlin", "2026-03-28T12:00", "2026-03-29T01:30"),
        ("sun 02:30", "America/New_York", "2026-03-07T12:00", "2026-03-08T07:30"),
        ("sun 02:15", "Australia/Lord_Howe", "2026-10-03T00:00", "2026-10-03T15:45"),
        # the hour (or half) that comes twice: its first time
        ("sun 02:30", "Europe/Berlin", "2026-10-24T12:00", "2026-10-25T00:30"),
        ("sun 01:30", "America/New_York", "2026-10-31T12:00", "2026-11-01T05:30"),
        ("sun 01:45", "Australia/Lord_Howe", "2026-04-04T00:00", "2026-04-04T14:45"),
        # between its two times it is over
        ("sun 01:45", "Australia/Lord_Howe", "2026-04-04T14:50", "2026-04-11T15:15"),
        # where clocks never change a day is a day
        ("daily 20:00", "Asia/Kolkata", "2026-03-28T14:30", "2026-03-29T14:30"),
        ("daily 20:00", "Europe/Berlin", "2026-03-28T19:00", "2026-03-29T18:00"),
    ],
)
def test_the_nights_in_which_clocks_change(pace: str, zone: str, opened: str, due: str) -> None:
    assert next_deadline(parse_pace(pace, zone=zone), _utc(opened)) == _utc(due)


@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe"])
def test_a_length_is_a_length_whatever_clocks_do(zone: str) -> None:
    for change in ("2026-03-08", "2026-03-29", "2026-04-05", "2026-10-04", "2026-10-25"):
        opened = _utc(change)
        assert next_deadline(parse_pace("72h", zone=zone), opened) == opened + 72 * HOUR


@pytest.mark.parametrize(
    ("zone", "first", "second"),
    [
        (
            "Europe/Berlin",
            "Sun 25 Oct 2026, 02:30 (Europe/Berlin, UTC+2)",
            "Sun 25 Oct 2026, 02:30 (Europe/Berlin, UTC+1)",
        ),
        (
            "Australia/Lord_Howe",
            "Sun 5 Apr 2026, 01:45 (Australia/Lord_Howe, UTC+11)",
            "Sun 5 Apr 2026, 01:45 (Australia/Lord_Howe, UTC+10:30)",
        ),
    ],
)
def test_a_doubled_time_is_told_apart_by_its_offset(zone: str, first: str, second: str) -> None:
    instants = {"Europe/Berlin": "2026-10-25T00:30", "Australia/Lord_Howe": "2026-04-04T14:45"}
    again = {"Europe/Berlin": 60, "Australia/Lord_Howe": 30}
    instant = _utc(instants[zone])
    assert format_deadline(instant, zone) == first
    assert format_deadline(instant + timedelta(minutes=again[zone]), zone) == second


@pytest.mark.parametrize(
    "zone", ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "UTC"]
)
@pytest.mark.parametrize("clock", ["00:00", "01:45", "02:15", "02:30", "20:00", "23:59"])
@pytest.mark.parametrize("late", [0, 1, 30 * 60, 30 * 60 + 17, 22 * 3600])
def test_a_daily_deadline_is_every_day_of_the_year(zone: str, clock: str, late: int) -> None:
    pace = parse_pace(f"daily {clock}", zone=zone, least=24 * HOUR)
    due = next_deadline(pace, _utc("2025-12-30T12:00"))
    days = []
    while due is not None and due < _utc("2027-01-10T00:00"):
        local = due.astimezone(ZoneInfo(zone))
        days.append(local.date())
        due = next_deadline(pace, due + timedelta(seconds=late), due)
    assert days == [days[0] + timedelta(days=number) for number in range(len(days))]
    assert len(days) > 370


@pytest.mark.parametrize(
    ("zone", "clock"),
    [
        # clocks go forward at 23:00, so that 23:30 is already tomorrow
        ("America/Scoresbysund", "23:30"),
        ("America/Nuuk", "22:30"),
        # clocks go forward at midnight
        ("Africa/Cairo", "00:15"),
        ("America/Havana", "00:30"),
    ],
)
def test_a_gap_at_midnight_costs_no_day(zone: str, clock: str) -> None:
    pace = parse_pace(f"daily {clock}", zone=zone, least=24 * HOUR)
    due = next_deadline(pace, _utc("2026-01-01T12:00"))
    count = 0
    while due is not None and due < _utc("2027-01-01T12:00"):
        after, due = due, next_deadline(pace, due + timedelta(minutes=31), due)
        assert due is not None
        assert timedelta(hours=22) < due - after < timedelta(hours=26)
        count += 1
    assert count == 364


def test_a_moved_deadline_gives_its_step_the_least_time() -> None:
    pace = parse_pace("daily 20:00", zone="Europe/Berlin", least=24 * HOUR)
    moved = _utc("2026-11-03T22:00")
    assert next_deadline(pace, moved + 30 * MINUTE, moved) == _utc("2026-11-05T19:00")


def test_a_step_closed_early_leaves_the_least_time_from_then() -> None:
    pace = parse_pace("daily 20:00", zone="Europe/Berlin", least=24 * HOUR)
    due = _utc("2026-11-03T19:00")
    assert next_deadline(pace, due - 6 * HOUR, due) == _utc("2026-11-04T19:00")
    assert next_deadline(pace, due - 26 * HOUR, due) == _utc("2026-11-03T19:00")
