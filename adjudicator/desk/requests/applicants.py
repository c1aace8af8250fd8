"""Check who may join: the name must be free, the address admitted, one seat for each person."""

import re
import unicodedata

from adjudicator.core.names import fold
from adjudicator.desk.model.context import Context
from adjudicator.desk.outbox.announcement import YOUR_NAME, may_join

_LONGEST_NAME = 40
_LONGEST_WORDS = 200
_NAME = re.compile(r"\w[\w .'-]*")
_RESERVED = (
    YOUR_NAME,
    "anonymous",
    "bot",
    "everybody",
    "gm",
    "house",
    "idle",
    "nobody",
    "player",
    "your name",
)


def tidy_text(words: str) -> str:
    """Put words on one line, without invisible characters, and shorten them."""
    text = "".join(sign if unicodedata.category(sign)[0] != "C" else " " for sign in str(words))
    return " ".join(text.split())[:_LONGEST_WORDS]


def name_of_address(context: Context, address: str) -> str | None:
    """Find the name of the person with this address, from this or another game."""
    return next(iter(context.books.holders(address)), None)


def choose_name(context: Context, address: str, name: str | None) -> str:
    """Choose a player's name: the one known for the address, else the one they chose."""
    return name_of_address(context, address) or tidy_text(name or "")


def explain_refusal(context: Context, address: str, name: str | None) -> str | None:
    """Explain why this address cannot join; None when it can.

    Nothing that the writer chose is quoted: the letter may go to somebody who never wrote.
    """
    if not may_join(context, address):
        return f"Only people invited by the GM may join {context.id}."
    seat = context.seat_of(address)
    if seat is not None:
        return f"You play {seat} in {context.id} already; nobody may hold two seats in a game."
    own_name = name_of_address(context, address)
    return None if own_name else _name_refusal(context, tidy_text(name or ""))


def _name_refusal(context: Context, name: str) -> str | None:
    if not name or fold(name) == fold(YOUR_NAME):
        return "A name is missing. Reply `join as Ada`, with your own name."
    if len(name) > _LONGEST_NAME or not _NAME.fullmatch(name):
        return (
            "That cannot be a name: a name begins with a letter, and has at most "
            f"{_LONGEST_NAME} letters, digits, spaces, dots and hyphens. Choose another one."
        )
    names = {fold(player.name) for player in context.books.players()}
    if fold(name) in names or fold(name) in {fold(word) for word in _RESERVED}:
        return "You have NOT joined: the name is taken. Choose another one."
    return None
