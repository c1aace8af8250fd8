"""What became of a letter."""

from datetime import datetime

from msgspec import Struct

from adjudicator.core.document import Seat
from adjudicator.desk.model.mail import IncomingLetter
from adjudicator.desk.model.people import House
from adjudicator.desk.model.ports import Books, Library
from adjudicator.desk.model.values import OutgoingLetter


class LetterTask(Struct, frozen=True, kw_only=True):
    """A letter that came in, with everything that is needed to answer it."""

    books: Books
    library: Library
    house: House
    secret: bytes
    letter: IncomingLetter
    arrived: datetime
    at: datetime


class LetterResult(Struct, frozen=True, kw_only=True):
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


def no_answer(reason: str, *, game: str | None = None, seat: Seat | None = None) -> LetterResult:
    """No answer, and why."""
    return LetterResult(outcome="silence", reason=reason, game=game, seat=seat)


def answered_by(
    letter: OutgoingLetter | None, reason: str, *, seat: Seat | None = None
) -> LetterResult:
    """By this letter."""
    if letter is None:
        return no_answer(f"{reason}; there is nobody to be answered", seat=seat)
    kind = letter.kind if letter.kind in ("receipt", "notice") else "answer"
    game = letter.game or None
    return LetterResult(outcome=kind, reason=reason, game=game, seat=seat, answer=letter.message_id)
