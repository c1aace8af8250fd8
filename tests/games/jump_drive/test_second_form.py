"""The form of the step second: what is said of it, and where (JD-21)."""

from collections.abc import Mapping
from typing import Any

import pytest

from adjudicator.core.dice import Dice
from tests.games.jump_drive.play import KIND, RULES

SEATS = ["red", "blue"]
GIVEN = {
    "step": "second",
    "hands": {"red": ["comet-zone", "warrior-race"]},
    "empires": {"red": ["colony-convoy", "gem-world"]},
    "placed": {"red": {"world": "gem-world"}},
    "asked": ["red"],
}


@pytest.mark.parametrize(
    ("form", "rule", "path"),
    [
        ({"world": "new-earth", "by": "colony-convoy"}, "JD-10", ("world",)),
        ({"world": "comet-zone", "by": "military-convoy"}, "JD-21", ("by",)),
        ({"world": "comet-zone", "by": "colony-convoy", "pay": []}, "JD-6", ("pay",)),
        ({"world": "comet-zone", "by": "colony-convoy", "pass": True}, "JD-4a", ("pass",)),
    ],
)
def test_a_fault_names_its_line(form: Mapping[str, Any], rule: str, path: tuple[str]) -> None:
    document = {**GIVEN, "options": KIND.options({}, SEATS), "seats": SEATS}
    view = RULES.view(RULES.load(document, Dice(b"key", "given")), "red")
    found = RULES.check(view, "red", form)
    assert [(finding.rule, finding.path) for finding in found] == [(rule, path)]


def test_not_to_pass_and_to_place_a_world_is_no_contradiction() -> None:
    document = {**GIVEN, "options": KIND.options({}, SEATS), "seats": SEATS}
    view = RULES.view(RULES.load(document, Dice(b"key", "given")), "red")
    form = {"world": "comet-zone", "by": "colony-convoy", "pass": False}
    assert RULES.check(view, "red", form) == ()
