"""Votes and resignations: how a game ends before its rules end it (JW-63)."""

from collections.abc import Mapping
from typing import Any

import pytest

from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.core.document import decode
from adjudicator.desk.acts.end import end_game
from adjudicator.desk.acts.rollback import roll_back
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.values import Status
from adjudicator.desk.steps.handover import resign_seat
from adjudicator.desk.steps.record import check_chain, read_record
from adjudicator.desk.steps.replay import replay_game
from tests.desk.conftest import GAME, Desk
from tests.desk.mailing import Mail
from tests.desk.post import Post
from tests.desk.test_any_words import ADA
from tests.desk.wishing import text_of


def _over(desk: Desk) -> list[str] | None:
    if desk.game().status is not Status.OVER:
        return None
    last = desk.see(lambda books: books.steps(GAME))[-1]
    assert last.phase == "end"
    winners: list[str] = decode(last.state or b"")["over"]["winners"]
    return winners


def test_all_must_want_a_draw(desk: Desk) -> None:
    desk.new()
    desk.send("red", "vote: draw")
    desk.send("blue", "vote: draw")
    assert _over(desk) is None
    receipt = desk.send("green", "vote: Draw")
    assert receipt["wishes"] == ["Your vote is now: draw. This ends the game."]
    assert _over(desk) == []


def test_a_vote_says_how_many_have_voted_so(desk: Desk) -> None:
    desk.new()
    first, second, third = (
        desk.send(seat, f"vote: {vote}")["wishes"]
        for seat, vote in (("red", "draw"), ("blue", "concede"), ("red", "none"))
    )
    assert first == ["Your vote is now: draw. 1 of 3 players has voted for it."]
    assert second == ["Your vote is now: concede. 1 of 3 players has conceded."]
    assert third == ["Your vote is now: none."]
    assert desk.send("green", "vote: draw")["wishes"] == [
        "Your vote is now: draw. 1 of 2 players has voted for it."
    ]


def test_votes_of_others_are_not_counted_where_the_settings_hide_them(desk: Desk) -> None:
    desk.new(settings={"vote_count": False})
    desk.send("red", "vote: draw")
    assert desk.send("blue", "vote: draw")["wishes"] == ["Your vote is now: draw."]


@pytest.mark.parametrize(
    ("text", "headline"),
    [("vote: draw", "Your vote ends the game"), ("resign: yes", "You have resigned from green")],
)
def test_the_last_letter_has_no_form_and_no_deadline(desk: Desk, text: str, headline: str) -> None:
    desk.new(settings={"pace": "72h"})
    for seat in ("red", "blue"):
        desk.send(seat, "vote: draw")
    receipt = desk.send("green", text)
    assert receipt["headline"] == headline
    assert (receipt["form"], receipt["deadline"], receipt["foretold"]) == (None, None, [])
    assert (receipt["missing"], receipt["standing"]["due"]) == ([], False)
    letter = text_of(desk.letters("receipt", "green")[-1])
    assert "\n\n\n" not in letter
    for word in ("Deadline", "game: tiny", "NOT IN", "NOTHING"):
        assert word not in letter


def test_a_vote_holds_over_steps_until_it_is_changed(desk: Desk) -> None:
    desk.new()
    desk.send("red", "vote: draw")
    desk.send("blue", "vote: draw")
    desk.close()
    desk.send("red", "vote: none")
    desk.send("green", "vote: draw")
    assert _over(desk) is None
    desk.send("red", "vote: draw")
    assert _over(desk) == []


def test_who_conceded_is_not_asked_for_a_draw(desk: Desk) -> None:
    desk.new()
    desk.send("red", "vote: concede")
    desk.send("blue", "vote: draw")
    desk.send("green", "vote: draw")
    assert _over(desk) == []


def test_the_last_who_has_not_conceded_wins(desk: Desk) -> None:
    desk.new()
    desk.send("red", "vote: concede")
    assert _over(desk) is None
    desk.send("green", "vote: concede")
    assert _over(desk) == ["blue"]


def test_a_bot_is_not_asked_for_a_draw_but_may_win(desk: Desk) -> None:
    desk.new(seats={"red": "Ada", "blue": "bot"})
    desk.send("red", "vote: concede")
    assert _over(desk) == ["blue"]


def test_one_player_among_bots_may_stop(desk: Desk) -> None:
    desk.new(seats={"red": "Ada", "blue": "bot", "green": "bot"})
    desk.send("red", "vote: draw")
    assert _over(desk) == []


def test_the_end_is_a_step_and_a_link_of_its_own(desk: Desk) -> None:
    desk.new()
    for seat in ("red", "blue"):
        desk.send(seat, "vote: concede")
    link = desk.see(lambda books: books.links(GAME))[-1]
    assert (link.kind, link.step, link.after) == ("end", "2-end", "0-setup")
    steps = {s.name: s.void for s in desk.see(lambda books: books.steps(GAME))}
    assert steps == {"0-setup": False, "1-pick": True, "2-end": False}
    report = decode(desk.letters("report", "red")[-1].document)
    assert report["step"] == "2-end"
    assert report["over"]["winners"] == ["green"]
    assert [one["headline"] for one in desk.told("red")] == [
        "Who plays",
        "How the game ended",
        "How to check the draws",
    ]
    record = desk.see(lambda books: read_record(books, GAME))
    assert check_chain(record) == ()
    assert replay_game(record, desk.library.kind("toy-duel")) == ()


def test_an_end_can_be_taken_back(desk: Desk) -> None:
    desk.new()
    desk.act(end_game, winners=["red"], reason="so it was agreed")
    desk.act(roll_back, "2-end", same_dice=False)
    assert desk.step().name == "3-pick"
    assert desk.game().status is Status.RUNNING


def test_the_gm_ends_a_game_with_a_reason(desk: Desk) -> None:
    desk.new()
    with pytest.raises(Refused, match="reason"):
        desk.act(end_game, winners=[], reason=" ")
    with pytest.raises(Refused, match="pink"):
        desk.act(end_game, winners=["pink"], reason="so it was agreed")
    desk.act(end_game, winners=["green", "red"], reason="so it was agreed")
    assert _over(desk) == ["red", "green"]


def test_a_resigned_seat_stands_idle_and_its_player_is_told(desk: Desk) -> None:
    desk.new()
    receipt = desk.send("red", "resign: yes")
    assert receipt["wishes"] == ["Your resignation from red is recorded. Thank you for playing."]
    assert desk.seating("red").kind == "idle"
    told = desk.told("red")[-1]
    assert told["headline"] == "You no longer play red"
    assert "you resigned" in told["lines"][0]
    assert _over(desk) is None


def test_a_seat_can_be_resigned_once(desk: Desk) -> None:
    desk.new()
    desk.act(resign_seat, "red", by="gm")
    with pytest.raises(Refused, match="nobody plays red"):
        desk.act(resign_seat, "red", by="gm")


def test_when_all_have_resigned_the_game_is_drawn(desk: Desk) -> None:
    desk.new()
    for seat in ("red", "blue"):
        desk.send(seat, "resign: yes")
    assert _over(desk) is None
    desk.send("green", "resign: yes")
    assert _over(desk) == []


def test_a_resigned_seat_has_not_conceded(desk: Desk) -> None:
    desk.new(settings={"nmr": "bot"})
    desk.send("red", "resign: yes")
    assert desk.seating("red").kind == "bot"
    desk.send("blue", "vote: concede")
    assert _over(desk) is None


def _alone(desk: Desk) -> Mail:
    post = Post(Desk(desk.store, FolderLibrary()))
    post.desk.new(kind="jump-wars", seats={"red": "Ada", "blue": "bot", "green": "bot"})
    post.address("Ada", ADA)
    return Mail(post)


def _reply(mail: Mail, text: str) -> Mapping[str, Any]:
    receipt: Mapping[str, Any] = mail.post.answer(mail.write(ADA, text, mail.last(ADA)))
    return receipt


@pytest.mark.parametrize("text", ["vote: draw", "I vote for a draw.", "build: max\nvote: draw"])
def test_the_only_person_is_asked_before_a_vote_ends_the_game(desk: Desk, text: str) -> None:
    mail = _alone(desk)
    receipt = _reply(mail, text)
    assert receipt["asked"]["question"] == (
        "`vote: draw` ends the game at once, as nobody else who plays here is asked. Is that what "
        "you want? Reply *yes*."
    )
    assert _over(mail.desk) is None
    assert mail.desk.step().name == "1-plan"  # orders in the same letter wait, too
    assert _reply(mail, "yes")["headline"] == "Your vote ends the game"
    assert _over(mail.desk) == []


def test_orders_that_follow_such_a_question_play_on(desk: Desk) -> None:
    mail = _alone(desk)
    _reply(mail, "vote: draw")
    assert _reply(mail, "build: max")["outcome"] == "taken"
    assert _over(mail.desk) is None
    assert mail.desk.see(lambda books: books.seatings(GAME))[0].vote == "none"


def test_beside_a_question_about_orders_such_a_vote_is_left_out(desk: Desk) -> None:
    mail = _alone(desk)
    receipt = _reply(mail, "biuld: max\nvote: draw")
    assert "Did you mean `build: max`" in receipt["asked"]["question"]
    assert (
        "`vote: draw` would end the game at once, so it was left out: send it in a letter of its "
        "own."
    ) in receipt["ignored"]
    assert _reply(mail, "yes")["outcome"] == "taken"
    assert _over(mail.desk) is None


def test_a_yes_to_another_question_ends_no_game(desk: Desk) -> None:
    mail = _alone(desk)
    _reply(mail, "biuld: max")
    receipt = _reply(mail, "yes\nvote: draw")
    assert "`vote: draw` ends the game at once" in receipt["asked"]["question"]
    assert _over(mail.desk) is None
    assert _reply(mail, "yes")["headline"] == "Your vote ends the game"
