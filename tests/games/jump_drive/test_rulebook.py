"""The rulebook of Jump Drive and the scenarios cover each other."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from adjudicator.adapters.games.data_folders import find_data_home
from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.games.scenarios import find_scenario_files, read_scenario_file

FOLDER = Path(__file__).parent / "scenarios"


@pytest.fixture(scope="module")
def rulebook() -> Mapping[str, str]:
    return FolderLibrary().kind("jump-drive").rulebook


def test_the_rulebook_is_read_whole(rulebook: Mapping[str, str]) -> None:
    numbers = list(rulebook)
    assert (numbers[0], numbers[-1]) == ("JD-1", "JD-31")
    assert len(numbers) == 30  # 29 and 30 are not used; 4 has 4a


@pytest.fixture(scope="module")
def table() -> Sequence[str]:
    """The rules of the table of faults, from its first row to its last."""
    text = (find_data_home() / "seeds" / "jump_drive" / "rulebook.md").read_text(encoding="utf-8")
    rows = re.findall(
        r"^\|.*\| (JD-[^|]+) \|$", text.partition("## Table of faults")[2], re.MULTILINE
    )
    return [rule for row in rows for rule in row.split(", ")]


def refused(path: Path) -> set[str]:
    """The rules that a scenario expects to be named in refusals."""
    expected = read_scenario_file(path).expect.get("refused") or {}
    return {rule for rules in expected.values() for rule in rules}


def test_every_row_of_the_table_of_faults_is_shown(table: Sequence[str]) -> None:
    shown = {rule for path in find_scenario_files([FOLDER]) for rule in refused(path)}
    # JD-4a is the form itself: a name or a key that does not exist.
    assert shown == {*table, "JD-4a"}


def test_every_row_that_can_come_before_another_is_shown_to_come_first(
    table: Sequence[str],
) -> None:
    """JD-6, the last row of the place form, comes before none; the rows below are other forms."""
    upper = table[: table.index("JD-6")]
    assert len(upper) == 10
    shown = {
        rule
        for path in find_scenario_files([FOLDER])
        if "-before-" in path.name
        for rule in refused(path)
    }
    assert shown == set(upper)
