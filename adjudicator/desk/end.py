"""End a game before its rules do: by the players' votes, or because nobody plays any more."""

from collections.abc import Sequence
from datetime import datetime

from adjudicator.core.document import Seat
from adjudicator.desk.closing import Closing
from adjudicator.desk.ports import Books, Library


def end(
    books: Books,
    library: Library,
    game: str,
    *,
    winners: Sequence[Seat],
    reason: str,
    at: datetime,
) -> Closing:
    """End the game with these winners; without any it is drawn."""
    raise NotImplementedError
