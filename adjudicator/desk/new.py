"""Make a game."""

from collections.abc import Mapping
from datetime import datetime

from adjudicator.core.document import Document, Seat
from adjudicator.desk.ports import Books, Kind, Library
from adjudicator.desk.values import Game


def advice(kind: Kind, seats: int) -> tuple[str, ...]:
    """What the GM should know although it is allowed, a sentence each (JW-1)."""
    raise NotImplementedError


def new(
    books: Books,
    library: Library,
    *,
    game: str,
    kind: str,
    seats: Mapping[Seat, str | None],
    options: Document,
    settings: Document,
    seed: bytes,
    luck: Mapping[Seat, str],
    verifiable: bool,
    components: Document | None,
    start: bool,
    at: datetime,
) -> Game:
    """Make a game, open or started; the advice to the GM is in its notes (act "advice").

    A seat's value is its player's name, "bot", or None for a seat that nobody has taken yet.
    """
    raise NotImplementedError
