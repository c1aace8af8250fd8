"""How a scenario's expectations are compared with what came out."""

from typing import Any

import pytest

from adjudicator.core.scenario.comparison import (
    add_unnamed,
    find_missing_in_order,
    list_differences,
)


@pytest.mark.parametrize(
    ("expected", "actual"),
    [
        ({"Nova Bombs": 1}, {"nova-bombs": 1, "other": 2}),
        ({"a": "Old_Empire"}, {"a": "old empire"}),
        ({"a": None}, {}),
        ({"a": None, "b": None, "c": None, "d": None}, {"a": 0, "b": [], "c": {}, "d": None}),
        ({"a": {"b": None}}, {}),
        ({"hands": None, "tokens": None}, {"hands": {"red": []}, "tokens": {"red": 0}}),
        ({"a": 0, "b": [], "c": {}, "d": {"e": 0}}, {"d": {}}),
        ({"a": [1, {"b": 2}]}, {"a": [1, {"b": 2, "c": 3}]}),
        (
            {"hands": {"red": ["jump", "Attack", "attack"]}},
            {"hands": {"red": ["attack", "attack", "jump"]}},
        ),
        ({"Face Up": {"red": {"row": [3, 1, 2]}}}, {"face_up": {"red": {"row": [1, 2, 3]}}}),
        ({"hidden": [{"a": 1}, {"b": 2}]}, {"hidden": [{"b": 2, "a": 1}, {"a": 1}]}),
        ({"flag": True}, {"flag": True}),
    ],
)
def test_what_matches(expected: Any, actual: Any) -> None:
    assert list_differences(expected, actual) == []


@pytest.mark.parametrize(
    ("expected", "actual", "line"),
    [
        ({"a": 1}, {}, "a: expected 1, got nothing"),
        ({"a": {"b": 0}}, {}, "a.b: expected 0, got nothing"),
        ({"over": {"winners": []}}, {}, "over.winners: expected [], got nothing"),
        ({"Over": None}, {"over": {"winners": []}}, "Over: expected nothing, got {winners: []}"),
        ({"a": {"b": 1}}, {}, "a.b: expected 1, got nothing"),
        ({"a": 1}, {"a": True}, "a: expected 1, got true"),
        ({"a": "1"}, {"a": 1}, "a: expected 1, got 1"),
        ({"a": None}, {"a": {"b": 1}}, "a: expected nothing, got {b: 1}"),
        ({"a": [1, 2]}, {"a": [2, 1]}, "a[1]: expected 1, got 2"),
        ({"a": [1]}, {"a": [1, 1]}, "a: expected [1], got [1, 1]"),
        ({"a": [1]}, {"a": {"b": 1}}, "a: expected [1], got {b: 1}"),
        ({"a": {"b": 1}}, {"a": [1]}, "a: expected {b: 1}, got [1]"),
        (
            {"deck": [1, 2, 3, 4]},
            {"deck": [4, 3, 2, 1]},
            "deck: expected [1, 2, 3, 4], got [4, 3, 2, 1]",
        ),
        (
            {"hands": {"red": ["jump"]}},
            {"hands": {"red": ["jump", "jump"]}},
            "hands.red: [jump] was not expected",
        ),
        (
            {"hands": {"red": ["jump", "jump"]}},
            {"hands": {"red": ["jump"]}},
            "hands.red: [jump] is missing",
        ),
        ({"discard": []}, {"discard": ["jump"]}, "discard: [jump] was not expected"),
        (
            {"hidden": [{"a": 1}, {"a": 1}]},
            {"hidden": [{"a": 1}, {"b": 1}]},
            "hidden: [{a: 1}] is missing and [{b: 1}] was not expected",
        ),
    ],
)
def test_what_does_not_match_and_how_it_is_told(expected: Any, actual: Any, line: str) -> None:
    assert list_differences(expected, actual)[0] == line


def test_what_a_document_leaves_out_can_be_asked_for_by_its_default() -> None:
    document = {"levels": {"red": {"attack": 2}}, "map": {"A1": {"home": "red"}}}
    asked = {
        "Levels": {"Red": {"attack": 1, "jump": 1, "trade": None}, "blue": {"jump": 1}, "x": None},
        "map": {"A1": {"home": "red"}, "B2": "void", "C3": {"home": "blue"}, "D4": "nebula"},
    }
    full = add_unnamed(document, asked, {"levels": 1, "map": "void"})
    assert list_differences(asked, full) == [
        "Levels.Red.attack: expected 1, got 2",
        "map.C3.home: expected blue, got void",
        "map.D4: expected nebula, got void",
    ]
    assert document == {"levels": {"red": {"attack": 2}}, "map": {"A1": {"home": "red"}}}


def test_a_multiset_finds_its_partners_whatever_the_order() -> None:
    """The first of the expected fits both, so it must not take the only partner of the second."""
    expected = {"hands": [{"a": 1}, {"a": 1, "b": 2}]}
    assert list_differences(expected, {"hands": [{"a": 1, "b": 2}, {"a": 1}]}) == []


def test_the_first_value_out_of_order_is_found() -> None:
    assert find_missing_in_order([1, 3], [1, 2, 3]) is None
    assert find_missing_in_order([3, 1], [1, 2, 3]) == 1
    assert find_missing_in_order([1, 1], [1, 2]) == 1
    assert find_missing_in_order([], []) is None
