"""Test a game against its rules: scenario, conform."""

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.games.other_programs import ask_program, list_suite
from adjudicator.adapters.games.scenarios import (
    ScenarioRun,
    count_verdicts,
    find_repeatable,
    find_scenario_files,
    format_scenario,
    run_scenario_files,
)
from adjudicator.adapters.render.explanations import format_outcome
from adjudicator.cli.terminal.arguments import (
    complete_game_and_step,
    complete_kinds,
    find_game,
    find_kind,
)
from adjudicator.cli.terminal.options import Setting, command, format_example, json_option
from adjudicator.cli.terminal.output import print_data, print_document, print_note
from adjudicator.cli.wiring import Office
from adjudicator.core.document import encode, to_plain
from adjudicator.core.scenario.runner import ScenarioVerdict
from adjudicator.desk.model.lineage import find_step
from adjudicator.desk.model.values import Status
from adjudicator.desk.questions.scenario_dump import dump_scenario
from adjudicator.desk.questions.screens import record_look

_MOST = 12
"""The most differences shown in a line; --json shows all."""


@command(
    "adjudicator scenario tests/games/jump_wars/scenarios",
    "adjudicator scenario --dump ember 12-jump > ember-12-jump.yaml",
    "adjudicator scenario --suite jump-wars --against './my-adjudicator --json'",
)
@click.argument("paths", nargs=-1, metavar="PATH...", type=click.Path(path_type=Path))
@click.option(
    "--dump",
    nargs=2,
    metavar="GAME STEP",
    shell_complete=complete_game_and_step,
    help="Print a closed step of a game as a scenario, secrets included; while the game "
    "runs, the history records it.",
)
@click.option(
    "--suite",
    metavar="KIND",
    shell_complete=complete_kinds,
    help="Run all scenarios of this kind of game that come with the program.",
)
@click.option(
    "--against",
    metavar="PROGRAM",
    help="Ask another adjudicator instead: a command that is started for each scenario, reads the "
    "position and the orders as JSON from standard input, and prints its answer as JSON.",
)
@click.option(
    "--seconds",
    type=click.FloatRange(0.1, 3600),
    default=30,
    show_default=True,
    help="The longest time for one answer of PROGRAM.",
)
def scenario_command(
    setting: Setting,
    paths: tuple[Path, ...],
    dump: tuple[str, str] | None,
    suite: str | None,
    against: str | None,
    seconds: float,
    as_json: bool,
) -> int:
    """Run scenarios: files, or folders of them.

    A scenario is a position, orders for one step, and the expected outcome. Prints one line for
    each (ok, FAIL or ERROR); exits with 1 if any failed. One without `expect` shows what happens:
    `adjudicator form scenario KIND` explains the format, with an example to start from.

    With --against it tests another program: scenarios that depend on the dice of this one are
    left out. `adjudicator form scenario KIND` describes the question and the answer.
    """
    if dump is not None:
        if paths or suite or against:
            raise click.UsageError(
                "--dump takes a game and a step, no paths, and neither --suite nor --against."
            )
        _dump(setting.office, *dump, as_json=as_json)
        return 0
    if not paths and not suite:
        raise click.UsageError("Name scenario files or folders, --suite KIND, or --dump GAME STEP.")
    library, ran = setting.office.library, []
    files = [*find_scenario_files(paths), *(_list_suite(library, suite) if suite else ())]
    for one in (
        run_scenario_files(files, library, debug=setting.debug)
        if against is None
        else ask_program(files, library, _split_command(against), seconds)
    ):
        ran.append(one)
        _tell(one, as_json=as_json)
    passed, failed = count_verdicts(ran)
    total = _encode_line({"passed": passed, "failed": failed})
    print_data(total if as_json else f"{passed} passed, {failed} failed")
    return 1 if failed else 0


def _list_suite(library: FolderLibrary, suite: str) -> Sequence[Path]:
    name = find_kind(library, suite).kind
    return list_suite(library.kind(name), name)


def _split_command(text: str) -> list[str]:
    try:
        words = shlex.split(text)
    except ValueError as fault:
        raise click.UsageError(f"--against cannot be read: {fault}.") from fault
    if not words:
        raise click.UsageError("--against names no program.")
    return words


def _tell(one: ScenarioRun, *, as_json: bool) -> None:
    outcome = one.outcome
    if as_json:
        facts: dict[str, Any] = {
            "scenario": outcome.scenario,
            "file": str(one.path),
            "verdict": str(outcome.verdict),
            "differences": list(outcome.lines),
            "notes": list(outcome.notes),
        }
        if outcome.verdict is ScenarioVerdict.SHOWN:
            facts |= {"events": list(outcome.events), "changes": list(outcome.changes)}
        print_data(_encode_line(facts))
        return
    words = f"{outcome.verdict} {outcome.scenario}"
    if outcome.verdict is ScenarioVerdict.SHOWN:
        print_data("\n".join([words, *format_outcome(outcome), ""]))
        return
    if not outcome.lines:
        print_data(words)
        return
    more = len(outcome.lines) - _MOST
    lines = [*outcome.lines[:_MOST], *([f"and {more} more"] if more > 0 else [])]
    print_data(f"{words} {'; '.join(lines)}{_name_file(one)}")
    for note in outcome.notes:
        print_note(f"    {note}")


def _name_file(one: ScenarioRun) -> str:
    """Name the file to be fixed if the scenario's name does not."""
    is_named = one.outcome.scenario == one.path.stem
    return (
        "" if is_named or one.outcome.verdict is not ScenarioVerdict.ERROR else f" (in {one.path})"
    )


def _encode_line(facts: Any) -> str:
    return encode(facts).decode()


def _dump(office: Office, game: str, step: str, *, as_json: bool) -> None:
    with office.acting() as books:
        found_game = find_game(books, game)
        name = find_step(books, found_game.id, step).name
        scenario = dump_scenario(books, office.library, found_game.id, name)
        if found_game.status is not Status.OVER:
            record_look(books, found_game.id, f"step {name} as a scenario", at=office.at)
            print_note(
                f"This contains secrets of {found_game.id}; the history records that you saw them."
            )
    repeatable, chance = find_repeatable(
        scenario, office.library.kind(found_game.kind, found_game.components)
    )
    remarks = [f"left to chance, so not expected here: {', '.join(chance)}"] if chance else []
    for remark in remarks:
        print_note(f"No small seed gives the same dice; {remark}.")
    if as_json:
        print_document(repeatable)
    else:
        print_data(format_scenario(repeatable, remarks))


@click.command(
    epilog=format_example(
        "adjudicator conform jump-drive", "adjudicator conform my-game --games 30"
    )
)
@click.argument("module", metavar="KIND|PACKAGE|FOLDER", shell_complete=complete_kinds)
@click.option(
    "--games",
    type=click.IntRange(3, 1000),
    default=3,
    show_default=True,
    help="How many games are played; more of them find rarer faults.",
)
@json_option
@click.pass_obj
def conform_command(setting: Setting, module: str, games: int, as_json: bool) -> int:
    """Check a game: one of ours, an installed one, or the folder of its checkout.

    Plays it at random and by its bot, and checks what every game promises: the
    same bytes every time, no secrets in what others get, forms and their
    examples, reports in every format, scenarios, rule numbers. Prints one line
    for each check; exits with 1 and names the first thing that differs.
    """
    from adjudicator.library.conform.game_under_test import find_subjects
    from adjudicator.library.conform.run import run_checks

    failed = 0
    for subject in find_subjects(module, games):
        if not as_json:
            print_data(f"{subject.kind.title} ({subject.kind.kind})")
        for result in run_checks(subject, module, debug=setting.debug):
            failed += not result.ok
            verdict = "ok" if result.ok else "FAIL"
            print_data(
                _encode_line(to_plain(result))
                if as_json
                else f"{verdict:4} {result.check}: {result.text}"
            )
    return 1 if failed else 0
