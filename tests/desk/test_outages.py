"""The house was away, or its clock is wrong: deadlines move, and nothing closes unseen."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from adjudicator.core.document import decode
from adjudicator.desk.acts.calendar import pause_game, resume_game
from adjudicator.desk.model.deadlines import format_deadline
from adjudicator.desk.model.values import Observer, Player
from tests.desk.conftest import AT, Desk
from tests.desk.test_reminders import reminded
from tests.desk.test_tick import PACE, go, new, ring

HOUR = timedelta(hours=1)


def notices(desk: Desk, seat: str = "red") -> list[str]:
    """The headlines of a reader's notices since the game began."""
    letters = [letter for letter in desk.letters("notice", seat) if letter.made > AT]
    return [decode(letter.document)["headline"] for letter in letters]


def last(desk: Desk, seat: str = "red") -> str:
    told: dict[str, Any] = decode(desk.letters("notice", seat)[-1].document)
    return " ".join(told["lines"])


def away(desk: Desk, length: timedelta) -> tuple[str, ...]:
    """Nobody looks for so long."""
    desk.at += length
    return ring(desk).acts


def deadline(desk: Desk) -> datetime | None:
    return desk.step().deadline


def test_a_deadline_that_fell_into_an_outage_moves_by_its_length(desk: Desk) -> None:
    new(desk)
    go(desk, hours=70)
    assert away(desk, 5 * HOUR) == ("outage",)
    due = AT + 77 * HOUR
    assert deadline(desk) == due
    assert notices(desk) == notices(desk, "gm") == ["Deadline moved after an outage"]
    assert (
        f"moves by the same length: round 1, pick. The deadline is {format_deadline(due, 'UTC')}."
        in last(desk)
    )
    assert go(desk, hours=2, minutes=29) == ["late"]
    assert go(desk, minutes=1) == ["close"]


def test_an_hour_and_less_moves_nothing(desk: Desk) -> None:
    new(desk)
    go(desk, hours=71, minutes=45)
    assert away(desk, HOUR) == ("close",)


def test_the_game_says_what_an_outage_is(desk: Desk) -> None:
    new(desk, outage="15m")
    go(desk, hours=72, minutes=-8)
    assert away(desk, timedelta(minutes=16)) == ("outage",)
    assert deadline(desk) == AT + timedelta(hours=72, minutes=16)


@pytest.mark.parametrize("outage", ["0m", "4m"])
def test_the_pause_between_two_rounds_is_no_outage_whatever_the_game_calls_one(
    desk: Desk, outage: str
) -> None:
    """A daemon may look every 5 minutes; else each look would move the deadline to the next."""
    new(desk, outage=outage)
    go(desk, hours=72, minutes=-1)
    done = [act for _ in range(8) for act in away(desk, timedelta(minutes=5))]
    assert done == ["late", "close"]
    assert notices(desk) == []


def test_a_postbox_that_cannot_be_reached_is_an_outage_too(desk: Desk) -> None:
    new(desk)
    go(desk, hours=71)
    read = desk.at
    for _ in range(6):
        desk.at += HOUR / 2
        assert ring(desk, read=read).acts == ()
    assert ring(desk).acts == ("outage",)
    assert deadline(desk) == AT + 75 * HOUR


def test_other_deadlines_stay_and_nobody_is_told(desk: Desk) -> None:
    new(desk)
    go(desk, hours=10)
    assert away(desk, 20 * HOUR) == ()
    assert deadline(desk) == AT + 72 * HOUR
    assert notices(desk) == []


def test_reminders_of_an_outage_lapse(desk: Desk) -> None:
    new(desk)
    go(desk, hours=40)
    assert away(desk, 10 * HOUR) == ()
    assert go(desk, hours=20) == []
    assert reminded(desk) == []


def test_after_more_than_a_day_the_gm_decides(desk: Desk) -> None:
    new(desk)
    go(desk, hours=60)
    assert away(desk, 30 * HOUR) == ("outage",)
    assert desk.game().status == "paused"
    assert notices(desk) == ["Paused after an outage"]
    assert "resume tiny" in last(desk, "gm")
    assert go(desk, hours=100) == []
    desk.act(resume_game)
    due = AT + 202 * HOUR  # 72 + 30 away + 100 paused
    assert deadline(desk) == due
    assert format_deadline(due, "UTC") in last(desk)
    assert go(desk, hours=12, minutes=29) == ["late"]
    assert go(desk, minutes=1) == ["close"]


def test_a_long_outage_pauses_also_before_a_deadline_that_is_far_away(desk: Desk) -> None:
    new(desk, pace="240h")
    assert away(desk, 30 * HOUR) == ("outage",)
    assert desk.game().status == "paused"
    desk.act(resume_game)
    assert deadline(desk) == AT + 240 * HOUR


def test_a_step_that_opened_meanwhile_gains_only_what_it_lost(desk: Desk) -> None:
    new(desk, pace="3h")
    desk.at += HOUR
    desk.close()  # by hand, while nobody watches the clock
    assert deadline(desk) == AT + 4 * HOUR
    assert away(desk, 5 * HOUR) == ("outage",)
    assert deadline(desk) == AT + 9 * HOUR


def test_a_pause_and_an_outage_are_not_counted_twice(desk: Desk) -> None:
    new(desk)
    go(desk, hours=60)
    desk.act(pause_game)
    assert away(desk, 20 * HOUR) == ()
    desk.act(resume_game)
    assert deadline(desk) == AT + 92 * HOUR


def test_a_game_that_was_never_watched_loses_no_time(desk: Desk) -> None:
    desk.new(settings=PACE)
    assert away(desk, 100 * HOUR) == ("outage",)
    assert desk.game().status == "running"
    assert deadline(desk) == AT + 172 * HOUR


def test_a_clock_that_jumps_closes_nothing_before_the_gm_has_looked(desk: Desk) -> None:
    new(desk)
    go(desk, hours=10)
    desk.at += 100 * HOUR
    assert ring(desk, boot=10 * 3600 + 30).acts == ("jump",)
    assert desk.game().status == "paused"
    assert notices(desk) == ["Paused"]
    assert "jumped forward by 4d 3h 59m" in last(desk, "gm")
    desk.at -= 99 * HOUR  # set right; an hour has passed
    ring(desk, boot=11 * 3600)
    desk.act(resume_game)
    assert deadline(desk) == AT + timedelta(hours=73) - timedelta(seconds=30)


def test_a_clock_that_goes_back_takes_no_time_from_anybody(desk: Desk) -> None:
    new(desk)
    go(desk, hours=10)
    desk.at -= 5 * HOUR
    assert ring(desk, boot=10 * 3600).acts == ("jump",)
    desk.act(resume_game)
    assert deadline(desk) == AT + 72 * HOUR


def test_a_clock_that_goes_back_over_a_new_start_is_seen(desk: Desk) -> None:
    new(desk)
    go(desk, hours=10)
    desk.at -= HOUR
    assert ring(desk, boot=30).acts == ("jump",)


def test_steps_settle_though_everybody_sat_down_by_a_clock_that_was_a_month_ahead(
    desk: Desk,
) -> None:
    new(desk)
    desk.at -= 30 * 24 * HOUR
    assert ring(desk, boot=1).acts == ("jump",)
    desk.act(resume_game)
    desk.close()
    start, boot = desk.at, 1
    desk.play()
    for minutes, done in ((9, ()), (10, ("close",))):
        desk.at = start + minutes * HOUR / 60
        assert ring(desk, boot=boot + minutes * 60).acts == done


def test_clocks_may_drift_by_minutes(desk: Desk) -> None:
    new(desk)
    go(desk, hours=10)
    desk.at += HOUR / 2
    assert ring(desk, boot=10.5 * 3600 + 290).acts == ()


def test_a_game_closed_by_hand_does_not_care(desk: Desk) -> None:
    desk.new(settings={"pace": "none"})
    ring(desk)
    assert away(desk, 100 * HOUR) == ()
    assert ring(desk, boot=1).acts == ()
    assert desk.game().status == "running"


def test_what_is_settled_closes_and_nobody_hears_of_a_deadline_that_moved(desk: Desk) -> None:
    new(desk)
    go(desk, hours=71, minutes=55)
    desk.play()
    assert away(desk, 3 * HOUR) == ("close",)
    assert notices(desk) == []


def test_after_a_long_outage_not_even_what_is_settled_closes(desk: Desk) -> None:
    new(desk)
    desk.play()
    assert away(desk, 30 * HOUR) == ("outage",)
    assert desk.step().name == "1-pick"


def test_a_receipt_in_a_pause_names_no_deadline_that_does_not_run(desk: Desk) -> None:
    new(desk)
    assert desk.send("red", "play: owl")["deadline"]["paused"] is False
    desk.act(pause_game)
    assert desk.send("blue", "play: owl")["deadline"]["paused"] is True


def test_each_reads_of_an_outage_by_their_own_clock_and_observers_read_of_it_too(
    desk: Desk,
) -> None:
    new(desk, zone="Europe/Berlin")
    with desk.store.writing() as books:
        books.save(Player(name="Cleo", zone="Asia/Kolkata"))
        books.save(Observer(game="tiny", address="eve@example.org", since=AT))
    go(desk, hours=70)
    away(desk, 5 * HOUR)
    start, end, due = AT + 70 * HOUR, AT + 75 * HOUR, AT + 77 * HOUR
    for seat, zone in (
        ("red", "Europe/Berlin"),
        ("green", "Asia/Kolkata"),
        ("public", "Europe/Berlin"),
        ("gm", "Europe/Berlin"),
    ):
        told = last(desk, seat)
        assert f"from {format_deadline(start, zone)} until {format_deadline(end, zone)}." in told
        assert f"The deadline is {format_deadline(due, zone)}." in told
