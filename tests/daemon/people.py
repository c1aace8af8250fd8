"""Players who are programs: they read their letters and reply with what a bot would order."""

from collections.abc import Mapping
from email.message import EmailMessage
from typing import Any

from adjudicator.adapters.layout import block
from adjudicator.adapters.mailprograms import (
    Reply,
    envelope,
    filled,
    inbox_files,
    plain,
    read_letter,
)
from adjudicator.cli import selfplay
from adjudicator.cli.wiring import Office

__all__ = ["HOUSE", "Bots", "EmailMessage", "envelope", "inbox_files", "read_letter", "reply"]
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
    return plain(
        Reply(
            asked=asked,
            sender=sender,
            to=to,
            message_id=f"<{facts['step']}.{number}@{sender}>",
            block=filled(facts, block(orders)),
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
            return selfplay.wanted(self._office, books, self._game)
