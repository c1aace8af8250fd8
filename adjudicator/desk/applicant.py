"""Somebody who wants a seat: a name that is free, an address that may join, one seat a person."""

import re
import unicodedata

from adjudicator.core.document import Seat
from adjudicator.core.names import fold
from adjudicator.desk.announce import YOUR_NAME
from adjudicator.desk.case import Case
from adjudicator.desk.seating import current, holders

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


def tidy(words: str) -> str:
    """Words on one line, without signs that cannot be seen, and not too many."""
    seen = "".join(sign if unicodedata.category(sign)[0] != "C" else " " for sign in str(words))
    return " ".join(seen.split())[:_LONGEST_WORDS]


def seat_of(case: Case, address: str) -> Seat | None:
    """The seat that the owner of an address plays."""
    for seat, name in holders(current(case.books, case.game.id)).items():
        player = case.books.player(name)
        if player is not None and address in player.addresses:
            return seat
    return None


def known_as(case: Case, address: str) -> str | None:
    """The name of the person whose address this is, from this or another game."""
    return next(iter(case.books.holders(address)), None)


def name_of(case: Case, address: str, name: str | None) -> str:
    """The name under which somebody plays: the one that the address is known by, else theirs."""
    return known_as(case, address) or tidy(name or "")


def refusal(case: Case, address: str, name: str | None) -> str | None:
    """Why this address cannot join; None when it can."""
    invited = [one.strip().lower() for one in case.settings.invited]
    if invited and address not in invited:
        return f"Only those whom the GM invited may join {case.game.id}."
    seat = seat_of(case, address)
    if seat is not None:
        return f"You play {seat} in {case.game.id} already; nobody holds two seats of a game."
    known = known_as(case, address)
    return None if known else _name_refusal(case, tidy(name or ""))


def _name_refusal(case: Case, name: str) -> str | None:
    if not name or fold(name) == fold(YOUR_NAME):
        return "A name is missing: write a line like `name: Ada`."
    if len(name) > _LONGEST_NAME or not _NAME.fullmatch(name):
        return (
            f'"{name[:_LONGEST_NAME]}" cannot be a name: it begins with a letter, has at most '
            f"{_LONGEST_NAME} letters, digits, spaces, points and hyphens. Choose another one."
        )
    taken = {fold(player.name) for player in case.books.players()}
    if fold(name) in taken or fold(name) in {fold(word) for word in _RESERVED}:
        return f'You have NOT joined: the name "{name}" is taken. Choose another one.'
    return None
