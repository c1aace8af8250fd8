"""Reminders: to whoever is not in, in time, and never once they are untrue."""

from datetime import timedelta
from typing import Any

import pytest

from adjudicator.core.document import decode
from adjudicator.desk.acts.calendar import extend_deadline, pause_game
from adjudicator.desk.acts.open_step import remind_late
from adjudicator.desk.acts.seats import seat_bot
from adjudicator.desk.model.deadlines import format_deadline
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.values import Player
from adjudicator.desk.steps.handover import replace_player
from tests.desk.conftest import AT, Desk
from tests.desk.test_tick import ask_for_a_prize, go, new, ring


def reminded(desk: Desk, status: str = "queued") -> list[str]:
    """The seats whose reminders are (still) to go out."""
    return [letter.seat for letter in desk.letters("reminder") if letter.status == status]


def told(desk: Desk) -> list[str]:
    """Who got a notice since the game began."""
    return [letter.seat for letter in desk.letters("notice") if letter.made > AT]


def lines(desk: Desk, kind: str, seat: str) -> list[str]:
    told: list[str] = decode(desk.letters(kind, seat)[-1].document)["lines"]
    return told


def test_those_who_are_not_in_are_reminded_a_day_before(desk: Desk) -> None:
    new(desk)
    desk.send("red", "play: owl")
    assert go(desk, hours=47, minutes=59) == []
    assert go(desk, minutes=1) == ["remind"]
    assert reminded(desk) == ["blue", "green"]
    assert lines(desk, "reminder", "blue") == [
        "Your orders have not been received yet.",
        "The deadline is Thu 5 Nov 2026, 20:00 UTC.",
    ]
    assert go(desk, hours=23, minutes=59) == []


def test_a_short_step_is_reminded_of_at_half_time(desk: Desk) -> None:
    new(desk, pace="6h")
    assert go(desk, hours=2, minutes=59) == []
    assert go(desk, minutes=1) == ["remind"]


@pytest.mark.parametrize(
    ("remind", "after"), [([], []), (["24h", "6h"], [48, 66]), (["48h", "24h"], [36, 48])]
)
def test_the_game_says_when(desk: Desk, remind: list[str], after: list[int]) -> None:
    new(desk, remind=remind)
    hours = [hour for hour in range(1, 72) if "remind" in go(desk, hours=1)]
    assert hours == after


def test_an_absolute_time_by_the_readers_clock(desk: Desk) -> None:
    new(desk, zone="Europe/Berlin")
    with desk.store.writing() as books:
        books.save(Player(name="Cleo", zone="Asia/Kolkata"))
    go(desk, hours=48)
    assert "20:00" not in str(lines(desk, "reminder", "green"))
    assert lines(desk, "reminder", "green")[1].endswith("01:30 (Asia/Kolkata, UTC+5:30).")
    assert lines(desk, "reminder", "blue")[1].endswith("21:00 (Europe/Berlin, UTC+1).")


def test_whoever_sends_orders_needs_no_reminder_any_more(desk: Desk) -> None:
    new(desk)
    go(desk, hours=48)
    desk.send("blue", "play: owl")
    assert reminded(desk) == ["red", "green"]
    assert reminded(desk, "withdrawn") == ["blue"]


def test_a_reminder_that_went_out_is_not_taken_back(desk: Desk) -> None:
    new(desk)
    go(desk, hours=48)
    with desk.store.writing() as books:
        for letter in books.letters("tiny"):
            books.save(type(letter)(**{**_fields(letter), "status": "sent"}))
    desk.act(extend_deadline, "24h")
    assert reminded(desk, "sent") == ["red", "blue", "green"]


def _fields(letter: Any) -> dict[str, Any]:
    return {name: getattr(letter, name) for name in letter.__struct_fields__}


def test_more_time_takes_reminders_back_and_brings_new_ones(desk: Desk) -> None:
    new(desk)
    go(desk, hours=48)
    desk.act(extend_deadline, "24h")
    assert reminded(desk) == []
    assert go(desk, hours=23) == []
    assert go(desk, hours=1) == ["remind"]
    assert reminded(desk) == ["red", "blue", "green"]


def test_a_pause_takes_reminders_back(desk: Desk) -> None:
    new(desk)
    go(desk, hours=48)
    desk.act(pause_game)
    assert reminded(desk) == []
    assert go(desk, hours=48) == []


def test_a_substitute_is_not_reminded_of_what_the_predecessor_owed(desk: Desk) -> None:
    new(desk)
    go(desk, hours=48)
    desk.act(replace_player, "blue", "Dan")
    assert reminded(desk) == []  # all have a full deadline again


def test_a_closed_step_needs_no_orders(desk: Desk) -> None:
    new(desk)
    go(desk, hours=48)
    desk.close()
    assert reminded(desk) == []


def test_after_the_deadline_the_late_ones_know_how_long_they_have(desk: Desk) -> None:
    new(desk)
    desk.send("red", "play: owl")
    go(desk, hours=71)
    assert go(desk, hours=1) == ["late"]
    assert reminded(desk) == ["blue", "green", "blue", "green"]
    until = format_deadline(AT + timedelta(hours=72, minutes=30), "UTC")
    assert lines(desk, "reminder", "blue")[1] == f"They still count if they arrive before {until}."
    assert told(desk) == []  # nobody else learns of it


def test_the_late_ones_are_named_where_the_game_says_so(desk: Desk) -> None:
    new(desk, late_visible=True)
    desk.send("red", "play: owl")
    go(desk, hours=71, minutes=59)
    assert told(desk) == []
    go(desk, minutes=1)
    assert told(desk) == ["red"]
    assert "Late: blue, green." in lines(desk, "notice", "red")[0]


def test_nobody_is_called_late_before_the_post_is_read(desk: Desk) -> None:
    new(desk, late_visible=True)
    go(desk, hours=71, minutes=50)
    read = desk.at
    desk.later(minutes=20)
    ring(desk, read=read)
    assert told(desk) == []
    for seat in ("red", "blue", "green"):
        desk.send(seat, "play: owl")
    ring(desk)
    assert told(desk) == []


def test_who_is_asked_in_mid_turn_is_reminded_but_never_named(desk: Desk) -> None:
    new(desk, late_visible=True)
    ask_for_a_prize(desk)
    assert go(desk, hours=24) == ["remind", "late"]
    assert told(desk) == []
    assert {letter.seat for letter in desk.letters("reminder")} == {"red"}
    assert len(lines(desk, "reminder", "red")) == 2


def test_who_has_missed_steps_is_told_what_becomes_of_it(desk: Desk) -> None:
    new(desk, pace="24h")
    go(desk, hours=24, minutes=30)
    go(desk, hours=12)
    assert lines(desk, "reminder", "blue")[2:] == [
        "You sent no orders in the last step.",
        "After 3 in a row without orders you lose the seat.",
    ]


def test_the_gm_reminds_when_it_seems_right(desk: Desk) -> None:
    new(desk)
    desk.send("red", "play: owl")
    desk.act(seat_bot, "blue")
    assert [letter.seat for letter in desk.act(remind_late)] == ["green"]
    desk.send("green", "play: owl")
    with pytest.raises(Refused, match="no orders are missing"):
        desk.act(remind_late)
