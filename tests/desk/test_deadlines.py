"""Deadlines: paces, zones, the two nights a year when clocks change."""

from datetime import UTC, datetime, timedelta

import pytest

from adjudicator.desk.model.deadlines import (
    format_deadline,
    format_local,
    next_deadline,
    parse_length,
    parse_pace,
)
from adjudicator.desk.model.errors import Refused


def _utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "hours"), [("72h", 72), ("3d", 72), ("90m", 1.5), (" 24 H ", 24), ("0m", 0)]
)
def test_a_length_of_time(text: str, hours: float) -> None:
    assert parse_length(text) == timedelta(hours=hours)


@pytest.mark.parametrize("text", ["", "3", "h", "-3h", "1.5h", "three hours", "9999999h"])
def test_what_is_no_length_of_time(text: str) -> None:
    with pytest.raises(Refused, match="90m, 72h, 3d"):
        parse_length(text)


def test_no_length_goes_beyond_the_calendar() -> None:
    with pytest.raises(Refused, match='remind: expected at most 365000d, not "9999w 99999w"'):
        parse_length("9999w 99999w", "remind")


@pytest.mark.parametrize(
    "text", ["", "soon", "0h", "moonday 20:00", "mon 25:00", "mon 20:60", "mon", "20:00", "mon 8pm"]
)
def test_what_is_no_pace(text: str) -> None:
    with pytest.raises(Refused, match="pace"):
        parse_pace(text)


def test_an_unknown_zone_is_named() -> None:
    with pytest.raises(Refused, match="Middle/Earth"):
        next_deadline(parse_pace("mon 20:00", zone="Middle/Earth"), _utc("2026-11-02T12:00"))


def test_by_hand_nothing_is_ever_due() -> None:
    assert next_deadline(parse_pace("none"), _utc("2026-11-02T12:00")) is None


def test_hours_are_hours_also_over_a_change_of_clocks() -> None:
    pace = parse_pace("72h", zone="Europe/Berlin")
    assert next_deadline(pace, _utc("2026-10-24T12:00")) == _utc("2026-10-27T12:00")


@pytest.mark.parametrize(
    ("pace", "zone", "opened", "due"),
    [
        # Thursday evening in winter and in summer
        ("mon,thu 20:00", "Europe/Berlin", "2026-11-02T20:00", "2026-11-05T19:00"),
        ("mon,thu 20:00", "Europe/Berlin", "2026-07-06T20:00", "2026-07-09T18:00"),
        ("Thursday, Monday 20:00", "Europe/Berlin", "2026-11-02T20:00", "2026-11-05T19:00"),
        # the day is the game's, not Greenwich's
        ("mon 01:00", "Asia/Tokyo", "2026-11-07T12:00", "2026-11-08T16:00"),
        ("fri 23:00", "America/New_York", "2026-11-04T12:00", "2026-11-07T04:00"),
        ("daily 09:30", "Asia/Kolkata", "2026-11-02T03:59", "2026-11-02T04:00"),
        ("daily 09:30", "Asia/Kolkata", "2026-11-02T04:00", "2026-11-03T04:00"),
        # 02:30 does not exist on 29 March 2026 in Berlin: it moves to 03:30 summer time
        ("sun 02:30", "Europe/Berlin", "2026-03-27T12:00", "2026-03-29T01:30"),
        # 02:30 comes twice on 25 October 2026 in Berlin: the first, in summer time
        ("sun 02:30", "Europe/Berlin", "2026-10-23T12:00", "2026-10-25T00:30"),
        # between the two 02:30s the first is over; the next Sunday is due
        ("sun 02:30", "Europe/Berlin", "2026-10-25T00:45", "2026-11-01T01:30"),
        # New York springs forward on 8 March 2026, and falls back on 1 November
        ("sun 02:15", "America/New_York", "2026-03-06T12:00", "2026-03-08T07:15"),
        ("sun 01:30", "America/New_York", "2026-10-30T12:00", "2026-11-01T05:30"),
        # Lord Howe moves its clocks by half an hour only
        ("sun 02:15", "Australia/Lord_Howe", "2026-10-02T12:00", "2026-10-03T15:45"),
        # Samoa left out 30 December 2011 altogether
        ("fri 12:00", "Pacific/Apia", "2011-12-29T00:00", "2011-12-30T22:00"),
    ],
)
def test_a_schedule_in_the_zone_of_the_game(pace: str, zone: str, opened: str, due: str) -> None:
    assert next_deadline(parse_pace(pace, zone=zone), _utc(opened)) == _utc(due)


def test_a_step_that_opens_shortly_before_gets_the_next_date() -> None:
    pace = parse_pace("mon,thu 20:00", zone="Europe/Berlin", least=timedelta(hours=24))
    assert next_deadline(pace, _utc("2026-11-04T18:00")) == _utc("2026-11-05T19:00")
    assert next_deadline(pace, _utc("2026-11-05T12:00")) == _utc("2026-11-09T19:00")


@pytest.mark.parametrize(
    ("zone", "said"),
    [
        ("UTC", "Sat 7 Nov 2026, 19:05 UTC"),
        ("Europe/Berlin", "Sat 7 Nov 2026, 20:05 (Europe/Berlin, UTC+1)"),
        ("Asia/Kathmandu", "Sun 8 Nov 2026, 00:50 (Asia/Kathmandu, UTC+5:45)"),
        ("America/St_Johns", "Sat 7 Nov 2026, 15:35 (America/St_Johns, UTC-3:30)"),
        ("Europe/London", "Sat 7 Nov 2026, 19:05 (Europe/London, UTC)"),
    ],
)
def test_every_reader_has_their_own_clock(zone: str, said: str) -> None:
    assert format_deadline(_utc("2026-11-07T19:05"), zone) == said


def test_documents_say_it_in_rfc_3339() -> None:
    text = format_local(_utc("2026-07-07T19:05"), "Europe/Berlin")
    assert text == "2026-07-07T21:05:00+02:00"
    assert datetime.fromisoformat(text) == _utc("2026-07-07T19:05")
