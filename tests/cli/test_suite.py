"""Scenarios given to other programs: one made of this library, one that lies, and broken ones."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.games.other_programs import list_suite
from adjudicator.adapters.games.scenarios import make_scenario_tools, read_scenario_text
from adjudicator.core.scenario.runner import answer_scenario
from tests.cli.test_scenario import GOOD

ROOT = Path(__file__).parents[2]
HONEST = """
import json, sys
from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.games.scenarios import make_scenario_tools, read_scenario_text
from adjudicator.core.document import encode
from adjudicator.core.scenario.runner import answer_scenario

question = json.load(sys.stdin)
asked = question.pop("asked")
assert set(asked) <= {"unreadable", "refused", "negated", "state"}
scenario = read_scenario_text(json.dumps({**question, "expect": {}}))
tools = make_scenario_tools(FolderLibrary().kind(scenario.kind))
answer, _ = answer_scenario(scenario, tools)
print(encode(answer).decode())
"""
LYING = HONEST.replace(
    "print(encode(answer).decode())",
    """told = json.loads(encode(answer))
told["negated"] = {seat: [] for seat in question["seats"]}
told["state"]["fleets"]["red"] = {"A1": 2}
print(json.dumps(told))""",
)
SHUFFLED = """\
scenario: jw-14-two-cards
title: Red is dealt two cards of the shuffled deck
rules: [JW-14]
game: jump-wars
seats: [red, blue]
given:
  step: jump
  map: {A1: {home: red}, J10: {home: blue}}
  fleets: {red: {A1: 1}, blue: {J10: 1}}
expect:
  state:
    hands: {red: CARDS}
"""


@pytest.fixture
def good(tmp_path: Path) -> Path:
    path = tmp_path / "jw-30-good.yaml"
    path.write_text(GOOD)
    return path


def program(folder: Path, text: str) -> str:
    path = folder / "program.py"
    path.write_text(text)
    return f"{sys.executable} {path}"


def test_a_program_made_of_this_library_passes(gm: Any, tmp_path: Path) -> None:
    """Of each kind a scenario: receipts, what is negated, and states."""
    library = FolderLibrary()
    chosen = [list_suite(library.kind(kind), kind)[1] for kind in library.kinds()]
    result = gm("scenario", *chosen, "--against", program(tmp_path, HONEST))
    *lines, last = result.stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["ok"] * len(chosen)
    assert last == f"{len(chosen)} passed, 0 failed"


def test_a_program_that_lies_is_found_out(gm: Any, good: Path, tmp_path: Path) -> None:
    result = gm("scenario", good, "--against", program(tmp_path, LYING), code=1)
    found = "negated.red: [JW-30] is missing; state.fleets.red.A1: expected 3, got 2"
    assert result.stdout.splitlines() == [f"FAIL jw-30-good {found}", "0 passed, 1 failed"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("import sys\nsys.exit('no such rule')", "the program ended with 1: no such rule"),
        ("print('hello')", "the answer cannot be read: "),
        ("print('[]')", "the answer cannot be read: "),
        ("""print('{"negated": {"red": 3}}')""", "$.negated[...]"),
        ("""print('{"state": {"a": ' + '[' * 100_000)""", "the answer cannot be read: "),
        ("import time\ntime.sleep(60)", "the program did not answer in 2 s"),
    ],
)
def test_a_broken_program_is_an_error_of_each_scenario(
    gm: Any, good: Path, tmp_path: Path, text: str, why: str
) -> None:
    against = program(tmp_path, text)
    result = gm("scenario", good, "--against", against, "--seconds", 2, "--json", code=1)
    first, last = map(json.loads, result.stdout.splitlines())
    assert first["verdict"] == "ERROR"
    assert why in first["differences"][0]
    assert last == {"passed": 0, "failed": 1}


def test_a_program_that_is_not_there_is_said_once(gm: Any, good: Path) -> None:
    result = gm("scenario", good, "--against", "./nowhere --json", code=1)
    assert "./nowhere cannot be run: No such file or directory" in result.stderr


def test_an_answer_that_leaves_out_what_is_asked_fails(gm: Any, good: Path, tmp_path: Path) -> None:
    result = gm("scenario", good, "--against", program(tmp_path, "print('{}')"), code=1)
    assert result.stdout.startswith("FAIL jw-30-good negated.red: ")


def test_the_question_holds_all_that_decides_and_not_the_answer(
    gm: Any, good: Path, tmp_path: Path
) -> None:
    seen = tmp_path / "seen.json"
    keep = f"pathlib.Path({str(seen)!r}).write_text(sys.stdin.read())"
    text = f"import pathlib, sys\n{keep}\nprint('{{}}')"
    gm("scenario", good, "--against", program(tmp_path, text), code=1)
    question = json.loads(seen.read_text())
    assert question["asked"] == ["negated", "state"]
    assert question["options"]["grid"] == "square"
    assert question["given"]["fleets"] == {"red": {"A1": 3}}
    assert question["orders"] == {"red": {"jump": ["A1-A9 x1"]}}
    assert (question["game"], question["seats"]) == ("jump-wars", ["red", "blue"])
    assert (question["stop"], question["seed"]) == ("after-step", 0)
    assert "expect" not in question


def test_what_depends_on_dice_is_left_out(gm: Any, tmp_path: Path) -> None:
    path = tmp_path / "jw-14-two-cards.yaml"
    unknown = read_scenario_text(SHUFFLED.replace("CARDS", "[]"))
    answer, _ = answer_scenario(unknown, make_scenario_tools(FolderLibrary().kind("jump-wars")))
    assert answer.state is not None
    path.write_text(SHUFFLED.replace("CARDS", f"[{', '.join(answer.state['hands']['red'])}]"))
    assert gm("scenario", path).stdout.endswith("1 passed, 0 failed\n")
    result = gm("scenario", path, "--against", "./nowhere")
    assert result.stdout.splitlines() == ["left-out jw-14-two-cards", "0 passed, 0 failed"]


def test_the_suite_of_a_kind_runs_by_its_name(gm: Any) -> None:
    result = gm("scenario", "--suite", "jump-drive")
    *lines, last = result.stdout.splitlines()
    assert {line.partition(" ")[0] for line in lines} == {"ok"}
    assert last == f"{len(lines)} passed, 0 failed"
    both = (ROOT / "tests/games/jump_gate/scenarios").glob("*.yaml")
    library = FolderLibrary()
    editions = [list_suite(library.kind(kind), kind) for kind in ("jump-gate", "jump-gate-2010")]
    assert sum(map(len, editions)) == len(list(both))


@pytest.mark.parametrize("command", ["'", ""])
def test_a_command_that_is_none(gm: Any, good: Path, command: str) -> None:
    assert "--against" in gm("scenario", good, "--against", command, code=2).stderr
