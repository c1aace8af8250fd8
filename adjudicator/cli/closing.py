"""Adjudicating the step that is due: close."""

import click

from adjudicator.cli.acting import Act, act, dry_run_option, told
from adjudicator.cli.completing import game_argument
from adjudicator.cli.naming import game_of, step_of
from adjudicator.cli.options import Setting, example, home_option, json_option, reveal_option
from adjudicator.cli.output import data, document
from adjudicator.desk.closing import Closing
from adjudicator.desk.values import OrderSet


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
def close(
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
    from adjudicator.desk import look
    from adjudicator.desk.close import close as adjudicate

    meant = step or _open_now(setting, game)
    if reveal:
        with act(setting, game, dry_run=False) as now:
            look.reveal(now.books, now.game.id, "what closing the step brings", at=now.office.at)
    with act(setting, game, dry_run=dry_run) as now:
        closing = adjudicate(
            now.books,
            now.office.library,
            now.game.id,
            at=now.office.at,
            now=at_once,
            step=step_of(now.books, now.game, meant) if meant else None,
        )
        text = told(now, closing, "would be closed" if dry_run else "is closed")
        sets = _executed(now, closing)
        public = look.report(now.books, now.game.id, step=closing.step.name) if reveal else None
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
                "orders": [{"seat": s.seat, "receipt": s.number or None, "by": s.by} for s in sets],
                "notes": closing.notes,
                "report": public,
                "dry_run": dry_run,
            }
        )
        return
    data(text)
    data(f"Orders: {', '.join(_told(own) for own in sets) or 'none'}.")
    if public is not None:
        data(f"\n{now.office.printed('report.txt', public, now.game.kind)}")


def _open_now(setting: Setting, game: str) -> str | None:
    """The step that is open when the command comes in: of two that come at once one closes it,
    and the other does not go on to close the next.
    """
    with setting.office.reading() as books:
        number = game_of(books, game).open_step
        return None if number is None else str(number)


def _executed(now: Act, closing: Closing) -> list[OrderSet]:
    found = now.books.orders(closing.game.id, closing.step.number)
    return [own for own in found if own.executed]


def _told(own: OrderSet) -> str:
    """Where a seat's executed set came from."""
    whence = {"bot": "by the bot", "default": "none, so the default"}
    return f"{own.seat} " + (f"receipt {own.number}" if own.number else whence[own.by])
