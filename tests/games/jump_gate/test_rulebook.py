"""The rulebook of both editions is read whole; `conform` compares it with the scenarios."""

import pytest

from adjudicator.adapters.games.library import FolderLibrary

PARTS = {"jump-gate": "JGB", "jump-gate-2010": "JGA"}
"""The rules of one edition; those of both are JG."""


def _rules(kind: str) -> list[str]:
    return list(FolderLibrary().kind(kind).rulebook)


@pytest.mark.parametrize(
    ("kind", "last", "own"), [("jump-gate", "11", 11), ("jump-gate-2010", "15", 15)]
)
def test_an_edition_has_the_rules_of_both_and_its_own(kind: str, last: str, own: int) -> None:
    numbers = _rules(kind)
    part = PARTS[kind]
    assert (numbers[0], numbers[16], numbers[17]) == ("JG-1", "JG-16", f"{part}-1")  # 6 has 6a
    assert (numbers[-1], len(numbers)) == (f"{part}-{last}", 17 + own)
