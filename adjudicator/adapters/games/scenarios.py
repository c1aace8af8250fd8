"""Scenarios as files: found in folders, read, and run with the games of a library."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from adjudicator.adapters.yaml.reader import (
    Unreadable,
    load_yaml,
    load_yaml_scalars,
    try_parse_yaml,
)
from adjudicator.core.document import Document, Impossible, Seat
from adjudicator.core.finding import Path as Place
from adjudicator.core.forms.reading import FallenEntries, Text, find_fallen
from adjudicator.core.names import fold
from adjudicator.core.scenario.parser import Scenario
from adjudicator.core.scenario.parser import parse_scenario as shaped
from adjudicator.core.scenario.runner import (
    ScenarioOutcome,
    ScenarioTools,
    ScenarioVerdict,
    run_scenario,
)
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.ports import Kind, Library

SUFFIXES = (".yaml", ".yml")

_STATE_KEY = re.compile(r"state\.(\w+)")
_SEEDS = 50


class ScenarioRun(Struct, frozen=True):
    """A file and what came of it."""

    path: Path
    outcome: ScenarioOutcome


def find_scenario_files(paths: Iterable[Path]) -> tuple[Path, ...]:
    """Find the files that are meant, each once; a folder means all YAML files below it, by name."""
    files: dict[Path, Path] = {}
    for path in paths:
        for file in _list_files(path):
            files.setdefault(file.resolve(), file)
    return tuple(files.values())


def run_scenario_files(
    paths: Sequence[Path], library: Library, *, debug: bool = False
) -> Iterator[ScenarioRun]:
    """Run every scenario in turn; with `debug`, errors raised by the rules are not caught."""
    paths_by_id: dict[str, Path] = {}
    for path in paths:
        try:
            scenario = read_scenario_file(path)
            _require_unique(scenario.id, path, paths_by_id)
            tools = make_scenario_tools(find_kind_of_scenario(scenario, library))
        except Impossible as fault:
            yield ScenarioRun(path, make_error_outcome(path.stem, str(fault)))
            continue
        yield ScenarioRun(path, _run_guarded(scenario, tools, debug=debug))


def read_scenario_file(path: Path) -> Scenario:
    """Read the scenario in a file; raises Impossible."""
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as fault:
        raise Impossible("", f"is not text in UTF-8 ({fault.reason})") from fault
    return read_scenario_text(text)


def read_scenario_text(text: str) -> Scenario:
    """Read the scenario in a text; raises Impossible."""
    try:
        return shaped(load_yaml(text), _split_orders(load_yaml_scalars(text)))
    except Unreadable as fault:
        raise Impossible("", str(fault)) from fault


def make_scenario_tools(kind: Kind) -> ScenarioTools:
    """Make the tools that a kind of game provides for its scenarios."""

    def fallen(form: str, orders: Document, places: Sequence[Place]) -> FallenEntries:
        return find_fallen(kind.form(form).root, orders, places)

    return ScenarioTools(kind.rules, kind.read, kind.options, try_parse_yaml, fallen)


def format_scenario(document: Document, remarks: Sequence[str] = ()) -> str:
    """Format a scenario as a file that can be run again."""
    import yaml

    head = "".join(f"# {remark}\n" for remark in remarks)
    body: str = yaml.safe_dump(
        document, sort_keys=False, default_flow_style=None, allow_unicode=True, width=100
    )
    return head + body


def find_repeatable(document: Document, kind: Kind) -> tuple[Document, tuple[str, ...]]:
    """Find the first seed with which the scenario has the same outcome.

    If there is none, the results of chance are no longer expected, and are listed.
    """
    outcome = None
    for seed in range(_SEEDS):
        candidate = {**document, "seed": seed}
        outcome = run_scenario(
            read_scenario_text(format_scenario(candidate)), make_scenario_tools(kind)
        )
        if outcome.verdict is ScenarioVerdict.OK:
            return candidate, ()
    lines = outcome.lines if outcome else ()
    chance = dict.fromkeys(match[1] for line in lines if (match := _STATE_KEY.match(line)))
    expect = document["expect"]
    state = {key: value for key, value in expect["state"].items() if key not in chance}
    return {**document, "expect": {**expect, "state": state}}, tuple(chance)


def count_verdicts(all_runs: Iterable[ScenarioRun]) -> tuple[int, int]:
    """Count how many scenarios passed and how many failed; errors count as failures."""
    uncounted = (ScenarioVerdict.LEFT_OUT, ScenarioVerdict.SHOWN)
    runs = (one for one in all_runs if one.outcome.verdict not in uncounted)
    verdicts = Counter(one.outcome.verdict is ScenarioVerdict.OK for one in runs)
    return verdicts[True], verdicts[False]


def _list_files(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise Refused(f"{path} is neither a file nor a folder; name scenario files or folders")
    files = sorted(file for file in path.rglob("*") if file.suffix in SUFFIXES and file.is_file())
    if not files:
        raise Refused(f"{path} holds no scenario; their names end in .yaml")
    return files


def _require_unique(name: str, path: Path, paths_by_id: dict[str, Path]) -> None:
    if name in paths_by_id:
        message = f"{name} is also the name of {paths_by_id[name]}; names are unique"
        raise Impossible("scenario", message)
    paths_by_id[name] = path


def _run_guarded(scenario: Scenario, tools: ScenarioTools, *, debug: bool) -> ScenarioOutcome:
    try:
        return run_scenario(scenario, tools)
    except Exception as crash:
        if debug:
            raise
        # A position on which the rules fail must not hide the results of the others.
        message = f"the rules stumbled: {type(crash).__name__}: {crash}; --debug shows where"
        return make_error_outcome(scenario.id, message)


def make_error_outcome(name: str, message: str) -> ScenarioOutcome:
    """Make the outcome of a scenario that could not be judged."""
    return ScenarioOutcome(scenario=name, verdict=ScenarioVerdict.ERROR, lines=(message,))


def find_kind_of_scenario(scenario: Scenario, library: Library) -> Kind:
    """Find the kind of game that a scenario is about; raises Impossible."""
    folded_name = fold(scenario.kind)
    name = next((kind for kind in library.kinds() if fold(kind) == folded_name), scenario.kind)
    try:
        return library.kind(name)
    except Refused as fault:
        raise Impossible("game", str(fault)) from fault


def _split_orders(text: Text) -> Mapping[Seat, Text]:
    """Split the orders by seat as they were written, with their places in the file."""
    orders = text.value.get("orders") if isinstance(text.value, Mapping) else None
    if orders is None:
        return {}
    if not isinstance(orders, Mapping):
        raise Impossible("orders", "must be a mapping of seats to their order forms")
    return {seat: _take_part(text, seat) for seat in orders}


def _take_part(text: Text, seat: Seat) -> Text:
    here = ("orders", seat)
    return Text(
        value=text.value["orders"][seat],
        marks={path[2:]: mark for path, mark in text.marks.items() if path[:2] == here},
        keys={path[2:]: mark for path, mark in text.keys.items() if path[:2] == here},
    )
