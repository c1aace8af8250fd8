"""Give a seat to another player."""

from datetime import datetime

from adjudicator.desk.ports import Books, Library
from adjudicator.desk.values import Seating


def replace(
    books: Books, library: Library, game: str, seat: str, player: str, *, at: datetime
) -> Seating:
    """Seat a substitute, who gets a full deadline, what is on file and the last report."""
    raise NotImplementedError
