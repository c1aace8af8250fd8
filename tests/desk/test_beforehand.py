"""Before a game begins seats change hands, too: whoever it concerns is told, and luck words go."""

import pytest

from adjudicator.core.document import decode
from adjudicator.desk.acts.seats import seat_bot
from adjudicator.desk.acts.start import undo_start
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.values import OutgoingLetter
from adjudicator.desk.steps.handover import replace_player, resign_seat
from adjudicator.desk.steps.start import start_game
from tests.desk.conftest import Desk
from tests.desk.post import Post, letter
from tests.desk.wishing import apply, order, text_of


@pytest.fixture
def open_game(desk: Desk) -> Desk:
    desk.new(start=False, luck={"red": "owls", "blue": "foxes"}, settings={"pace": "72h"})
    return desk


def _told(desk: Desk) -> list[tuple[str, int, str]]:
    return [(x.seat, x.seating, decode(x.document)["headline"]) for x in desk.letters("notice")]


def test_all_are_told_of_another_player(open_game: Desk) -> None:
    open_game.act(replace_player, "blue", "Zoe")
    assert _told(open_game) == [
        ("blue", 1, "You no longer play blue"),
        ("blue", 2, "You play blue in tiny now"),
        ("red", 1, "Zoe plays blue"),
        ("green", 1, "Zoe plays blue"),
    ]
    assert open_game.game().luck == (("red", "owls"),)


def test_in_an_anonymous_game_without_the_name(desk: Desk) -> None:
    desk.new(start=False, settings={"anonymous": True})
    desk.act(replace_player, "blue", "Zoe")
    others = [x for x in desk.letters("notice") if x.seat != "blue"]
    assert not [x for x in others if b"Zoe" in x.document]


def test_all_are_told_of_a_bot(open_game: Desk) -> None:
    open_game.act(seat_bot, "blue")
    assert [(seat, told) for seat, _, told in _told(open_game)] == [
        ("blue", "You no longer play blue"),
        ("red", "A bot plays blue"),
        ("green", "A bot plays blue"),
    ]
    open_game.act(start_game)


def test_a_seat_can_be_freed_and_taken_again(open_game: Desk) -> None:
    after = open_game.act(resign_seat, "blue", by="gm")
    assert after.kind == "idle"
    with pytest.raises(Refused, match="nobody plays blue"):
        open_game.act(start_game)
    assert [(seat, told) for seat, _, told in _told(open_game)] == [
        ("blue", "You no longer play blue"),
        ("red", "blue is free again"),
        ("green", "blue is free again"),
    ]
    apply(open_game, "dan@example.org", name="Dan")
    assert apply(open_game, "dan@example.org", name="Dan", confirmed=True).done
    assert open_game.seating("blue").player == "Dan"
    assert order(open_game, "resign blue", "resign blue").not_taken != ()


def _text(one: OutgoingLetter) -> str:
    return " ".join(text_of(one).split())


@pytest.mark.parametrize("preview", [True, False])
def test_a_player_leaves_with_the_key_of_the_seat(desk: Desk, preview: bool) -> None:
    post = Post(desk)
    post.new()
    desk.act(undo_start)
    more = ("preview: yes",) if preview else ()
    given = post.form("resign: yes", *more, step="2-setup")
    came = post.take(letter(given))
    answer = post.answering(came)
    assert (answer.seat, answer.seating) == ("red", 1)  # it goes to who leaves
    if preview:
        assert "this was a preview" in _text(answer)
        assert desk.seating("red").player == "Ada"
        return
    assert "You leave tiny; red is free again." in _text(answer)
    assert desk.seating("red").kind == "idle"
    assert desk.game().luck == ()
