"""Take a letter: who wrote it, what it wishes, and the one answer that it gets."""

from datetime import datetime

from msgspec import Struct

from adjudicator.core.document import Seat


class Received(Struct, frozen=True, kw_only=True):
    """What became of a letter."""

    outcome: str
    """receipt | answer | notice | silence | repeat"""
    reason: str = ""
    game: str | None = None
    seat: Seat | None = None
    answer: str | None = None
    """The Message-ID of the answer."""
    moved: datetime | None = None
