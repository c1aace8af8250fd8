"""A game that its last person has left to bots waits for the GM."""

from adjudicator.desk.acts.calendar import resume_game
from adjudicator.desk.acts.seats import seat_bot
from adjudicator.desk.steps.handover import replace_player, resign_seat
from tests.desk.conftest import GAME, Desk
from tests.desk.test_tick import PACE, go


def left_to_bots(desk: Desk) -> None:
    """All three players leave, one by one; bots take over."""
    desk.new(settings={**PACE, "nmr": "bot"})
    for seat in ("red", "blue", "green"):
        assert desk.game().status == "running"
        desk.act(resign_seat, seat, by="gm")


def test_when_the_last_person_has_left_the_game_waits_for_the_gm(desk: Desk) -> None:
    left_to_bots(desk)
    assert desk.game().status == "paused"
    told = [one for one in desk.see(lambda books: books.letters(GAME)) if one.seat == "gm"]
    assert "only bots are left" in told[-1].document.decode()
    assert go(desk, hours=1000) == []


def test_so_it_does_when_the_last_seat_goes_for_missed_orders(desk: Desk) -> None:
    desk.new(
        settings={**PACE, "nmr": "bot", "nmr_limit": 1},
        seats={"red": "Ada", "blue": "bot", "green": "bot"},
    )
    go(desk, hours=73)
    assert desk.seating("red").kind == "bot"
    assert desk.game().status == "paused"


def test_so_it_does_when_the_gm_gives_the_last_seat_to_a_bot(desk: Desk) -> None:
    desk.new(settings=PACE, seats={"red": "Ada", "blue": "bot"})
    desk.act(seat_bot, "red")
    assert desk.game().status == "paused"


def test_bots_that_the_gm_lets_go_on_are_not_stopped_again(desk: Desk) -> None:
    left_to_bots(desk)
    desk.act(resume_game)
    assert "close" in go(desk, hours=1)
    assert desk.game().status == "running"


def test_a_person_who_came_and_left_again_is_a_new_reason_to_wait(desk: Desk) -> None:
    left_to_bots(desk)
    desk.act(replace_player, "red", "Dora")
    desk.act(resume_game)
    desk.act(resign_seat, "red", by="gm")
    assert desk.game().status == "paused"


def test_a_game_by_hand_is_closed_by_the_gm_whoever_plays(desk: Desk) -> None:
    desk.new(settings={"pace": "none"}, seats={"red": "Ada", "blue": "bot"})
    desk.act(seat_bot, "red")
    assert desk.game().status == "running"
