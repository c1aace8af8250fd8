"""Putting orders on file by hand: submit."""

import click

from adjudicator.cli.acts.transaction import GameTransaction, open_transaction
from adjudicator.cli.terminal.arguments import (
    find_exact_seat,
    game_argument,
    read_text_file,
    seat_argument,
)
from adjudicator.cli.terminal.options import Setting, example, home_option, json_option
from adjudicator.cli.terminal.output import print_data, print_document
from adjudicator.desk.model.errors import Refused

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
def submit_command(
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
    from adjudicator.adapters.mail.inbound.candidates import parse_pasted
    from adjudicator.desk.orders.submit import submit as take

    setting: Setting = context.obj
    text = read_text_file(file, "order form")
    orders, source = parse_pasted(text)
    with open_transaction(setting, game, dry_run=dry_run) as now:
        found = find_exact_seat(now.game, seat)
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
        print_document(receipt)
    else:
        print_data(setting.office.printed("receipt.txt", receipt, now.game.kind))
    if receipt["outcome"] in _NOT_TAKEN:
        context.exit(1)


def _of_this_seat(now: GameTransaction, seat: str, orders: object) -> None:
    """A form that was made for another seat is a file mixed up; without a key nobody can tell."""
    from adjudicator.core.forms.reading import Text
    from adjudicator.desk.inbox.authentication import find_key_holder
    from adjudicator.desk.model.people import GM
    from adjudicator.desk.requests.envelope import parse_block

    if not isinstance(orders, Text):
        return
    head = parse_block(orders).envelope
    if head.key is None:
        return
    secret = now.office.home.secret()
    whose = find_key_holder(now.books, secret, game=now.game.id, given=head.key, step=head.step)
    if whose is not None and whose.seat not in (seat, GM):
        raise Refused(
            f"the key in this form is {whose.seat}'s, so these are no orders for {seat}; "
            "nothing was put on file. If they are meant so, take the line with the key out"
        )
