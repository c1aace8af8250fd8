"""Every scenario of Jump Drive comes out as the rulebook says."""

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


def test_there_are_at_least_150_and_every_step_has_its_own() -> None:
    scenarios = [_named(path) for path in PATHS]
    assert {scenario.kind for scenario in scenarios} == {"jump-drive"}
    assert len(scenarios) >= 150
    steps = Counter(str(scenario.given.get("step", "place")) for scenario in scenarios)
    assert sorted(steps) == ["explore", "opening", "place", "second", "trim"]
    assert min(steps.values()) >= 5


def test_files_are_named_after_their_scenario_and_its_rule() -> None:
    for path in PATHS:
        scenario = _named(path)
        assert scenario.id == path.stem
        assert scenario.title
        shown = re.match(r"jd-0*(\d+a?)-", scenario.id)
        assert shown, f"{path.name} does not begin with a rule, as jd-05-… does"
        assert f"JD-{shown[1]}" in scenario.rules, f"{path.name} does not cite JD-{shown[1]}"


def test_titles_tell_scenarios_apart() -> None:
    titles = Counter(_named(path).title for path in PATHS)
    assert [title for title, count in titles.items() if count > 1] == []
