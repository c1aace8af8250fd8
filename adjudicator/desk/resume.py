"""Let the clock of a paused game go on."""

from datetime import datetime

from adjudicator.desk.ports import Books, Library
from adjudicator.desk.values import Game


def resume(books: Books, library: Library, game: str, *, at: datetime) -> Game:
    """Go on; the deadline moves by as long as the pause was."""
    raise NotImplementedError
