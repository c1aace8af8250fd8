"""Putting orders on file by hand: submit."""

import click

from adjudicator.cli.acting import Act, act
from adjudicator.cli.completing import game_argument, seat_argument
from adjudicator.cli.filetext import text_of
from adjudicator.cli.naming import whole_seat_of
from adjudicator.cli.options import Setting, example, home_option, json_option
from adjudicator.cli.output import data, document
from adjudicator.desk.errors import Refused

_NOT_TAKEN = ("refused", "unreadable")


@click.command(
    epilog=example(
        "adjudicator submit ember red orders.yaml",
        "echo 'jump: [A1-B2 x3]' | adjudicator submit ember red -",
    )
)
@game_argument
@seat_argument
@click.argument("file")
@click.option("--dry-run", is_flag=True, help="Only check: nothing is put on file.")
@json_option
@home_option
@click.pass_context
def submit(
    context: click.Context,
    game: str,
    seat: str,
    file: str,
    dry_run: bool,  # noqa: FBT001
    as_json: bool,  # noqa: FBT001
) -> None:
    """Put the orders in FILE (- is standard input) on file for SEAT.

    FILE holds the order form as a player writes it, in YAML, or a whole letter
    with one form in it. What is printed is the receipt that the player would
    get.
    """
    from adjudicator.adapters.letter.pasted import pasted
    from adjudicator.desk.submit import submit as take

    setting: Setting = context.obj
    text = text_of(file, "order form")
    orders, source = pasted(text)
    with act(setting, game, dry_run=dry_run) as now:
        found = whole_seat_of(now.game, seat)
        if not text.strip():
            raise Refused(f"{file}: there is nothing in it; to order nothing write `ready: true`")
        _of_this_seat(now, found, orders)
        receipt = take(
            now.books,
            now.office.library,
            now.game.id,
            found,
            orders,
            by="gm",
            at=now.office.at,
            source=source,
        )
    if as_json:
        document(receipt)
    else:
        data(setting.office.printed("receipt.txt", receipt, now.game.kind))
    if receipt["outcome"] in _NOT_TAKEN:
        context.exit(1)


def _of_this_seat(now: Act, seat: str, orders: object) -> None:
    """A form that was made for another seat is a file mixed up; without a key nobody can tell."""
    from adjudicator.core.reading import Text
    from adjudicator.desk.envelope import opened
    from adjudicator.desk.house import GM
    from adjudicator.desk.keyring import holder

    if not isinstance(orders, Text):
        return
    head, _ = opened(orders)
    if head.key is None:
        return
    secret = now.office.home.secret()
    whose = holder(now.books, secret, game=now.game.id, given=head.key, step=head.step)
    if whose is not None and whose.seat not in (seat, GM):
        raise Refused(
            f"the key in this form is {whose.seat}'s, so these are no orders for {seat}; "
            "nothing was put on file. If they are meant so, take the line with the key out"
        )
