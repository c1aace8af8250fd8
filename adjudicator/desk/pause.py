"""Stop the clock of a game."""

from datetime import datetime

from adjudicator.desk.ports import Books, Library
from adjudicator.desk.values import Game


def pause(books: Books, library: Library, game: str, *, at: datetime) -> Game:
    """Stop the clock; orders are still taken, nothing closes."""
    raise NotImplementedError
