"""A round of the clock: a step closes when it is settled, or when its time is over and all read."""

from datetime import datetime, timedelta
from typing import Any

from adjudicator.adapters.yaml.reader import parse_yaml
from adjudicator.core.dice import seed_from_number
from adjudicator.core.document import decode
from adjudicator.desk.acts.calendar import extend_deadline, pause_game
from adjudicator.desk.acts.seats import seat_bot
from adjudicator.desk.clock.tick import Ticked, tick
from adjudicator.desk.model.deadlines import format_deadline
from adjudicator.desk.orders.reading_orders import MailedOrders
from adjudicator.desk.questions.answer import issue_new_key
from adjudicator.desk.steps.handover import resign_seat
from adjudicator.desk.steps.lock import lock_context
from tests.at_the_desk import submit
from tests.desk.conftest import AT, Desk

PACE = {"pace": "72h", "grace": "30m", "settle": "10m"}
NOW: Any = object()


def new(desk: Desk, **settings: Any) -> None:
    desk.new(settings={**PACE, **settings})
    ring(desk)


def ring(desk: Desk, *, read: datetime | None = NOW, boot: float | None = None) -> Ticked:
    """A round, with all post read up to now and the clocks in step."""
    seconds = (desk.at - AT).total_seconds() if boot is None else boot
    return desk.act(tick, read_until=desk.at if read is NOW else read, boot=seconds)


def go(desk: Desk, **length: float) -> list[str]:
    """Some time later, with a round every half hour and one at the end; what was done."""
    end = desk.at + timedelta(**length)
    done: list[str] = []
    while desk.at < end:
        desk.at = min(desk.at + timedelta(minutes=30), end)
        done += ring(desk).acts
    return done


def ask_for_a_prize(desk: Desk) -> None:
    """Red plays its best card, the others their weakest; red scores and is asked."""
    desk.play()
    desk.send("red", f"play: {desk.state()['hands']['red'][-1]}")
    go(desk, minutes=10)
    assert desk.step().phase == "prize"


def test_the_deadline_and_its_grace_close_a_step_once(desk: Desk) -> None:
    new(desk)
    desk.send("red", "play: owl")
    assert go(desk, hours=72) == ["remind", "late"]
    assert go(desk, minutes=29, seconds=59) == []
    assert go(desk, seconds=1) == ["close"]
    assert desk.step().name == "2-pick"
    assert [desk.seating(seat).missed for seat in ("red", "blue", "green")] == [0, 1, 1]
    assert ring(desk).acts == ()


def test_nothing_closes_before_all_post_up_to_the_end_of_grace_is_read(desk: Desk) -> None:
    new(desk)
    go(desk, hours=72)
    read = desk.at
    desk.later(minutes=40)
    assert ring(desk, read=read).acts == ()
    assert ring(desk, read=read + timedelta(minutes=29)).acts == ()
    assert ring(desk, read=None).acts == ()
    desk.send("blue", "play: owl")  # it came within the grace and is read only now
    assert ring(desk, read=read + timedelta(minutes=30)).acts == ("close",)
    assert desk.seating("blue").missed == 0


def test_all_in_closes_once_they_have_settled(desk: Desk) -> None:
    new(desk)
    go(desk, hours=5)
    desk.play()
    assert go(desk, minutes=9) == []
    desk.send("blue", f"play: {desk.state()['hands']['blue'][-1]}")  # any change begins it anew
    assert go(desk, minutes=9) == []
    assert go(desk, minutes=1) == ["close"]
    assert [desk.seating(seat).missed for seat in ("red", "blue", "green")] == [0, 0, 0]


def test_who_is_not_ready_is_waited_for_until_the_deadline_but_not_missed(desk: Desk) -> None:
    new(desk)
    desk.play()
    desk.send("blue", "ready: false")
    assert go(desk, hours=72, minutes=29) == []
    assert go(desk, minutes=1) == ["close"]
    assert desk.seating("blue").missed == 0


def test_bots_alone_need_no_deadline_but_the_settling_time(desk: Desk) -> None:
    desk.new(settings={**PACE, "settle": "0m"}, seats={"red": "bot", "blue": "bot"})
    names = [desk.step().name]
    while ring(desk).closing and desk.game().open_step is not None:
        names.append(desk.step().name)
    assert desk.game().status == "over"
    assert len(names) == len(set(names)) > 2


def test_without_a_pace_the_clock_closes_nothing(desk: Desk) -> None:
    desk.new(settings={"pace": "none"})
    desk.play()
    assert go(desk, hours=200) == []


def test_a_paused_game_stands_still(desk: Desk) -> None:
    new(desk)
    desk.play()
    desk.act(pause_game)
    assert go(desk, hours=100) == []


def test_an_extension_holds_the_step_open_for_as_long(desk: Desk) -> None:
    new(desk)
    desk.act(extend_deadline, "24h")
    assert go(desk, hours=96, minutes=29) == ["remind", "late"]
    assert go(desk, minutes=1) == ["close"]


def test_a_seat_given_to_a_bot_settles_like_a_letter(desk: Desk) -> None:
    new(desk)
    desk.play(seats=("red", "blue"))
    go(desk, hours=1)
    desk.act(seat_bot, "green")
    assert go(desk, minutes=9) == []
    assert go(desk, minutes=1) == ["close"]


def test_who_answers_a_question_in_mid_turn_has_time_and_misses_nothing(desk: Desk) -> None:
    new(desk, interrupt_pace="24h")
    ask_for_a_prize(desk)
    assert desk.step().deadline == desk.step().opened + timedelta(hours=24)
    assert go(desk, hours=25) == ["remind", "late", "close"]
    assert {desk.seating(seat).missed for seat in ("red", "blue", "green")} == {0}


def test_a_substitute_for_one_who_resigned_has_a_full_deadline_and_all_know(desk: Desk) -> None:
    new(desk, nmr="substitute", substitutes=["Dan"])
    go(desk, hours=60)
    desk.act(resign_seat, "blue", by="player")
    due = AT + timedelta(hours=132)
    assert desk.step().deadline == due
    for seat, kind in (("red", "notice"), ("green", "notice")):
        letter = decode(desk.letters(kind, seat)[-1].document)
        told = [line for part in (letter, *letter.get("notices", ())) for line in part["lines"]]
        assert any(format_deadline(due, "UTC") in line for line in told), (seat, told)
    again = decode(desk.letters("answer", "blue")[-1].document)
    assert (again["player"], again["due"]["deadline"]) == ("Dan", due.isoformat())


def test_the_gm_hears_of_a_seat_that_stays_silent(desk: Desk) -> None:
    new(desk, nmr_limit=1, nmr="substitute", remind=[])
    for seat in ("red", "blue"):
        desk.send(seat, "play: owl")
    assert go(desk, hours=72, minutes=30) == ["late", "close"]
    told = decode(desk.letters("notice", "gm")[-1].document)
    assert told["headline"] == "Step closed: round 1, pick"
    assert "green: no orders were received in 1 step" in told["lines"][0]
    assert "a substitute is wanted" in told["lines"][0]


def test_an_open_game_is_given_up_in_time_but_not_by_a_clock_that_jumped(desk: Desk) -> None:
    desk.new(start=False, seats={"red": "Ada", "blue": None}, settings={"expires": "30d"})
    ring(desk, boot=0)
    desk.at += timedelta(days=40)
    assert ring(desk, boot=60).acts == ()
    desk.at -= timedelta(days=11)
    assert ring(desk, boot=29 * 86400).acts == ()
    desk.at += timedelta(days=1)
    assert ring(desk, boot=30 * 86400).acts == ("expire",)
    assert desk.game().status == "over"
    assert ring(desk).acts == ()


def test_a_substitute_who_is_asked_in_mid_turn_has_a_full_deadline(desk: Desk) -> None:
    """With this seed red's weakest card beats the others' weakest, so the silent red is asked."""
    silent = {"nmr_limit": 1, "nmr": "substitute", "substitutes": ["Dan"], "remind": []}
    desk.new(seed=seed_from_number(2), settings={**PACE, **silent})
    ring(desk)
    desk.play(seats=("blue", "green"))
    go(desk, hours=72, minutes=30)
    assert (desk.step().phase, desk.seating("red").player) == ("prize", "Dan")
    assert desk.step().deadline == desk.at + timedelta(hours=72)


def test_who_asks_for_new_keys_when_the_step_closes_has_no_more_time_for_it(desk: Desk) -> None:
    """The clock is read once in a round: letters and closings have the same instant."""
    new(desk, settle="0m")
    go(desk, hours=10)
    desk.play(seats=("blue", "green"))
    desk.send("red", f"play: {desk.state()['hands']['red'][-1]}")
    with desk.store.writing() as books:
        issue_new_key(lock_context(books, desk.library, "tiny", at=desk.at), "red")
    assert ring(desk).acts == ("close",)
    assert desk.step().phase == "prize"
    assert desk.step().deadline == desk.at + timedelta(hours=24)


def test_orders_that_waited_in_their_box_settle_from_when_they_were_read(desk: Desk) -> None:
    new(desk)
    desk.play(seats=("red", "blue"))
    go(desk, hours=2)
    waited = MailedOrders(arrived=desk.at - timedelta(hours=1), date=None, step="1-pick")
    told = desk.act(submit, "green", parse_yaml("play: owl"), by="player", mailed=waited)
    assert told["arrived"]["at"] == (desk.at - timedelta(hours=1)).isoformat()
    assert go(desk, minutes=9) == []
    assert go(desk, minutes=1) == ["close"]
