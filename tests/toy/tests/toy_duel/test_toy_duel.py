"""Toy Duel keeps what every game promises; beside it stand tests of what only this game has."""

from pathlib import Path

import pytest

import adjudicator.rules
from adjudicator.core.dice import Dice
from adjudicator.library.conform.game_under_test import Subject, find_subjects
from adjudicator.library.conform.run import CHECKS

ROOT = next(path for path in Path(__file__).resolve().parents if (path / "seeds").is_dir())
"""The checkout: the folder with rules, seeds, orders, templates and tests."""


@pytest.fixture(scope="module")
def subject() -> Subject:
    before = list(adjudicator.rules.__path__)
    try:
        kinds = {one.kind.kind: one for one in find_subjects(str(ROOT), games=6)}
        return kinds["toy-duel"]
    finally:
        adjudicator.rules.__path__[:] = before


@pytest.mark.parametrize("name", CHECKS)
def test_it_keeps_what_every_game_promises(name: str, subject: Subject) -> None:
    assert CHECKS[name](subject)


def test_nobody_scores_in_a_tie(subject: Subject) -> None:
    """TD-5."""
    rules = subject.rules
    document = {
        "options": {},
        "seats": ["red", "blue"],
        "hands": {"red": ["owl", "drake"], "blue": ["drake"]},
        "deck": [],
    }
    orders = {"red": {"play": "drake"}, "blue": {"play": "drake"}}
    after, events = rules.resolve(rules.load(document), orders, Dice(b"key", "1-pick"))
    assert [event.kind for event in events if event.rule == "TD-5"] == ["tied"]
    assert rules.score(after) == {"red": 0, "blue": 0}
