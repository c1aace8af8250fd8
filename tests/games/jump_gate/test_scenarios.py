"""Every scenario of Jump Gate, both editions, comes out as the rulebook says."""

import re
from collections import Counter
from pathlib import Path

import pytest

from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.games.scenarios import (
    find_scenario_files,
    make_scenario_tools,
    read_scenario_file,
)
from adjudicator.core.document import Impossible
from adjudicator.core.scenario.parser import Scenario
from adjudicator.core.scenario.runner import ScenarioVerdict, run_scenario

FOLDER = Path(__file__).parent / "scenarios"
PATHS = find_scenario_files([FOLDER])

EDITIONS = {"JGA": {"jump-gate-2010"}, "JGB": {"jump-gate"}, "JG": {"jump-gate", "jump-gate-2010"}}
"""Whose rules they are: JGA of the 2010 edition, JGB of the second, JG of both."""


@pytest.fixture(scope="module")
def library() -> FolderLibrary:
    return FolderLibrary()


def _named(path: Path) -> Scenario:
    try:
        return read_scenario_file(path)
    except Impossible as fault:
        raise AssertionError(f"{path.name}: {fault}") from fault


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_scenario(path: Path, library: FolderLibrary) -> None:
    scenario = _named(path)
    outcome = run_scenario(scenario, make_scenario_tools(library.kind(scenario.kind)))
    told = "\n".join((*outcome.lines, *outcome.notes))
    assert outcome.verdict is ScenarioVerdict.OK, f"{path.name}: {outcome.verdict}\n{told}"


def test_there_are_at_least_120_and_neither_edition_is_neglected() -> None:
    kinds = Counter(_named(path).kind for path in PATHS)
    assert sorted(kinds) == ["jump-gate", "jump-gate-2010"]
    assert kinds.total() >= 120
    assert min(kinds.values()) >= 60


def test_files_are_named_after_their_scenario_and_its_rule() -> None:
    for path in PATHS:
        scenario = _named(path)
        assert scenario.id == path.stem
        assert scenario.title
        shown = re.match(r"(jg[ab]?)-0*(\d+a?)-", scenario.id)
        assert shown, f"{path.name} does not begin with a rule, as jg-05-… does"
        rule = f"{shown[1].upper()}-{shown[2]}"
        assert rule in scenario.rules, f"{path.name} does not cite {rule}"


def test_a_rule_of_one_edition_is_shown_in_that_edition() -> None:
    for path in PATHS:
        scenario = _named(path)
        for rule in scenario.rules:
            assert scenario.kind in EDITIONS[rule.split("-")[0]], f"{path.name} cites {rule}"
