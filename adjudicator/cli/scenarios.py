"""What shows that a game is right: scenario, conform."""

from pathlib import Path
from typing import Any

import click

from adjudicator.cli.terminal.arguments import find_game
from adjudicator.cli.terminal.options import Setting, example, home_option, json_option
from adjudicator.cli.terminal.output import print_data, print_document, print_note
from adjudicator.core.document import to_plain

_MOST = 12
"""Differences that are told in a line; --json tells them all."""


@click.command(
    epilog=example(
        "adjudicator scenario tests/games/jump_wars/scenarios",
        "adjudicator scenario --dump ember 12-jump > ember-12-jump.yaml",
    )
)
@click.argument("paths", nargs=-1, metavar="PATH...", type=click.Path(path_type=Path))
@click.option(
    "--dump",
    nargs=2,
    metavar="GAME STEP",
    help="Print a closed step of a game as a scenario, secrets included; while the game "
    "runs, the history records it.",
)
@json_option
@home_option
@click.pass_obj
@click.pass_context
def scenario_command(
    ctx: click.Context,
    setting: Setting,
    paths: tuple[Path, ...],
    dump: tuple[str, str] | None,
    as_json: bool,  # noqa: FBT001 - click hands options over by name
) -> None:
    """Run scenarios: files, or folders of them.

    A scenario is a position, orders for one step, and the expected outcome. Prints one line for
    each (ok, FAIL or ERROR); exits with 1 unless all passed.
    """
    if dump is not None:
        if paths:
            raise click.UsageError("--dump takes a game and a step, and no paths.")
        _dump(setting, *dump, as_json=as_json)
        return
    if not paths:
        raise click.UsageError("Name scenario files or folders, or --dump GAME STEP.")
    ctx.exit(0 if _run(setting, paths, as_json=as_json) else 1)


def _run(setting: Setting, paths: tuple[Path, ...], *, as_json: bool) -> bool:
    from adjudicator.adapters.games.scenarios import (
        count_verdicts,
        find_scenario_files,
        run_scenario_files,
    )

    ran = []
    for one in run_scenario_files(
        find_scenario_files(paths), setting.office.library, debug=setting.debug
    ):
        ran.append(one)
        _tell(one, as_json=as_json)
    passed, failed = count_verdicts(ran)
    print_data(_line({"passed": passed, "failed": failed}) if as_json else _sum(passed, failed))
    return not failed


def _sum(passed: int, failed: int) -> str:
    return f"{passed} passed, {failed} failed"


def _tell(one: Any, *, as_json: bool) -> None:
    outcome = one.outcome
    if as_json:
        facts = {
            "scenario": outcome.scenario,
            "file": str(one.path),
            "verdict": str(outcome.verdict),
            "differences": list(outcome.lines),
            "notes": list(outcome.notes),
        }
        print_data(_line(facts))
        return
    words = f"{outcome.verdict} {outcome.scenario}"
    if not outcome.lines:
        print_data(words)
        return
    more = len(outcome.lines) - _MOST
    shown = [*outcome.lines[:_MOST], *([f"and {more} more"] if more > 0 else [])]
    print_data(f"{words} {'; '.join(shown)}{_where(one)}")
    for note in outcome.notes:
        print_note(f"    {note}")


def _where(one: Any) -> str:
    """The file to be mended, where the scenario's name does not tell it."""
    from adjudicator.core.scenario.runner import ScenarioVerdict

    named = one.outcome.scenario == one.path.stem
    return "" if named or one.outcome.verdict is not ScenarioVerdict.ERROR else f" (in {one.path})"


def _line(facts: dict[str, Any]) -> str:
    from adjudicator.core.document import encode

    return encode(facts).decode()


def _dump(setting: Setting, game: str, step: str, *, as_json: bool) -> None:
    from adjudicator.adapters.games.scenarios import find_repeatable, format_scenario
    from adjudicator.desk.model.lineage import find_step
    from adjudicator.desk.model.values import Status
    from adjudicator.desk.questions.dump import dump_scenario
    from adjudicator.desk.questions.screens import record_look

    office = setting.office
    with office.acting() as books:
        found = find_game(books, game)
        name = find_step(books, found.id, step).name
        made = dump_scenario(books, office.library, found.id, name)
        if found.status is not Status.OVER:
            record_look(books, found.id, f"step {name} as a scenario", at=office.at)
            print_note(
                f"This contains secrets of {found.id}; the history records that you saw them."
            )
    shown, chance = find_repeatable(made, office.library.kind(found.kind, found.components))
    remarks = []
    if chance:
        left_out = f"left to chance, so not expected here: {', '.join(chance)}"
        remarks.append(left_out)
        print_note(f"No small seed gives the same dice; {left_out}.")
    if as_json:
        print_document(shown)
    else:
        print_data(format_scenario(shown, remarks))


@click.command(
    epilog=example("adjudicator conform jump-drive", "adjudicator conform my-game --games 30")
)
@click.argument("module", metavar="KIND|PACKAGE|FOLDER")
@click.option(
    "--games",
    type=click.IntRange(3, 1000),
    default=3,
    show_default=True,
    help="How many games are played; more of them find rarer faults.",
)
@json_option
@click.pass_obj
@click.pass_context
def conform_command(
    ctx: click.Context,
    setting: Setting,
    module: str,
    games: int,
    as_json: bool,  # noqa: FBT001
) -> None:
    """Check a game: one of ours, an installed one, or the folder of its checkout.

    Plays it at random and by its bot, and checks what every game promises: the
    same bytes every time, no secrets in what others get, forms and their
    examples, reports in every format, scenarios, rule numbers. Prints one line
    for each check; exits with 1 and names the first thing that differs.
    """
    from adjudicator.library.conform.run import run_checks
    from adjudicator.library.conform.subject import find_subjects

    failed = 0
    for subject in find_subjects(module, games):
        if not as_json:
            print_data(f"{subject.kind.title} ({subject.kind.kind})")
        for result in run_checks(subject, module, debug=setting.debug):
            failed += not result.ok
            verdict = "ok" if result.ok else "FAIL"
            print_data(
                _line(to_plain(result)) if as_json else f"{verdict:4} {result.check}: {result.text}"
            )
    ctx.exit(1 if failed else 0)
