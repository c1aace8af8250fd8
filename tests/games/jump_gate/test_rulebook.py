"""The rulebook of both editions and the scenarios cover each other."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.games.scenarios import find_scenario_files, read_scenario_file

PARTS = {"jump-gate": "JGB", "jump-gate-2010": "JGA"}
"""The rules of one edition; those of both are JG."""

WITHOUT_SCENARIO = {
    "JGA-2": "how many cards there are and how they are dealt; the setup is tested apart",
    "JGB-2": "how many cards lie where at the beginning is dealt; the setup is tested apart",
}
"""Rules that say nothing a step of a game could show, and why."""


def _rules(kind: str) -> list[str]:
    return list(FolderLibrary().kind(kind).rulebook)


@pytest.fixture(scope="module")
def rulebook() -> Mapping[str, str]:
    """What either edition's players can read."""
    both = [FolderLibrary().kind(kind).rulebook for kind in reversed(PARTS)]
    return {number: text for one in both for number, text in one.items()}


@pytest.fixture(scope="module")
def cited() -> Mapping[str, str]:
    """Every number that is cited, and a scenario that does."""
    folder = Path(__file__).parent / "scenarios"
    return {
        rule: path.name
        for path in find_scenario_files([folder])
        for rule in read_scenario_file(path).rules
    }


def test_every_rule_that_says_something_testable_has_a_scenario(
    rulebook: Mapping[str, str], cited: Mapping[str, str]
) -> None:
    assert [rule for rule in rulebook if rule not in cited] == list(WITHOUT_SCENARIO)


def test_every_number_cited_stands_in_the_rulebook(
    rulebook: Mapping[str, str], cited: Mapping[str, str]
) -> None:
    assert {rule: name for rule, name in cited.items() if rule not in rulebook} == {}


@pytest.mark.parametrize(
    ("kind", "last", "own"), [("jump-gate", "11", 11), ("jump-gate-2010", "15", 15)]
)
def test_an_edition_has_the_rules_of_both_and_its_own(kind: str, last: str, own: int) -> None:
    numbers = _rules(kind)
    part = PARTS[kind]
    assert (numbers[0], numbers[16], numbers[17]) == ("JG-1", "JG-16", f"{part}-1")  # 6 has 6a
    assert (numbers[-1], len(numbers)) == (f"{part}-{last}", 17 + own)
