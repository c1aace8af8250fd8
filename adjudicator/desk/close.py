"""Close a step: adjudicate it, publish it, open the next one; all in the caller's transaction."""

from datetime import datetime

from adjudicator.core.document import Seat
from adjudicator.desk.closing import Closing
from adjudicator.desk.ports import Books, Library


def missing(books: Books, library: Library, game: str) -> tuple[Seat, ...]:
    """The seats whose orders the open step still waits for, in seat order."""
    raise NotImplementedError


def close(
    books: Books,
    library: Library,
    game: str,
    *,
    at: datetime,
    now: bool,
    step: str | None = None,
) -> Closing:
    """Adjudicate the open step; `step` names the one that is meant, so that it is closed once.

    Refuses when orders are missing, or somebody asked not to close early, unless `now`.
    """
    raise NotImplementedError
