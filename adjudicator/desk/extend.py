"""Give the open step more time."""

from datetime import datetime

from adjudicator.desk.ports import Books, Library
from adjudicator.desk.values import Step


def extend(books: Books, library: Library, game: str, length: str, *, at: datetime) -> Step:
    """Move the open step's deadline by a length of time (24h)."""
    raise NotImplementedError
