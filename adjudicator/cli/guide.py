"""The guides for players and GMs: guide."""

import click

from adjudicator.cli.options import Setting, example
from adjudicator.cli.output import data

_READERS = ("player", "gm")


@click.command(epilog=example("adjudicator guide", "adjudicator guide gm"))
@click.argument("reader", type=click.Choice(_READERS), default="player")
@click.pass_obj
def guide(setting: Setting, reader: str) -> None:
    """Show what a player (or the gm) can write and do; `ask: help` mails the same."""
    data(setting.office.printer.text(f"guide-{reader}.txt", {}).rstrip())
