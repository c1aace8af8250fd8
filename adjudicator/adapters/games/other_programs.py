"""Give the positions of scenarios to another program, and compare its answers with what is right.

`adjudicator form scenario` describes the question that the program reads, and its answer.
"""

import os
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from adjudicator.adapters.games.library import FolderKind
from adjudicator.adapters.games.scenarios import (
    ScenarioRun,
    find_kind_of_scenario,
    find_scenario_files,
    make_error_outcome,
    make_scenario_tools,
    read_scenario_file,
)
from adjudicator.adapters.yaml.reader import load_yaml
from adjudicator.core.document import Document, Impossible, encode
from adjudicator.core.scenario.parser import Scenario
from adjudicator.core.scenario.runner import (
    ScenarioAnswer,
    ScenarioOutcome,
    ScenarioVerdict,
    list_answer_differences,
    run_scenario,
)
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.ports import Kind, Library

_OWN: Final = "events"
"""Every program has kinds of events of its own, so they are not compared."""
_OTHER_SEEDS: Final = 4
_SHOWN: Final = 200


def list_suite(kind: FolderKind, name: str) -> Sequence[Path]:
    """List the scenarios of a kind of game that come with the program."""
    folder = kind.scenarios()
    if folder is None:
        raise Refused(f"{kind.title} has no scenarios here; name their files or folders")
    return [path for path in find_scenario_files([folder]) if _is_of_kind(path, name)]


def _is_of_kind(path: Path, name: str) -> bool:
    try:
        return read_scenario_file(path).kind == name
    except Impossible:
        return True  # running it says what is wrong


def ask_program(
    paths: Iterable[Path], library: Library, program: Sequence[str], seconds: float
) -> Iterator[ScenarioRun]:
    """Start the program once for each scenario, several at a time, and judge its answers."""
    ask = partial(_ask_about, library=library, program=program, seconds=seconds)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        yield from pool.map(ask, paths)


def _ask_about(
    path: Path, *, library: Library, program: Sequence[str], seconds: float
) -> ScenarioRun:
    try:
        scenario = read_scenario_file(path)
        kind = find_kind_of_scenario(scenario, library)
        verdict, lines = ScenarioVerdict.LEFT_OUT, []
        if _is_for_others(scenario, kind):
            answer = _run_program(program, make_question(path, scenario, kind), seconds)
            lines = list_answer_differences(_shared(scenario.expect), answer, kind.rules)
            verdict = ScenarioVerdict.FAIL if lines else ScenarioVerdict.OK
    except Impossible as fault:
        return ScenarioRun(path, make_error_outcome(path.stem, str(fault)))
    judged = ScenarioOutcome(scenario=scenario.id, verdict=verdict, lines=tuple(lines))
    return ScenarioRun(path, judged)


def _shared(expect: Document | None) -> dict[str, Any]:
    return {part: value for part, value in (expect or {}).items() if part != _OWN}


def _is_for_others(scenario: Scenario, kind: Kind) -> bool:
    """Whether something is expected that other programs can say: it must not hang on our dice."""
    tools, shared = make_scenario_tools(kind), _shared(scenario.expect)
    others = (replace(scenario, expect=shared, seed=scenario.seed + n) for n in range(_OTHER_SEEDS))
    return bool(shared) and all(
        run_scenario(one, tools).verdict is ScenarioVerdict.OK for one in others
    )


def make_question(path: Path, scenario: Scenario, kind: Kind) -> Document:
    """Make what the other program reads: the scenario, and which parts of an answer matter."""
    content: Mapping[str, Any] = load_yaml(path.read_text(encoding="utf-8"))
    question = {key: value for key, value in content.items() if key not in ("expect", "title")}
    parts = sorted(_shared(scenario.expect))
    return {
        "orders": {},
        **question,
        "game": scenario.kind,
        "seed": scenario.seed,
        "options": kind.options(scenario.options, scenario.seats),
        "asked": parts,
    }


def _run_program(program: Sequence[str], question: Document, seconds: float) -> ScenarioAnswer:
    """Run the program with the question on its standard input; raises Impossible."""
    try:
        process = subprocess.run(  # noqa: S603 - the program that the user named
            program, input=encode(question), capture_output=True, timeout=seconds, check=False
        )
    except OSError as fault:
        raise Refused(f"{program[0]} cannot be run: {fault.strerror}") from fault
    except subprocess.TimeoutExpired as fault:
        raise Impossible("", f"the program did not answer in {seconds:g} s") from fault
    if process.returncode:
        last = (process.stderr.decode(errors="replace").strip().splitlines() or ["no message"])[-1]
        raise Impossible("", f"the program ended with {process.returncode}: {last[:_SHOWN]}")
    try:
        return msgspec.json.decode(process.stdout, type=ScenarioAnswer)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as fault:
        raise Impossible("", f"the answer cannot be read: {fault}") from fault
