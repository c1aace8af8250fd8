"""Positions of Jump Drive that are written by hand: scenarios and rulings."""

from collections.abc import Mapping
from typing import Any

import pytest

from adjudicator.core.dice import Dice
from adjudicator.core.document import Impossible
from adjudicator.rules.jump_drive.position.state import State
from tests.games.jump_drive.play import KIND, RULES

SEATS = ["red", "blue"]


def loaded(given: Mapping[str, Any]) -> State:
    document = {**given, "options": KIND.options({}, SEATS), "seats": SEATS}
    state: State = RULES.load(document, Dice(b"key", "given"))
    return state


def test_who_has_a_survey_team_has_taken_one() -> None:
    """JD-9: a ruling that puts one into an empire need not say so twice."""
    state = loaded({"empires": {"red": ["survey-team"]}, "surveyed": ["blue"]})
    assert state.table.surveyed == ("red", "blue")
    view = RULES.view(state, "red")
    assert [f.rule for f in RULES.check(view, "red", {"development": "survey-team"})] == ["JD-9"]


def test_a_card_too_many_is_told_with_the_way_out() -> None:
    with pytest.raises(Impossible, match=r"empires.red: .*; to move one, take it away"):
        loaded({"empires": {"red": ["drop-ships"] * 3}})
