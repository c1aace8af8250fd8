"""Start a game: deal the position, open the first step, send the first reports."""

from datetime import datetime

from adjudicator.desk.closing import Closing
from adjudicator.desk.ports import Books, Library


def start(books: Books, library: Library, game: str, *, at: datetime) -> Closing:
    """Deal the position from seed and luck words; every seat needs a player or a bot by now."""
    raise NotImplementedError
