"""A letter on the desk, and what came of it."""

from datetime import datetime

from msgspec import Struct

from adjudicator.core.document import Seat
from adjudicator.desk.house import House
from adjudicator.desk.mail import Incoming
from adjudicator.desk.ports import Books, Library
from adjudicator.desk.values import Letter


class Post(Struct, frozen=True, kw_only=True):
    """A letter that came in, with everything that is needed to answer it."""

    books: Books
    library: Library
    house: House
    secret: bytes
    letter: Incoming
    arrived: datetime
    at: datetime


class Outcome(Struct, frozen=True, kw_only=True):
    """What came of it."""

    outcome: str
    """receipt | answer | notice | silence"""
    reason: str = ""
    """Why it was silence, or in a word what it was."""
    game: str | None = None
    seat: Seat | None = None
    answer: str | None = None
    """The Message-ID of the answer."""
    number: int | None = None
    """Of the set that it put on file."""


def silence(reason: str, *, game: str | None = None, seat: Seat | None = None) -> Outcome:
    """No answer, and why."""
    return Outcome(outcome="silence", reason=reason, game=game, seat=seat)


def answered(letter: Letter | None, reason: str, *, seat: Seat | None = None) -> Outcome:
    """By this letter."""
    if letter is None:
        return silence(f"{reason}; there is nobody to be answered", seat=seat)
    kind = letter.kind if letter.kind in ("receipt", "notice") else "answer"
    game = letter.game or None
    return Outcome(outcome=kind, reason=reason, game=game, seat=seat, answer=letter.message_id)
