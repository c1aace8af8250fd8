"""Players who are programs: they read their letters and reply with what a bot would order."""

from collections.abc import Mapping
from email.message import EmailMessage
from typing import Any

from adjudicator.adapters.render.text_layout import format_block
from adjudicator.cli.demo.mail_programs import (
    Reply,
    fill_form,
    reply_in_plain_text,
)
from adjudicator.cli.demo.people import choose_bot_orders
from adjudicator.cli.wiring import Office

HOUSE = "games@game.test"


def reply(
    sender: str,
    asked: EmailMessage,
    facts: Mapping[str, str],
    orders: Any,
    number: int,
    to: str = HOUSE,
) -> bytes:
    """An answer with orders in it, as a person writes it on top."""
    return reply_in_plain_text(
        Reply(
            asked=asked,
            sender=sender,
            to=to,
            message_id=f"<{facts['step']}.{number}@{sender}>",
            block=fill_form(facts, format_block(orders)),
        )
    )


class Bots:
    """What the bot would order for the seats that are still missing."""

    def __init__(self, office: Office, game: str) -> None:
        self._office = office
        self._game = game

    def wanted(self) -> tuple[str | None, dict[str, dict[str, Any]]]:
        """The open step, and orders for everybody who is missing in it."""
        with self._office.reading() as books:
            return choose_bot_orders(self._office, books, self._game)
