"""A letter at hand, and the record of what became of it."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from msgspec import Struct

from adjudicator.core.document import Seat
from adjudicator.desk.inbox.rate_limit import find_caller, may_be_answered
from adjudicator.desk.model.context import Context
from adjudicator.desk.model.mail import IncomingLetter
from adjudicator.desk.model.people import House
from adjudicator.desk.model.ports import Books, Library
from adjudicator.desk.model.seats import PLAYER, current_seatings
from adjudicator.desk.model.values import Arrival, Game, OutgoingLetter
from adjudicator.desk.outbox.notices import notify_gm, notify_stranger


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

    def context(self, game: str) -> Context:
        """A game that the letter is about."""
        return Context(self.books, self.library, game, self.at)

    def tell_sender(
        self, headline: str, lines: Sequence[str], guide: str | None = None
    ) -> OutgoingLetter:
        """A letter to where this one says that it comes from: only what everybody may know."""
        to = self.letter.sender or ""
        return notify_stranger(self.books, self.house, to, headline, lines, at=self.at, guide=guide)

    def tell_gm(self, line: str) -> None:
        """A notice to the GM that nobody could be answered."""
        subject = "A letter could not be read"
        notify_gm(self.books, self.house, subject, [line], at=self.at)

    def may_answer_sender(self) -> bool:
        """Count an answer to a sender who proved nothing; False when there were enough today."""
        return may_be_answered(self.books, self.house, self.letter.sender or "", self.at)

    def is_slowed(self) -> bool:
        """Whether keys from this sender are not looked at for a while."""
        sender = self.letter.sender
        until = find_caller(self.books, sender, self.at).until if sender else None
        return until is not None and until > self.at

    def seats_of_sender(self) -> list[tuple[Game, Seat]]:
        """The seats of a player who has confirmed this address, in all games."""
        books, sender = self.books, self.letter.sender or ""
        people = [
            name
            for name in books.holders(sender)
            if any(one.address == sender and one.confirmed for one in books.addresses(name))
        ]
        return [
            (game, seat)
            for game in (books.games() if people else ())
            for seat, seating in current_seatings(books, game.id).items()
            if seating.kind == PLAYER and seating.player in people
        ]

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
