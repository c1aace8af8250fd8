"""Orders told back: short forms that mean the same, words that count."""

from typing import Any

import pytest

from adjudicator.core.forms.order_form import compile_form, read_form
from adjudicator.core.forms.orders_as_text import describe_entry, spell_orders
from adjudicator.core.forms.reading import Text

JUMP: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "x-short": r"(?P<from>[a-z]\d+)-(?P<to>[a-z]\d+)(?: x?(?P<fleets>\d+|all))?",
    "x-brief": ["{from}-{to} all", "{from}-{to} x{fleets}"],
    "x-wording": "{fleets:fleet} from {from} to {to}",
    "properties": {
        "from": {"type": "string", "x-case": "upper"},
        "to": {"type": "string", "x-case": "upper"},
        "fleets": {"type": ["integer", "string"]},
    },
}
FORM = compile_form(
    "jump",
    {
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "jump": {"type": "array", "items": JUMP},
            "fight": {
                "type": "object",
                "properties": {"targets": {"type": "array", "items": {"type": "string"}}},
            },
            "espionage": {"type": "object", "properties": {"cancel": {}, "rewrite": JUMP}},
            "quiet": {"type": "boolean"},
        },
    },
)


@pytest.mark.parametrize(
    ("fleets", "short", "words"),
    [
        (1, "C4-D5 x1", "1 fleet from C4 to D5"),
        (3, "C4-D5 x3", "3 fleets from C4 to D5"),
        ("all", "C4-D5 all", "all fleets from C4 to D5"),
    ],
)
def test_a_short_form_is_read_back_as_the_same(fleets: object, short: str, words: str) -> None:
    orders = {"jump": [{"fleets": fleets, "from": "C4", "to": "D5"}]}
    assert spell_orders(FORM, orders) == {"jump": [short]}
    assert describe_entry(FORM, ("jump", 0), orders["jump"][0]) == words
    assert read_form(FORM, Text(value=spell_orders(FORM, orders)), {}).orders == orders


@pytest.mark.parametrize("fleets", [{"a": "1"}, ["1", "2"], None])
def test_what_cannot_be_counted_is_told_key_by_key(fleets: object) -> None:
    words = describe_entry(FORM, ("jump", 0), {"from": "C4", "to": "D5", "fleets": fleets})
    assert words.startswith("from C4, to D5, fleets ")


def test_what_has_no_short_form_stays_as_it_is() -> None:
    orders = {"jump": [{"from": "C4", "to": "nowhere", "fleets": 1}, {"from": "C4"}]}
    assert spell_orders(FORM, orders) == orders
    assert describe_entry(FORM, ("jump", 1), {"from": "C4"}) == "from C4"


def test_keys_stand_in_the_order_of_the_form() -> None:
    orders = {"quiet": True, "fight": {"targets": ["blue"]}, "jump": []}
    assert list(spell_orders(FORM, orders)) == ["jump", "fight", "quiet"]


def test_a_block_is_told_key_by_key() -> None:
    espionage = {"cancel": 2, "rewrite": {"from": "C4", "to": "D5", "fleets": 2}}
    assert spell_orders(FORM, {"espionage": espionage}) == {
        "espionage": {"cancel": 2, "rewrite": "C4-D5 x2"}
    }
    told = describe_entry(FORM, ("espionage",), espionage)
    assert told == "cancel 2, rewrite 2 fleets from C4 to D5"
    assert describe_entry(FORM, ("quiet",), False) == "no"
    assert describe_entry(FORM, ("fight", "targets"), ["blue", "green"]) == "blue, green"
    assert describe_entry(FORM, ("nowhere",), {"rt": 5, "give": {"a": 1, "b": []}}) == (
        "rt 5, give (a 1, b nothing)"
    )


ACTIONS = compile_form(
    "turn",
    {
        "type": "object",
        "properties": {
            "actions": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {"do": {"type": "string"}},
                    "allOf": [
                        {
                            "if": {"properties": {"do": {"const": "jump"}}, "required": ["do"]},
                            "then": {
                                "x-wording": ["jump to {to}", ", discarding {cards:and}"],
                                "properties": {"to": {}, "cards": {}, "odd": {}},
                            },
                        },
                        {
                            "if": {"properties": {"do": {"const": "take"}}, "required": ["do"]},
                            "then": {"x-wording": ["take {what:else}"], "properties": {"what": {}}},
                        },
                        {
                            "if": {"properties": {"do": {"const": "mark"}}, "required": ["do"]},
                            "then": {"x-wording": "mark of {of[whose]}", "properties": {"of": {}}},
                        },
                    ],
                },
            }
        },
    },
)


@pytest.mark.parametrize(
    ("action", "words"),
    [
        ({"do": "jump", "to": "anno"}, "jump to anno"),
        (
            {"do": "jump", "to": "anno", "cards": ["n02", "n10"]},
            "jump to anno, discarding n02 and n10",
        ),
        ({"do": "jump", "to": "anno", "cards": []}, "jump to anno, discarding nothing"),
        ({"do": "take", "what": ["fame", "water"]}, "take fame, else water"),
        ({"do": "jump", "to": "anno", "odd": 3}, "do jump, to anno, odd 3"),  # nothing is left out
        ({"do": "take"}, "do take"),
        # refused orders are told as they were written
        ({"do": "take", "what": "fame"}, "take fame"),
        ({"do": "take", "what": {"a": "1"}}, "do take, what a 1"),
        ({"do": "take", "what": [{"a": "1"}]}, "do take, what a 1"),
        ({"do": "jump", "to": None}, "do jump, to nothing"),
        ({"do": "mark", "of": "auto"}, "do mark, of auto"),
        ({"do": "mark", "of": ["a", "b"]}, "do mark, of a, b"),
        ({"do": "mark", "of": {"whose": "red"}}, "mark of red"),
    ],
)
def test_an_action_is_told_in_the_parts_that_it_has(action: dict[str, Any], words: str) -> None:
    assert describe_entry(ACTIONS, ("actions", 0), action) == words
