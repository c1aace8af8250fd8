"""Rules are looked up by number or by a word, and forms beside those of a game."""

from typing import Any

import pytest


@pytest.mark.parametrize(
    "words", [["JW-30"], ["jw-30"], ["jump-wars", "30"], ["jump-wars", "JW-30"]]
)
def test_a_rule_is_found_by_its_number(gm: Any, words: list[str]) -> None:
    assert list(gm.json("rules", *words)) == ["JW-30"]


def test_rules_are_found_by_a_word(gm: Any) -> None:
    book = gm.json("rules", "jump-wars")
    found = gm.json("rules", "jump-wars", "Homeworld")
    assert list(found) == [number for number, text in book.items() if "homeworld" in text.lower()]
    assert 1 < len(found) < len(book)
    both = gm.json("rules", "jump-wars", "homeworld", "JW-1")
    assert set(both) == {*found, "JW-1"}


def test_what_is_in_no_rule_is_said_so(gm: Any) -> None:
    assert "none contains it" in gm.refused("rules", "jump-wars", "zeppelin")
    assert "kinds are" in gm.refused("rules", "zeppelin")


def test_the_format_of_scenarios_is_explained(gm: Any) -> None:
    keys = {key["key"] for key in gm.json("form", "scenario")["keys"]}
    assert {"scenario", "title", "rules", "game", "seats", "given", "orders", "expect"} <= keys
    assert "expect.refused" in keys
    assert "--dump" in gm("form", "scenario").stdout
