"""Rulings: the GM changes the position, and the chain says so."""

from typing import Any

import pytest

from adjudicator.core.document import decode
from adjudicator.desk.acts.edit import edit_position, open_position
from adjudicator.desk.acts.rollback import roll_back
from adjudicator.desk.model.context import Context
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.values import Status, Step
from adjudicator.desk.questions.screens import show_game
from adjudicator.desk.steps.record import check_chain, read_record
from adjudicator.desk.steps.replay import replay_game
from tests.desk.conftest import GAME, Desk
from tests.desk.wishing import wish


def _position(desk: Desk, **changes: Any) -> dict[str, Any]:
    found = desk.see(lambda books: open_position(Context(books, desk.library, GAME)))
    return {**found, **changes}


def _holds(desk: Desk) -> bool:
    record = desk.see(lambda books: read_record(books, GAME))
    return not check_chain(record) and not replay_game(record, desk.library.kind("toy-duel"))


def test_the_open_step_keeps_its_name_and_orders(desk: Desk) -> None:
    desk.new()
    desk.send("red", "play: owl")
    points = {"red": 3, "blue": 0, "green": 0}
    done = desk.act(edit_position, _position(desk, scores=points), reason="a point was  lost")
    assert (done.step.name, done.step.reason) == ("2-ruling", "a point was lost")
    step = desk.step()
    assert (step.name, step.predecessor) == ("1-pick", 2)
    assert desk.state()["scores"]["red"] == 3
    assert desk.send("red", "game: tiny")["set"]["receipt"] == 1
    assert desk.close().next_step.name == "3-pick"  # type: ignore[union-attr] # the game goes on
    links = desk.see(lambda books: books.links(GAME))
    assert [(link.kind, link.step, link.after) for link in links] == [
        ("setup", "0-setup", None),
        ("ruling", "2-ruling", "0-setup"),
        ("step", "1-pick", "2-ruling"),
    ]
    assert _holds(desk)


def test_the_last_position_is_that_of_the_step_that_went_on_behind_a_ruling(desk: Desk) -> None:
    desk.new()
    opened: Step | None = desk.step()
    while opened is not None:
        last = opened
        desk.act(
            edit_position, _position(desk, scores={"red": last.number}), reason="a point was lost"
        )
        desk.play()
        opened = desk.close().next_step
    known = desk.see(lambda books: show_game(books, desk.library, GAME, reveal=True))
    written = desk.see(lambda books: books.step(GAME, last.number)).state
    assert known["state"] == decode(written or b"")
    wish(desk, "red", "ask", "status")
    assert desk.letters("answer")[-1].step == last.number


def test_players_are_told_the_reason_and_get_no_new_report(desk: Desk) -> None:
    desk.new()
    points = {"red": 3, "blue": 0, "green": 0}
    desk.act(edit_position, _position(desk, scores=points), reason="a point was lost")
    assert [(x.kind, x.seat) for x in desk.made] == [
        ("notice", "red"),
        ("notice", "blue"),
        ("notice", "green"),
    ]
    assert "a point was lost" in decode(desk.made[0].document)["lines"][0]
    assert len(desk.letters("report")) == 3


def test_players_are_told_what_everybody_may_see_of_it_and_nothing_else(desk: Desk) -> None:
    desk.new()
    before = _position(desk)
    hands = {**before["hands"], "blue": before["hands"]["blue"][1:]}
    points = {"red": 3, "blue": 0, "green": 0}
    desk.act(edit_position, {**before, "scores": points, "hands": hands}, reason="a slip")
    lines = decode(desk.made[0].document)["lines"]
    assert lines[1:3] == ["Public changes:", "- scores red: 3 (before: 0)"]
    assert len(lines) == 4
    hidden = before["hands"]["blue"][0]
    assert not [one for one in lines if hidden in one]


def test_of_a_ruling_on_what_is_hidden_they_are_told_that_it_is_hidden(desk: Desk) -> None:
    desk.new()
    before = _position(desk)
    own = before["hands"]
    hands = {**own, "red": own["blue"], "blue": own["red"]}
    desk.act(edit_position, {**before, "hands": hands}, reason="a slip")
    lines = decode(desk.made[0].document)["lines"]
    assert lines[1] == "Nothing public has changed."


def test_a_ruling_may_lead_to_another_step(desk: Desk) -> None:
    desk.new()
    desk.send("red", "play: owl")
    done = desk.act(
        edit_position, _position(desk, step="prize", scorer="red"), reason="red had scored"
    )
    assert done.next_step is not None
    assert (done.next_step.name, done.next_step.predecessor) == ("3-prize", 2)
    assert desk.see(lambda books: books.step(GAME, 1)).void
    desk.close()
    assert _holds(desk)


def test_a_ruling_may_end_the_game(desk: Desk) -> None:
    desk.new()
    done = desk.act(
        edit_position, _position(desk, over={"winners": ["blue"]}), reason="red gave up"
    )
    assert done.game.status is Status.OVER
    assert desk.game().open_step is None
    assert {x.kind for x in desk.made if x.seat != "gm"} == {"report"}
    assert decode(desk.made[0].document)["over"]["winners"] == ["blue"]
    assert _holds(desk)


def test_a_ruling_can_be_taken_back(desk: Desk) -> None:
    desk.new()
    desk.act(
        edit_position, _position(desk, scores={"red": 3, "blue": 0, "green": 0}), reason="a mistake"
    )
    desk.act(roll_back, "2-ruling", same_dice=False)
    assert (desk.step().name, desk.step().predecessor) == ("3-pick", 0)
    assert desk.state()["scores"]["red"] == 0
    desk.close()
    assert _holds(desk)


def test_a_step_after_a_ruling_can_be_taken_back_without_it(desk: Desk) -> None:
    desk.new()
    desk.act(
        edit_position, _position(desk, scores={"red": 3, "blue": 0, "green": 0}), reason="a mistake"
    )
    desk.send("red", "play: owl")
    desk.close()
    desk.act(roll_back, "1-pick", same_dice=False)
    assert (desk.step().name, desk.step().predecessor) == ("4-pick", 2)
    assert desk.send("red", "game: tiny")["form"]["orders"] == {"play": "owl"}
    assert desk.state()["scores"]["red"] == 3


@pytest.mark.parametrize(
    ("changes", "reason", "told"),
    [
        ({}, "why not", "nothing is changed"),
        ({"round": 2}, "  ", "needs its reason"),
        ({"deck": ["unicorn"]}, "more fun", r"deck\[1\]: unicorn is no card"),
        ({"round": "two"}, "more fun", "round"),
    ],
)
def test_what_cannot_be_ruled(desk: Desk, changes: dict[str, Any], reason: str, told: str) -> None:
    desk.new()
    with pytest.raises(Refused, match=told):
        desk.act(edit_position, _position(desk, **changes), reason=reason)
    assert desk.step().name == "1-pick"
    assert len(desk.see(lambda books: books.links(GAME))) == 1


def test_the_seats_are_not_the_gms_to_change(desk: Desk) -> None:
    desk.new()
    given = _position(desk, round=2, seats=["red", "blue"])
    with pytest.raises(Refused, match="cannot change the seats"):
        desk.act(edit_position, given, reason="green is gone")


def test_a_ruling_does_not_hide_the_orders_from_before_a_rollback(desk: Desk) -> None:
    desk.new()
    desk.send("red", "play: owl")
    desk.close()
    desk.act(roll_back, "1-pick", same_dice=False)
    desk.act(
        edit_position, _position(desk, scores={"red": 3, "blue": 0, "green": 0}), reason="a mistake"
    )
    form = desk.send("red", "game: tiny")["form"]
    assert (form["orders"], form["prefill"]) == ({"play": "owl"}, True)
