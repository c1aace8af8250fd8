"""Adjudicating the step that is due: close."""

import click

from adjudicator.cli.acting import act, dry_run_option, told
from adjudicator.cli.completing import game_argument
from adjudicator.cli.naming import step_of
from adjudicator.cli.options import Setting, example, home_option, json_option
from adjudicator.cli.output import data, document


@click.command(
    epilog=example(
        "adjudicator close ember --dry-run",
        "adjudicator close ember",
        "adjudicator close ember --now",
    )
)
@game_argument
@click.option("--now", "at_once", is_flag=True, help="Even if orders are missing.")
@click.option("--step", help="Only if this step is the open one, so that it is closed once.")
@dry_run_option
@json_option
@home_option
@click.pass_obj
def close(
    setting: Setting,
    game: str,
    at_once: bool,  # noqa: FBT001
    step: str | None,
    dry_run: bool,  # noqa: FBT001
    as_json: bool,  # noqa: FBT001
) -> None:
    """Adjudicate the open step, publish it, and open the next one.

    It refuses while orders are missing or somebody asked to wait; --now takes
    the game's default for what is missing.
    """
    from adjudicator.desk.close import close as adjudicate

    with act(setting, game, dry_run=dry_run) as now:
        closing = adjudicate(
            now.books,
            now.office.library,
            now.game.id,
            at=now.office.at,
            now=at_once,
            step=step_of(now.books, now.game, step) if step else None,
        )
        text = told(now, closing, "would be closed" if dry_run else "is closed")
    if as_json:
        opened = closing.opened
        document(
            {
                "game": closing.game.id,
                "status": closing.game.status,
                "closed": closing.step.name,
                "open": opened.name if opened else None,
                "letters": [
                    {"kind": one.kind, "number": one.number, "seat": one.seat}
                    for one in closing.letters
                ],
                "notes": closing.notes,
                "dry_run": dry_run,
            }
        )
    else:
        data(text)
