"""Stop the clock of a game."""

from datetime import datetime

from adjudicator.desk.model.context import RUNNING
from adjudicator.desk.model.history import write_note
from adjudicator.desk.model.ports import Books, Library
from adjudicator.desk.model.values import Game
from adjudicator.desk.steps.finish import stop_clock
from adjudicator.desk.steps.lock import lock_context


def pause_game(books: Books, library: Library, game: str, *, at: datetime) -> Game:
    """Stop the clock; orders are still taken, nothing closes."""
    context = lock_context(books, library, game, at=at, status=RUNNING)
    write_note(books, game, "pause", "the clock stands still", at=at)
    line = "The GM paused the game: no deadline runs, nothing closes. Orders are still taken."
    return stop_clock(context, line, at=at)
