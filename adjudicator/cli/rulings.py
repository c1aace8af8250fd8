"""Putting things right: rollback, note, accept, end."""

import click

from adjudicator.cli.acting import act, dry_run_option, told
from adjudicator.cli.completing import game_argument
from adjudicator.cli.naming import step_of, whole_seat_of
from adjudicator.cli.options import Setting, example, home_option
from adjudicator.cli.output import data


@click.command(
    epilog=example(
        "adjudicator rollback ember 3-plan",
        "adjudicator rollback ember 3 --same-dice",
        "adjudicator rollback ember 3 --back",
    )
)
@game_argument
@click.argument("step")
@click.option("--same-dice", is_flag=True, help="Keep the dice: before its reports went out.")
@click.option("--back", is_flag=True, help="Take the last rollback back, to before this step.")
@dry_run_option
@home_option
@click.pass_obj
def rollback(
    setting: Setting,
    game: str,
    step: str,
    same_dice: bool,  # noqa: FBT001
    back: bool,  # noqa: FBT001
    dry_run: bool,  # noqa: FBT001
) -> None:
    """Strike STEP and all after it, and play it again under a new number."""
    from adjudicator.desk.rollback import rollback as go_back

    if back and same_dice:
        raise click.UsageError("--back plays nothing again, so --same-dice does not go with it")
    with act(setting, game, dry_run=dry_run) as now:
        name = step_of(now.books, now.game, step)
        closing = go_back(
            now.books,
            now.office.library,
            now.game.id,
            name,
            same_dice=same_dice,
            back=back,
            at=now.office.at,
        )
        came = "counts again" if back else "is struck"
        text = told(now, closing, f"{came}, with all that came after it")
    data(text)


@click.command(epilog=example("adjudicator note ember 'Bo is on holiday until Friday.'"))
@game_argument
@click.argument("text", nargs=-1, required=True)
@dry_run_option
@home_option
@click.pass_obj
def note(setting: Setting, game: str, text: tuple[str, ...], dry_run: bool) -> None:  # noqa: FBT001
    """Write TEXT into the history."""
    from adjudicator.desk.note import note as write

    with act(setting, game, dry_run=dry_run) as now:
        written = write(
            now.books, now.office.library, now.game.id, " ".join(text), at=now.office.at
        )
    data(f"{now.game.id}: note {written.number} is in the history.")


@click.command(epilog=example("adjudicator accept ember"))
@game_argument
@dry_run_option
@home_option
@click.pass_obj
def accept(setting: Setting, game: str, dry_run: bool) -> None:  # noqa: FBT001
    """Let a game go on under rules that have changed since it began."""
    from adjudicator.desk.accept import accept as agree

    with act(setting, game, dry_run=dry_run) as now:
        agree(now.books, now.office.library, now.game.id, at=now.office.at)
    data(f"{now.game.id} goes on under the rules as they are now.")


@click.command(
    epilog=example(
        "adjudicator end ember --reason 'all voted for a draw'",
        "adjudicator end ember --winner red --reason 'the others conceded'",
    )
)
@game_argument
@click.option("--winner", "winners", multiple=True, metavar="SEAT", help="Again for a shared win.")
@click.option("--reason", required=True, help="Why; it is told to everybody.")
@dry_run_option
@home_option
@click.pass_obj
def end(setting: Setting, game: str, winners: tuple[str, ...], reason: str, dry_run: bool) -> None:  # noqa: FBT001
    """End a game before its rules do; without a winner it is drawn."""
    from adjudicator.desk.end import end as finish

    with act(setting, game, dry_run=dry_run) as now:
        seats = [whole_seat_of(now.game, winner) for winner in winners]
        closing = finish(
            now.books,
            now.office.library,
            now.game.id,
            winners=seats,
            reason=reason,
            at=now.office.at,
        )
        text = told(now, closing, "ends the game")
    data(text)
