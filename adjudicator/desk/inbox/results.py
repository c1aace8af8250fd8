"""A letter at hand, and the record of what became of it."""

from datetime import datetime
from typing import Any

from msgspec import Struct

from adjudicator.core.document import Seat
from adjudicator.desk.model.mail import IncomingLetter
from adjudicator.desk.model.people import House
from adjudicator.desk.model.ports import Books, Library
from adjudicator.desk.model.values import Arrival, OutgoingLetter


class LetterTask(Struct, frozen=True, kw_only=True):
    """A letter that came in, with everything that is needed to answer it."""

    books: Books
    library: Library
    house: House
    secret: bytes
    letter: IncomingLetter
    arrived: datetime
    at: datetime

    @property
    def sender(self) -> str:
        """Where it says that it comes from, in words."""
        return self.letter.sender or "an unknown address"

    def no_answer(
        self, reason: str, *, game: str | None = None, seat: Seat | None = None
    ) -> Arrival:
        """The record of a letter that gets no answer, and why."""
        return self._record(outcome="silence", reason=reason, game=game, seat=seat)

    def answered(
        self,
        letter: OutgoingLetter | None,
        reason: str,
        *,
        seat: Seat | None = None,
        number: int | None = None,
    ) -> Arrival:
        """The record of a letter that this one answers; `number` is of the orders put on file."""
        if letter is None:
            return self.no_answer(f"{reason}; there is nobody to answer", seat=seat)
        return self._record(
            outcome=letter.kind if letter.kind in ("receipt", "notice") else "answer",
            reason=reason,
            game=letter.game or None,
            seat=seat,
            answer=letter.message_id,
            number=number,
        )

    def _record(self, **outcome: Any) -> Arrival:
        letter = self.letter
        return Arrival(
            message_id=letter.message_id or "",
            digest=letter.digest,
            arrived=self.arrived,
            read=self.at,
            date=letter.date,
            sender=letter.sender,
            **outcome,
        )
