"""A word of the GM's for the game's history."""

from datetime import datetime

from adjudicator.desk.errors import Refused
from adjudicator.desk.log import log
from adjudicator.desk.ports import Books, Library
from adjudicator.desk.values import Note


def note(books: Books, library: Library, game: str, text: str, *, at: datetime) -> Note:  # noqa: ARG001 - every act of the GM is called alike
    """Write the GM's own words into the history."""
    words = " ".join(text.split())
    if not words:
        raise Refused(f"{game}: a note needs words")
    return log(books, books.locked(game).id, "note", words, at=at)
