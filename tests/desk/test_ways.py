"""Every letter out knows its cause: a letter in, the clock, or what went wrong with another."""

from datetime import timedelta
from typing import Any

from adjudicator.desk.acts.seats import seat_bot
from adjudicator.desk.clock.tick import Ticked, tick
from adjudicator.desk.model.history import act_trace_id, trace_id
from adjudicator.desk.model.mail import Sent
from adjudicator.desk.model.values import OutgoingLetter
from adjudicator.desk.outbox.send import record_delivery
from adjudicator.desk.steps.lock import lock_game
from tests.at_the_desk import close_step
from tests.desk.conftest import GAME, Desk
from tests.desk.post import HOUSE, Post, hand, letter

SETTINGS: dict[str, Any] = {"pace": "24h", "settle": "10m", "remind": ["2h"], "grace": "0m"}


def _round(desk: Desk) -> Ticked:
    return desk.act(tick, read_until=desk.at, boot=desk.at.timestamp())


def _hours(desk: Desk, number: int) -> Ticked:
    """So many rounds, half an hour apart: no outage."""
    for _ in range(2 * number):
        ticked = _round(desk)
        desk.later(minutes=30)
    return ticked


def _last(desk: Desk, kind: str) -> OutgoingLetter:
    return desk.letters(kind)[-1]


def _all_in(post: Post) -> str:
    """Everybody sends orders; the way of the last letter."""
    for seat in ("red", "blue", "green"):
        mine = letter(
            post.form(f"play: {hand(post, seat)[0]}", seat=seat), sender=f"{seat}@example.org"
        )
        post.take(mine)
        post.desk.later(minutes=1)
    return trace_id(mine.message_id)


def test_a_step_that_settles_is_closed_by_the_letter_that_completed_it(desk: Desk) -> None:
    post = Post(desk)
    post.new(settings=SETTINGS)
    cause = _all_in(post)
    _round(desk)
    desk.later(minutes=30)
    ticked = _round(desk)
    assert ticked.acts == ("close",)
    assert ticked.cause == cause
    assert {x.cause for x in desk.letters("report") if x.step == 1} == {cause}
    assert _last(desk, "receipt").cause == cause


def test_a_bot_that_was_seated_by_a_letter_completes_a_step_too(desk: Desk) -> None:
    post = Post(desk)
    post.new(settings=SETTINGS)
    for seat in ("red", "blue"):
        post.write(f"play: {hand(post, seat)[0]}", seat=seat)
    desk.later(minutes=1)
    wish = letter(post.form("gm: [bot green]", seat="gm"), sender=HOUSE.gm[0])
    post.take(wish)
    _round(desk)
    desk.later(minutes=30)
    assert _round(desk).cause == trace_id(wish.message_id)


def test_what_the_deadline_closes_has_the_id_of_that_round(desk: Desk) -> None:
    desk.new(settings=SETTINGS)
    _hours(desk, 24)
    ticked = _round(desk)
    assert ticked.acts == ("close",)
    assert ticked.cause == act_trace_id(f"clock {GAME}", desk.at)
    assert {x.cause for x in desk.letters("report") if x.step == 1} == {ticked.cause}


def test_reminders_have_the_id_of_the_round_in_which_they_were_written(desk: Desk) -> None:
    desk.new(settings=SETTINGS)
    _hours(desk, 23)
    reminders = desk.letters("reminder")
    assert {x.cause for x in reminders} == {
        act_trace_id(f"clock {GAME}", x.made) for x in reminders
    }
    assert len(reminders) == 3


def test_only_bots_complete_no_step_by_a_letter(desk: Desk) -> None:
    desk.new(seats={"red": "bot", "blue": "bot", "green": "bot"}, settings=SETTINGS)
    _round(desk)
    desk.later(minutes=30)
    ticked = _round(desk)
    assert ticked.acts == ("close",)
    assert ticked.cause == act_trace_id(f"clock {GAME}", desk.at)


def test_what_is_told_of_a_letter_that_came_back_is_on_its_way(post: Post) -> None:
    came = post.write("ask: [status]")
    answer = post.answering(came)
    said = [Sent("ada@example.org", "never", "550 no such user")]
    with post.desk.store.writing() as books:
        record_delivery(books, answer, said, at=post.desk.at, house=HOUSE)
    told = [*post.outbox(), *post.outbox("")][-1]
    assert told.message_id != answer.message_id
    assert told.cause == answer.cause == trace_id(post.arrivals()[-1].message_id)


def test_a_cause_stays_as_it_was_written(desk: Desk) -> None:
    desk.new(settings=SETTINGS)
    with desk.store.writing() as books:
        books.because("first")
        close_step(books, desk.library, GAME, at=desk.at, now=True)
        known = books.caused("first")
    assert ("report", "red", 2) in known
    with desk.store.writing() as books:
        books.because("second")
        before = books.letters(GAME)
        seat_bot(lock_game(books, desk.library, GAME, at=desk.at + timedelta(hours=1)), "blue")
        for one in before:
            books.save(one)
        assert books.caused("first") == known
        assert [one[0] for one in books.caused("second")] == ["notice"] * 3
