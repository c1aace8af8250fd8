"""A ruling of the GM's: the position itself is changed."""

from datetime import datetime

from adjudicator.core.document import Document
from adjudicator.desk.closing import Closing
from adjudicator.desk.ports import Books, Library


def position(books: Books, library: Library, game: str) -> Document:
    """The state document in which orders are owed now, to be edited."""
    raise NotImplementedError


def edit(
    books: Books,
    library: Library,
    game: str,
    document: Document,
    *,
    reason: str,
    at: datetime,
) -> Closing:
    """Put this position in the place of the present one, as a ruling with its reason."""
    raise NotImplementedError
