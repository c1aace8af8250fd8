"""The clock of a game: extend, pause, resume, remind."""

import click

from adjudicator.cli.acting import act, deadline_of, dry_run_option
from adjudicator.cli.completing import game_argument
from adjudicator.cli.options import Setting, example, home_option
from adjudicator.cli.output import data


@click.command(
    epilog=example("adjudicator extend ember 24h", "adjudicator extend ember 12h --back")
)
@game_argument
@click.argument("length")
@click.option("--back", is_flag=True, help="Take back time that was given to it.")
@dry_run_option
@home_option
@click.pass_obj
def extend(setting: Setting, game: str, length: str, back: bool, dry_run: bool) -> None:  # noqa: FBT001
    """Move the deadline of the open step by LENGTH: 90m, 24h, 3d."""
    from adjudicator.desk.extend import extend as later

    with act(setting, game, dry_run=dry_run) as now:
        library = now.office.library
        step = later(now.books, library, now.game.id, length, at=now.office.at, back=back)
        line = f"{now.game.id}: {step.name}, {deadline_of(now, step)}."
    data(line)


@click.command(epilog=example("adjudicator pause ember"))
@game_argument
@dry_run_option
@home_option
@click.pass_obj
def pause(setting: Setting, game: str, dry_run: bool) -> None:  # noqa: FBT001
    """Stop the clock: orders are still taken, nothing closes."""
    from adjudicator.desk.pause import pause as stop

    with act(setting, game, dry_run=dry_run) as now:
        stop(now.books, now.office.library, now.game.id, at=now.office.at)
    data(f"{now.game.id} is paused. Go on: adjudicator resume {now.game.id}")


@click.command(epilog=example("adjudicator resume ember"))
@game_argument
@dry_run_option
@home_option
@click.pass_obj
def resume(setting: Setting, game: str, dry_run: bool) -> None:  # noqa: FBT001
    """Let the clock run again; the deadline moves by as long as the pause was."""
    from adjudicator.desk.resume import resume as go

    with act(setting, game, dry_run=dry_run) as now:
        found = go(now.books, now.office.library, now.game.id, at=now.office.at)
        line = f"{found.id} is running"
        if found.open_step is not None:
            step = now.books.step(found.id, found.open_step)
            line += f": {step.name}, {deadline_of(now, step)}"
    data(f"{line}.")


@click.command(epilog=example("adjudicator remind ember", "adjudicator remind ember --back"))
@game_argument
@click.option("--back", is_flag=True, help="Take back the last reminder that you sent.")
@dry_run_option
@home_option
@click.pass_obj
def remind(setting: Setting, game: str, back: bool, dry_run: bool) -> None:  # noqa: FBT001
    """Write to all whose orders are missing.

    With --back those that wait are not sent, and whoever has one is asked to
    disregard it.
    """
    from adjudicator.desk.gmacts import taken_back
    from adjudicator.desk.reminders import remind as write
    from adjudicator.desk.unremind import unremind

    with act(setting, game, dry_run=dry_run) as now:
        do = unremind if back else write
        letters = do(now.books, now.office.library, now.game.id, at=now.office.at)
    if back:
        data(" ".join([f"{now.game.id}:", *taken_back(letters)]))
    else:
        data(f"{now.game.id}: reminded {', '.join(letter.seat for letter in letters)}.")
