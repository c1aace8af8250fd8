"""A player leaves the game."""

from datetime import datetime

from adjudicator.desk.ports import Books, Library
from adjudicator.desk.values import Seating


def resign(
    books: Books, library: Library, game: str, seat: str, *, by: str, at: datetime
) -> Seating:
    """Free the seat, as the game's settings say (nmr: idle, bot, substitute)."""
    raise NotImplementedError
