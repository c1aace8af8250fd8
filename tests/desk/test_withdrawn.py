"""A game is withdrawn before it begins, all are told, and it can be announced again."""

from typing import Any

import pytest

from adjudicator.core.document import decode
from adjudicator.desk.acts.announce import announce_game, withdraw_game
from adjudicator.desk.acts.rollback import roll_back
from adjudicator.desk.acts.start import undo_start
from adjudicator.desk.clock.tick import expire_open_game
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.values import Status
from adjudicator.desk.steps.start import start_game
from tests.desk.conftest import GAME, Desk
from tests.desk.inviting import (
    ADA,
    BO,
    CLEO,
    DAN,
    OPEN,
    archive_of,
    goes_out,
    joins,
    letters_to,
    plain,
)
from tests.desk.post import Post, letter
from tests.desk.wishing import apply


def _announced(desk: Desk, **settings: Any) -> None:
    desk.new(**OPEN, settings=settings)
    desk.act(announce_game, [ADA, BO, CLEO])


def test_a_game_is_withdrawn_and_nobody_can_join_it(desk: Desk) -> None:
    _announced(desk)
    desk.act(withdraw_game)
    assert desk.game().status is Status.OVER
    for confirmed in (False, True):
        told = apply(desk, DAN, name="Dan", confirmed=confirmed)
        assert told.not_taken == (
            "tiny was withdrawn by its GM before it began, so nobody can join it any more.",
        )
    assert desk.see(lambda books: books.seatings(GAME)) == []


def test_invitations_that_wait_stay_and_those_that_went_out_are_followed(desk: Desk) -> None:
    _announced(desk)
    goes_out(desk, *letters_to(desk, BO))
    desk.act(withdraw_game)
    assert [one.status for one in letters_to(desk, ADA)] == ["withdrawn"]
    _, told = letters_to(desk, BO)
    assert "The GM has withdrawn tiny before it began" in plain(told)
    assert decode(told.document)["form"] is None


def test_everybody_who_had_to_do_with_it_is_told_once(desk: Desk) -> None:
    _announced(desk)
    goes_out(desk, *desk.letters("answer"))
    joins(desk, ADA, "Ada")
    apply(desk, DAN, name="Dan")  # asked, and not yet answered
    before = desk.letters()
    desk.act(withdraw_game)
    new = [one for one in desk.letters() if one not in before]
    assert [(one.kind, one.seat, one.to) for one in new] == [
        ("notice", "red", None),
        ("answer", "nobody", (DAN,)),
        ("answer", "nobody", (BO,)),
        ("answer", "nobody", (CLEO,)),
    ]
    assert "withdrawn" in plain(new[0])


def test_a_withdrawn_game_is_opened_again_with_all_who_had_joined(desk: Desk) -> None:
    _announced(desk, expires="10d")
    joins(desk, ADA, "Ada", luck="owls")
    desk.act(withdraw_game)
    desk.later(days=20)
    desk.act(announce_game, [DAN])
    assert desk.game().status is Status.OPEN
    assert desk.seating("red").player == "Ada"
    assert "The GM has opened tiny again" in plain(desk.letters("notice", "red")[-1])
    assert desk.act(expire_open_game) is False
    joins(desk, DAN, "Dan")
    assert desk.seating("blue").player == "Dan"


def test_its_seed_is_still_a_secret_then(desk: Desk) -> None:
    _announced(desk)
    desk.act(withdraw_game)
    seed = desk.game().seed.hex().encode()
    files = archive_of(desk, public=True)
    assert seed not in b"".join(files.values())
    assert seed in b"".join(archive_of(desk).values())  # the GM's own can be taken over elsewhere


def test_a_game_that_was_given_up_is_opened_again(desk: Desk) -> None:
    _announced(desk, expires="10d")
    desk.later(days=11)
    desk.act(expire_open_game)
    desk.act(announce_game, [DAN])
    assert desk.game().status is Status.OPEN


def test_what_can_be_said_of_a_withdrawn_game(post: Post) -> None:
    desk = post.desk
    desk.act(undo_start)
    desk.act(withdraw_game)
    said = post.answer(post.take(letter(post.form("play: owl", step="1-pick"))))
    assert "tiny was withdrawn by its GM before it began." in said["not_taken"][0]
    (status,) = post.answer(post.take(letter(post.form("ask: [status]", step="1-pick"))))["parts"]
    assert status["lines"] == ["The game was withdrawn by its GM before it began."]
    with pytest.raises(Refused, match="announce it to open it again"):
        desk.act(start_game)
    with pytest.raises(Refused, match="no step to go back to"):
        desk.act(roll_back, "1-pick", same_dice=False)


def test_a_game_that_has_begun_is_not_withdrawn_and_one_that_was_played_not_opened(
    desk: Desk,
) -> None:
    desk.new()
    with pytest.raises(Refused, match="it has begun"):
        desk.act(withdraw_game)
    while desk.close().next_step is not None:
        pass
    with pytest.raises(Refused, match="it is over"):
        desk.act(announce_game, [DAN])
