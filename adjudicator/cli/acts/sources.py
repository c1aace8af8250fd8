"""Where a command takes long arguments from: a file with an order form, a message."""

import sys

import click

from adjudicator.cli.terminal import questions
from adjudicator.cli.terminal.arguments import read_text_file
from adjudicator.cli.terminal.options import Setting
from adjudicator.core.forms.reading import Text
from adjudicator.desk.acts.act import find_exact_seat
from adjudicator.desk.acts.open_step import GivenOrders
from adjudicator.desk.model.errors import Refused


def read_form(setting: Setting, game: str, seat: str, file: str) -> GivenOrders:
    """The order form in a file, or in a letter that was pasted into it."""
    from adjudicator.adapters.mail.inbound.candidates import parse_pasted

    with setting.office.reading() as books:
        find_exact_seat(books.game(game).seats, seat)
    text = read_text_file(file, "order form")
    orders, source = parse_pasted(text)
    if not text.strip():
        raise Refused(f"{file}: there is nothing in it; to order nothing write `ready: true`")
    if isinstance(orders, Text):
        _refuse_other_key(setting, game, seat, orders)
    return GivenOrders(orders, source)


def _refuse_other_key(setting: Setting, game: str, seat: str, orders: Text) -> None:
    """A form that was made for another seat is a file mixed up; without a key nobody can tell."""
    from adjudicator.core.names import match_exactly
    from adjudicator.desk.inbox.blocks import find_key_holder
    from adjudicator.desk.model.people import GM
    from adjudicator.desk.requests.envelope import parse_block

    head = parse_block(orders).envelope
    if head.key is None:
        return
    secret = setting.office.home.secret()
    with setting.office.reading() as books:
        seats = books.game(game).seats
        holder = find_key_holder(books, secret, game=game, given=head.key, step=head.step)
    if holder is not None and holder.seat not in (match_exactly(seat, seats), GM):
        raise Refused(
            f"the key in this form is {holder.seat}'s, so these are not orders for {seat}; "
            "nothing was put on file. If they are, remove the line with the key"
        )


def read_message(text: str | None) -> str:
    """The message that was given, or from standard input, or from an editor at a terminal."""
    if text is not None and text != "-":
        return text
    if text is None and questions.can_ask():
        written = click.edit()
        return written or ""
    return sys.stdin.read()
