"""The rulebook and the scenarios cover each other."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.games.scenarios import find_scenario_files, read_scenario_file

WITHOUT_SCENARIO = {
    "JW-1": "numbers of players are the library's and the desk's business, not a position's",
    "JW-3": "how many counters lie in the box is no outcome of a step; the setup is tested apart",
    "JW-5": "a deal that is dealt again leaves no trace in a position; the setup is tested apart",
    "JW-21": "no special of this deck costs levels, so it never bites",
}
"""Rules that say nothing a step of a game could show, and why."""


@pytest.fixture(scope="module")
def rulebook() -> Mapping[str, str]:
    return FolderLibrary().kind("jump-wars").rulebook


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


def test_the_rulebook_is_read_whole(rulebook: Mapping[str, str]) -> None:
    numbers = list(rulebook)
    assert (numbers[0], numbers[-1]) == ("JW-1", "JW-63")
    assert len(numbers) == 57  # 38 to 45 and 48 are not used; 13 has a, b and c
