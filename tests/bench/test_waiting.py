"""Planning ahead halves how often a game stands still, and the letters of who wants few."""

import pytest

from tests.bench.waiting import Habits, measure

_BEFORE = {"jump-gate": 1.54, "jump-gate-2010": 1.44}
"""How often a game stood still in a turn before anything could be planned."""
_LETTERS = 1.2


def test_a_game_with_plans_stands_still_less_than_once_a_turn() -> None:
    tally = measure("jump-gate-2010", Habits(plans=1, interrupts="ask"), [1])
    assert tally.waits_a_turn < 0.9
    assert tally.unasked < _LETTERS
    assert tally.letters["receipt"] == tally.waits  # who plans is asked nothing else


@pytest.mark.soak
@pytest.mark.parametrize("interrupts", ["policy", "ask"])
@pytest.mark.parametrize("kind", list(_BEFORE))
def test_plans_for_one_turn_halve_what_a_game_waits_for(kind: str, interrupts: str) -> None:
    tally = measure(kind, Habits(plans=1, interrupts=interrupts), range(1, 13))
    assert tally.waits_a_turn <= _BEFORE[kind] / 2
    assert tally.unasked <= _LETTERS
