"""The rulebook of both editions and the scenarios cover each other."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from adjudicator.adapters.library import FolderLibrary
from adjudicator.adapters.scenarios import files, read_file

KINDS = ("jump-gate", "jump-gate-2010")
PARTS = ("JG", "JGA", "JGB")
"""The rules of both editions, of the 2010 edition, of the second."""

WITHOUT_SCENARIO = {
    "JGA-2": "how many cards there are and how they are dealt; the setup is tested apart",
    "JGB-2": "how many cards lie where at the beginning is dealt; the setup is tested apart",
}
"""Rules that say nothing a step of a game could show, and why."""


@pytest.fixture(scope="module", params=KINDS)
def rulebook(request: pytest.FixtureRequest) -> Mapping[str, str]:
    return FolderLibrary().kind(str(request.param)).rulebook


@pytest.fixture(scope="module")
def cited() -> Mapping[str, str]:
    """Every number that is cited, and a scenario that does."""
    folder = Path(__file__).parent / "scenarios"
    return {rule: path.name for path in files([folder]) for rule in read_file(path).rules}


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
    common, first, second = ([n for n in numbers if n.startswith(f"{part}-")] for part in PARTS)
    assert (common[0], common[-1], len(common)) == ("JG-1", "JG-16", 17)  # 6 has 6a
    assert (first[0], first[-1], len(first)) == ("JGA-1", "JGA-15", 15)
    assert (second[0], second[-1], len(second)) == ("JGB-1", "JGB-11", 11)
    assert numbers == [*common, *first, *second]
