"""Positions that show a rule: scenario."""

from pathlib import Path
from typing import Any

import click

from adjudicator.cli.naming import game_of, step_of
from adjudicator.cli.options import Setting, example, home_option, json_option
from adjudicator.cli.output import data, document, say

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
    help="Print a closed step of a game as a scenario, secrets included; it is noted in the "
    "history while the game runs.",
)
@json_option
@home_option
@click.pass_obj
@click.pass_context
def scenario(
    ctx: click.Context,
    setting: Setting,
    paths: tuple[Path, ...],
    dump: tuple[str, str] | None,
    as_json: bool,  # noqa: FBT001 - click hands options over by name
) -> None:
    """Run scenarios: files, or folders of them.

    A scenario is a position, orders for one step, and what must come out. Prints one line for
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
    from adjudicator.adapters.scenarios import counted, files, run_files

    ran = []
    for one in run_files(files(paths), setting.office.library, debug=setting.debug):
        ran.append(one)
        _tell(one, as_json=as_json)
    passed, failed = counted(ran)
    data(_line({"passed": passed, "failed": failed}) if as_json else _sum(passed, failed))
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
        data(_line(facts))
        return
    words = f"{outcome.verdict} {outcome.scenario}"
    if not outcome.lines:
        data(words)
        return
    more = len(outcome.lines) - _MOST
    shown = [*outcome.lines[:_MOST], *([f"and {more} more"] if more > 0 else [])]
    data(f"{words} {'; '.join(shown)}{_where(one)}")
    for note in outcome.notes:
        say(f"    {note}")


def _where(one: Any) -> str:
    """The file to be mended, where the scenario's name does not tell it."""
    from adjudicator.core.scenario import Verdict

    named = one.outcome.scenario == one.path.stem
    return "" if named or one.outcome.verdict is not Verdict.ERROR else f" (in {one.path})"


def _line(facts: dict[str, Any]) -> str:
    from adjudicator.core.canonical import encode

    return encode(facts).decode()


def _dump(setting: Setting, game: str, step: str, *, as_json: bool) -> None:
    from adjudicator.adapters.scenarios import printed, repeatable
    from adjudicator.desk import look
    from adjudicator.desk.dump import dump
    from adjudicator.desk.values import Status

    office = setting.office
    with office.acting() as books:
        found = game_of(books, game)
        name = step_of(books, found, step)
        made = dump(books, office.library, found.id, name)
        if found.status is not Status.OVER:
            look.reveal(books, found.id, f"step {name} as a scenario", at=office.at)
            say(f"This holds secrets of {found.id}; the history says that you saw them.")
    shown, chance = repeatable(made, office.library.kind(found.kind, found.components))
    remarks = []
    if chance:
        left_out = f"left to chance, so not expected here: {', '.join(chance)}"
        remarks.append(left_out)
        say(f"No small seed throws the dice as they fell; {left_out}.")
    if as_json:
        document(shown)
    else:
        data(printed(shown, remarks))
