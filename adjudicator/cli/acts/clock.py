"""The clock of a game: close, extend, pause, resume, remind."""

import click

from adjudicator.cli.acts.transaction import (
    GameTransaction,
    describe_closing,
    describe_deadline,
    dry_run_option,
    open_transaction,
)
from adjudicator.cli.terminal.arguments import find_game, game_argument
from adjudicator.cli.terminal.options import (
    Setting,
    example,
    home_option,
    json_option,
    reveal_option,
)
from adjudicator.cli.terminal.output import print_data, print_document
from adjudicator.desk.model.lineage import find_step
from adjudicator.desk.model.values import OrderSet
from adjudicator.desk.steps.advance import StepClosing


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
@reveal_option
@json_option
@home_option
@click.pass_obj
def close_command(
    setting: Setting,
    game: str,
    at_once: bool,  # noqa: FBT001
    step: str | None,
    dry_run: bool,  # noqa: FBT001
    reveal: bool,  # noqa: FBT001
    as_json: bool,  # noqa: FBT001
) -> None:
    """Adjudicate the open step, publish it, and open the next one.

    It refuses while orders are missing or somebody asked to wait; --now takes
    the game's default for what is missing. What comes out is not shown, since
    the GM may be playing: `report` shows it afterwards, --reveal at once.
    """
    from adjudicator.desk.questions.screens import find_report, record_look
    from adjudicator.desk.steps.close import close_step as adjudicate

    meant = step or _open_now(setting, game)
    if reveal:
        with open_transaction(setting, game, dry_run=False) as now:
            record_look(now.books, now.game.id, "what closing the step brings", at=now.office.at)
    with open_transaction(setting, game, dry_run=dry_run) as now:
        closing = adjudicate(
            now.books,
            now.office.library,
            now.game.id,
            at=now.office.at,
            now=at_once,
            step=find_step(now.books, now.game.id, meant, prefer="open").name if meant else None,
        )
        text = describe_closing(now, closing, "would be closed" if dry_run else "is closed")
        sets = _executed(now, closing)
        public = find_report(now.books, now.game.id, step=closing.step.name) if reveal else None
    if as_json:
        opened = closing.opened
        print_document(
            {
                "game": closing.game.id,
                "status": closing.game.status,
                "closed": closing.step.name,
                "open": opened.name if opened else None,
                "letters": [
                    {"kind": one.kind, "number": one.number, "seat": one.seat}
                    for one in closing.letters
                ],
                "orders": [{"seat": s.seat, "receipt": s.number or None, "by": s.by} for s in sets],
                "notes": closing.notes,
                "report": public,
                "dry_run": dry_run,
            }
        )
        return
    print_data(text)
    print_data(f"Orders: {', '.join(_told(own) for own in sets) or 'none'}.")
    if public is not None:
        print_data(f"\n{now.office.printed('report.txt', public, now.game.kind)}")


def _open_now(setting: Setting, game: str) -> str | None:
    """The step that is open when the command comes in: of two that come at once one closes it,
    and the other does not go on to close the next.
    """
    with setting.office.reading() as books:
        number = find_game(books, game).open_step
        return None if number is None else str(number)


def _executed(now: GameTransaction, closing: StepClosing) -> list[OrderSet]:
    found = now.books.orders(closing.game.id, closing.step.number)
    return [own for own in found if own.executed]


def _told(own: OrderSet) -> str:
    """Where a seat's executed set came from."""
    whence = {"bot": "by the bot", "default": "none, so the default"}
    return f"{own.seat} " + (f"receipt {own.number}" if own.number else whence[own.by])


@click.command(
    epilog=example("adjudicator extend ember 24h", "adjudicator extend ember 12h --back")
)
@game_argument
@click.argument("length")
@click.option("--back", is_flag=True, help="Take back time that was given to it.")
@dry_run_option
@home_option
@click.pass_obj
def extend_command(setting: Setting, game: str, length: str, back: bool, dry_run: bool) -> None:  # noqa: FBT001
    """Move the deadline of the open step by LENGTH: 90m, 24h, 3d."""
    from adjudicator.desk.acts.calendar import extend_deadline as later

    with open_transaction(setting, game, dry_run=dry_run) as now:
        library = now.office.library
        step = later(now.books, library, now.game.id, length, at=now.office.at, back=back)
        line = f"{now.game.id}: {step.name}, {describe_deadline(now, step)}."
    print_data(line)


@click.command(epilog=example("adjudicator pause ember"))
@game_argument
@dry_run_option
@home_option
@click.pass_obj
def pause_command(setting: Setting, game: str, dry_run: bool) -> None:  # noqa: FBT001
    """Stop the clock: orders are still taken, nothing closes."""
    from adjudicator.desk.acts.pause import pause_game as stop

    with open_transaction(setting, game, dry_run=dry_run) as now:
        stop(now.books, now.office.library, now.game.id, at=now.office.at)
    print_data(f"{now.game.id} is paused. Go on: adjudicator resume {now.game.id}")


@click.command(epilog=example("adjudicator resume ember"))
@game_argument
@dry_run_option
@home_option
@click.pass_obj
def resume_command(setting: Setting, game: str, dry_run: bool) -> None:  # noqa: FBT001
    """Let the clock run again; the deadline moves by as long as the pause was."""
    from adjudicator.desk.acts.calendar import resume_game as go

    with open_transaction(setting, game, dry_run=dry_run) as now:
        found = go(now.books, now.office.library, now.game.id, at=now.office.at)
        line = f"{found.id} is running"
        if found.open_step is not None:
            step = now.books.step(found.id, found.open_step)
            line += f": {step.name}, {describe_deadline(now, step)}"
    print_data(f"{line}.")


@click.command(epilog=example("adjudicator remind ember", "adjudicator remind ember --back"))
@game_argument
@click.option("--back", is_flag=True, help="Take back the last reminder that you sent.")
@dry_run_option
@home_option
@click.pass_obj
def remind_command(setting: Setting, game: str, back: bool, dry_run: bool) -> None:  # noqa: FBT001
    """Write to all whose orders are missing.

    With --back those that wait are not sent, and whoever has one is asked to
    disregard it.
    """
    from adjudicator.desk.acts.by_mail import taken_back
    from adjudicator.desk.acts.remind import remind_late as write
    from adjudicator.desk.acts.remind import withdraw_reminder

    with open_transaction(setting, game, dry_run=dry_run) as now:
        do = withdraw_reminder if back else write
        letters = do(now.books, now.office.library, now.game.id, at=now.office.at)
    if back:
        print_data(" ".join([f"{now.game.id}:", *taken_back(letters)]))
    else:
        print_data(f"{now.game.id}: reminded {', '.join(letter.seat for letter in letters)}.")
