"""Scenario files: found, read, run one after the other; whatever is wrong becomes a line."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.games.scenarios import (
    ScenarioRun,
    count_verdicts,
    find_scenario_files,
    format_scenario,
    read_scenario_text,
    run_scenario_files,
)
from adjudicator.core.document import Document
from adjudicator.core.scenario.runner import ScenarioVerdict
from adjudicator.desk.model.errors import Refused

STAYING = """\
scenario: {name}
title: Red stays
rules: [JW-12]
game: {game}
seats: [red, blue]
stop: after-step
given:
  step: jump
  map: {{A1: {{home: red}}, J10: {{home: blue}}}}
  fleets: {{red: {{A1: {fleets}}}}}
expect:
  state:
    fleets: {{red: {{A1: 3}}}}
"""


def _file(folder: Path, name: str, fleets: object = 3, game: str = "jump-wars") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.yaml"
    path.write_text(STAYING.format(name=name, fleets=fleets, game=game))
    return path


def _ran(*paths: Path) -> list[ScenarioRun]:
    return list(run_scenario_files(find_scenario_files(paths), FolderLibrary()))


def _told(ran: Sequence[ScenarioRun]) -> list[tuple[str, ScenarioVerdict]]:
    return [(one.outcome.scenario, one.outcome.verdict) for one in ran]


def _only_line(*paths: Path) -> str:
    outcome = _ran(*paths)[-1].outcome
    assert outcome.verdict is ScenarioVerdict.ERROR
    (line,) = outcome.lines
    return line


def test_folders_are_searched_by_name_and_each_file_is_run_once(tmp_path: Path) -> None:
    one, two = _file(tmp_path / "b", "two"), _file(tmp_path / "a", "one")
    (tmp_path / "notes.txt").write_text("no scenario")
    three = _file(tmp_path / "a" / "deeper", "three").rename(tmp_path / "a" / "three.yml")
    assert find_scenario_files([tmp_path]) == (two, three, one)
    assert find_scenario_files([one, tmp_path, one]) == (one, two, three)


def test_what_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="is neither a file nor a folder"):
        find_scenario_files([tmp_path / "nothing"])
    with pytest.raises(Refused, match="holds no scenario"):
        find_scenario_files([tmp_path])


def test_every_file_gets_its_verdict(tmp_path: Path) -> None:
    paths = (_file(tmp_path, "good"), _file(tmp_path, "bad", 4), _file(tmp_path, "odd", -1))
    ran = _ran(*paths)
    assert _told(ran) == [
        ("good", ScenarioVerdict.OK),
        ("bad", ScenarioVerdict.FAIL),
        ("odd", ScenarioVerdict.ERROR),
    ]
    assert ran[1].outcome.lines == ("state.fleets.red.A1: expected 3, got 4",)
    assert ran[2].outcome.lines[0].startswith("given.fleets.red.A1: ")
    assert count_verdicts(ran) == (1, 2)


@pytest.mark.parametrize(
    ("change", "path"),
    [
        (("{A1: 3}}", "{K4: 3}}"), "given.fleets.red.K4"),
        (("{red: {A1: 3}}\nexpect", "{pink: {A1: 3}}\nexpect"), "given.fleets.pink"),
        (("  step: jump\n", "  step: jump\n  levels: {red: {attack: 0}}\n"), "given.levels.red"),
        (("  step: jump\n", "  step: jump\n  hands: {red: [banana]}\n"), "given.hands.red"),
        (("  step: jump\n", "  step: jump\n  deck: [cloaking, cloaking]\n"), "given."),
        (("  step: jump\n", "  step: jump\n  ship: A1\n"), "given.ship"),
        (("game: jump-wars\n", "game: jump-wars\noptions: {grid: round}\n"), "options.grid"),
        (("game: jump-wars\n", "game: jump-wars\nplayers: 2\n"), "players"),
    ],
)
def test_an_impossible_position_names_the_key(
    tmp_path: Path, change: tuple[str, str], path: str
) -> None:
    file = _file(tmp_path, "odd")
    text = file.read_text()
    assert change[0] in text
    file.write_text(text.replace(*change))
    assert _only_line(file).startswith(path)


def test_an_unknown_kind_is_an_error_with_the_way_out(tmp_path: Path) -> None:
    line = _only_line(_file(tmp_path, "odd", game="jump-war"))
    assert line == 'game: there is no kind of game "jump-war"; did you mean "jump-wars"?'


def test_a_name_used_twice_is_an_error(tmp_path: Path) -> None:
    first, second = _file(tmp_path / "a", "same"), _file(tmp_path / "b", "same")
    assert _told(_ran(first, second)) == [
        ("same", ScenarioVerdict.OK),
        ("same", ScenarioVerdict.ERROR),
    ]
    assert str(first) in _only_line(first, second)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"scenario: [one", "the bracket opened here is never closed"),
        (b"seed: 1\nseed: 2\n", "appears twice"),
        (b"- one\n- two\n", "a scenario is a mapping"),
        (b"", "a scenario is a mapping"),
        (b"scenario: \xff\n", "is not text in UTF-8"),
        (b"scenario: one\norders: [red]\n", "orders: must be a mapping of seats"),
    ],
)
def test_what_is_no_scenario_at_all_is_an_error(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "broken.yaml"
    path.write_bytes(content)
    assert said in _only_line(path)


def test_orders_are_read_as_they_were_written() -> None:
    """A seat's orders keep their places in the file, and no scalar is turned into anything."""
    text = STAYING.format(name="x", fleets=3, game="jump-wars")
    orders = "orders:\n  red:\n    jump: [010, no, A1-B2 x1]\n  blue:\nexpect:"
    scenario = read_scenario_text(text.replace("expect:", orders))
    red = scenario.orders["red"]
    assert red.value == {"jump": ["010", "no", "A1-B2 x1"]}
    assert (red.marks["jump", 1].line, red.marks["jump", 1].column) == (13, 17)
    assert red.keys[("jump",)].line == 13
    assert "blue" not in scenario.orders  # null sends nothing


def test_a_crash_of_the_rules_is_told_and_the_others_still_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = FolderLibrary()
    rules = library.kind("jump-wars").rules
    resolve = type(rules).resolve

    def stumble(self: object, state: object, *args: object, **more: object) -> object:
        if rules.dump(state)["fleets"]["red"]["A1"] == 4:
            raise KeyError("oops")
        return resolve(self, state, *args, **more)  # type: ignore[arg-type]  # passed through

    monkeypatch.setattr(type(rules), "resolve", stumble)
    paths = (_file(tmp_path, "bad", 4), _file(tmp_path, "good"))
    ran = list(run_scenario_files(find_scenario_files(paths), library))
    assert _told(ran) == [("bad", ScenarioVerdict.ERROR), ("good", ScenarioVerdict.OK)]
    assert ran[0].outcome.lines == ("the rules stumbled: KeyError: 'oops'; --debug shows where",)
    with pytest.raises(KeyError):
        list(run_scenario_files(find_scenario_files(paths), library, debug=True))


def test_what_is_printed_reads_back() -> None:
    document: Document = {
        "scenario": "jw-12-x",
        "game": "jump-wars",
        "seats": ["red", "blue"],
        "given": {"step": "jump", "map": {"A1": {"home": "red"}}},
        "orders": {"red": {"jump": [{"from": "A1", "to": "B2", "fleets": 1}]}},
        "expect": {"state": {"ally": None, "tokens": {"red": 0}}},
    }
    text = format_scenario(document, ["a remark"])
    assert text.startswith("# a remark\nscenario: jw-12-x\n")
    scenario = read_scenario_text(text)
    assert scenario.given == document["given"]
    assert scenario.expect == document["expect"]
    assert scenario.orders["red"].value == {"jump": [{"from": "A1", "to": "B2", "fleets": "1"}]}
