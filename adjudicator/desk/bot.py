"""Let the house's bot play a seat."""

from datetime import datetime

from adjudicator.desk.ports import Books, Library
from adjudicator.desk.values import Seating


def bot(books: Books, library: Library, game: str, seat: str, *, at: datetime) -> Seating:
    """Give the seat to the bot; it writes its orders when a step closes."""
    raise NotImplementedError
