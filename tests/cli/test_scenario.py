"""The command `scenario`: a line per scenario, a last line that counts, an exit code."""

import json
from pathlib import Path
from typing import Any

import pytest

from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.yaml.reader import load_yaml

KINDS = FolderLibrary().kinds()
SCENARIO_KEYS = FolderLibrary().common("scenario").root.properties

GOOD = """\
scenario: jw-30-good
title: Red stays
rules: [JW-30]
game: jump-wars
seats: [red, blue]
stop: after-step
given:
  step: jump
  map: {A1: {home: red}, J10: {home: blue}}
  fleets: {red: {A1: 3}}
orders:
  red: {jump: [A1-A9 x1]}
expect:
  negated: {red: [JW-30]}
  state:
    fleets: {red: {A1: 3}}
"""
BAD = (
    GOOD.replace("good", "bad")
    .replace("[JW-30]}", "[]}")
    .replace("    fleets: {red: {A1: 3}}", "    fleets: {red: {A1: 2}}")
)
ODD = GOOD.replace("good", "odd").replace("{A1: 3}}\norders", "{K1: 3}}\norders")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one scenario of each verdict."""
    made = tmp_path / "scenarios"
    made.mkdir()
    for name, text in {"good": GOOD, "bad": BAD, "odd": ODD}.items():
        (made / f"{name}.yaml").write_text(text)
    return made


def test_a_line_per_scenario_and_the_sum(gm: Any, folder: Path) -> None:
    result = gm("scenario", folder, code=1)
    lines = result.stdout.splitlines()
    assert lines[0] == (
        "FAIL jw-30-bad negated.red: [JW-30] was not expected; "
        "state.fleets.red.A1: expected 2, got 3"
    )
    assert lines[1] == "ok jw-30-good"
    assert lines[2].startswith("ERROR jw-30-odd given.fleets.red.K1: ")
    assert lines[2].endswith(f" (in {folder / 'odd.yaml'})")  # its name is another
    assert lines[3:] == ["1 passed, 2 failed"]
    assert "red: JW-30 A1-A9 x1" in result.stderr


def test_all_passed_is_exit_0(gm: Any, folder: Path) -> None:
    result = gm("scenario", folder / "good.yaml")
    assert result.stdout == "ok jw-30-good\n1 passed, 0 failed\n"
    assert result.stderr == ""
    assert not gm.home.exists()  # a scenario needs no books


def test_without_expectations_it_shows_what_happens(gm: Any, tmp_path: Path) -> None:
    """What a report would tell to somebody from whom nothing is hidden, and the new position."""
    path = tmp_path / "question.yaml"
    path.write_text(
        GOOD.partition("expect:")[0]
        .replace("fleets: {red: {A1: 3}}", "fleets: {red: {A1: 3}, blue: {A2: 1}}")
        .replace("[A1-A9 x1]", "[A1-A9 x1, A1-A2 x2]")
    )
    told = gm("scenario", path).stdout
    lines = [line.strip() for line in told.splitlines()]
    assert lines[0] == "shown jw-30-good"
    assert lines[-1] == "0 passed, 0 failed"
    parts = [lines.index(one) for one in ("ABOUT THE ORDERS", "WHAT HAPPENED")]
    assert "red: JW-30 jump[1]" in lines[parts[0] + 1]
    assert lines[parts[1] + 1].startswith("1  red: A1-A9 x1 did not happen: A9 is 8 spaces away")
    fight = next(n for n, line in enumerate(lines) if "Fight at A2" in line)
    assert "red: 2 fleets, initiative 1, attack 1, defense 1." in lines[fight + 1 :]
    changed = lines[lines.index("WHAT CHANGED IN THE POSITION") + 1 :]
    assert "- fleets.red.A1 was 3 and is 1" in changed
    assert "- fleets.blue.A2 was 1 and is nothing" in changed
    assert max(map(len, told.splitlines())) <= 78
    first, total = map(json.loads, gm("scenario", path, "--json").stdout.splitlines())
    assert (first["verdict"], total) == ("shown", {"passed": 0, "failed": 0})
    assert first["events"][0]["rule"] == "JW-30"
    assert "fleets.red.A1 was 3 and is 1" in first["changes"]


def test_nothing_is_hidden_from_who_writes_the_position_down(gm: Any, tmp_path: Path) -> None:
    """Cards that other players would not see drawn are named."""
    path = tmp_path / "question.yaml"
    text = GOOD.partition("expect:")[0].replace("stop: after-step\n", "")
    path.write_text(text.replace("  step: jump\n", "  step: jump\n  deck: [jump, attack]\n"))
    told = gm("scenario", path).stdout
    assert "hands.red gained attack, jump" in told
    assert "deck lost jump, attack" in told


@pytest.mark.parametrize("kind", KINDS)
def test_the_example_of_each_kind_runs_as_it_is_printed(gm: Any, tmp_path: Path, kind: str) -> None:
    told = gm("form", "scenario", kind).stdout
    explained, _, example = told.partition("\nFor example:\n")
    assert "expect: a mapping" in explained
    path = tmp_path / "mine.yaml"
    path.write_text(example)
    document = load_yaml(example)
    assert document["game"] == kind
    assert list(document) == list(SCENARIO_KEYS)
    assert gm("scenario", path).stdout == f"ok {document['scenario']}\n1 passed, 0 failed\n"
    path.write_text(example.partition("  expect:")[0])
    assert gm("scenario", path).stdout.startswith(f"shown {document['scenario']}\n")
    assert json.loads(gm("form", "scenario", kind, "--json").stdout)["example"] == document


def test_an_unknown_kind_has_no_example(gm: Any) -> None:
    assert 'Did you mean "jump-gate"?' in gm("form", "scenario", "jmp-gate", code=1).stderr
    assert "For example:" not in gm("form", "scenario").stdout


def test_json_lines(gm: Any, folder: Path) -> None:
    result = gm("scenario", folder, "--json", code=1)
    bad, good, odd, total = (json.loads(line) for line in result.stdout.splitlines())
    assert good == {
        "scenario": "jw-30-good",
        "file": str(folder / "good.yaml"),
        "verdict": "ok",
        "differences": [],
        "notes": good["notes"],
    }
    assert (bad["verdict"], odd["verdict"]) == ("FAIL", "ERROR")
    assert bad["differences"][1] == "state.fleets.red.A1: expected 2, got 3"
    assert any("JW-30" in note for note in bad["notes"])
    assert total == {"passed": 1, "failed": 2}


def test_wrong_usage(gm: Any, tmp_path: Path) -> None:
    assert "Name scenario files or folders" in gm.refused("scenario", code=2)
    assert "no paths" in gm.refused("scenario", tmp_path, "--dump", "ember", "1", code=2)
    assert "neither a file nor a folder" in gm.refused("scenario", tmp_path / "nothing")


def test_a_step_of_a_running_game_as_a_scenario(duel: Any, tmp_path: Path) -> None:
    form = tmp_path / "red.yaml"
    form.write_text("build: 1\nsteal: blue\n")
    duel("submit", "ember", "red", form)
    duel("close", "ember", "--now")
    result = duel("scenario", "--dump", "ember", "1-plan")
    assert "secrets" in result.stderr
    assert "1-plan as a scenario" in duel("history", "ember", "--looks").stdout
    assert "negated:\n    red: [JW-17]\n    blue: []\n" in result.stdout
    path = tmp_path / "dumped.yaml"
    path.write_text(result.stdout)
    assert duel("scenario", path).stdout == "ok ember-1-plan\n1 passed, 0 failed\n"
    path.write_text(result.stdout.replace("red: [JW-17]", "red: []"))
    duel("scenario", path, code=1)


def test_only_closed_steps_with_orders_can_be_dumped(duel: Any) -> None:
    assert "still open" in duel.refused("scenario", "--dump", "ember", "1-plan")
    assert "not played by orders" in duel.refused("scenario", "--dump", "ember", "0")
    assert 'no step "7-plan"' in duel.refused("scenario", "--dump", "ember", "7-plan")
    assert 'no game "amber"' in duel.refused("scenario", "--dump", "amber", "1")


def test_every_step_of_a_whole_game_can_be_run_again(gm: Any, tmp_path: Path) -> None:
    """Also the steps in which chance decides: what it decided is then left out."""
    words = ["--option", "old_empire=true", "--option", "homeworlds=choose", "--seed", "3"]
    gm("play", "jump-wars", "--bots", "3", "--option", "turn_limit=6", *words, "--keep", "duel")
    with_chance = 0
    last = len(gm.json("history", "duel", "--act", "close"))
    for number in range(1, last + 1):
        result = gm("scenario", "--dump", "duel", str(number))
        assert "secrets" not in result.stderr  # the game is over, nothing is secret any more
        with_chance += result.stdout.startswith("# left to chance")
        (tmp_path / f"{number}.yaml").write_text(result.stdout)
    assert gm("scenario", tmp_path).stdout.endswith(f"{last} passed, 0 failed\n")
    assert with_chance < last / 2
