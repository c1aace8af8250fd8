"""A letter at hand: how its sender is answered, how often, and the record of what became of it.

An address proves nothing, so it is the address that is slowed down, and never the seat.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.core.document import Seat
from adjudicator.desk.model.context import Context
from adjudicator.desk.model.mail import IncomingLetter
from adjudicator.desk.model.people import House
from adjudicator.desk.model.ports import Books, Library
from adjudicator.desk.model.seats import PLAYER, current_seatings
from adjudicator.desk.model.values import Arrival, Caller, Game, OutgoingLetter
from adjudicator.desk.outbox.notices import notify_gm, notify_stranger

_KNOWN = 20
"""Answers a day to a registered address that gave no good key."""
_FREE = 4
"""So many wrong keys a day cost nothing: people mistype."""
_EMPTY = 30
"""Receipts a day for letters that changed nothing: a program that sends forms back must not get
an answer to each answer for ever."""
_LONGEST = timedelta(days=1)


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

    def caller(self, name: str) -> Caller:
        """What this address, or seat of a game, has used up today."""
        day = f"{self.at:%Y-%m-%d}"
        known = self.books.caller(name) or Caller(address=name, day=day)
        if known.day == day:
            return known
        return Caller(address=name, day=day, until=known.until)

    def is_slowed(self) -> bool:
        """Whether keys from this sender are not looked at for a while."""
        sender = self.letter.sender
        until = self.caller(sender).until if sender else None
        return until is not None and until > self.at

    def count_wrong_key(self) -> None:
        """Each wrong key after the first few doubles the time for which the sender is slowed."""
        known = self.caller(self.letter.sender or "")
        wrong, until = known.wrong + 1, known.until
        if wrong > _FREE:
            until = self.at + min(timedelta(minutes=2 ** min(wrong - _FREE, 12)), _LONGEST)
        self.books.save_caller(replace(known, wrong=wrong, until=until))

    def may_answer_sender(self) -> bool:
        """Count an answer to a sender who proved nothing; False when there were enough today."""
        sender = self.letter.sender or ""
        is_known = self.books.holders(sender) or self.house.is_gm(sender)
        return self._count_answer(sender, _KNOWN if is_known else self.house.strangers)

    def may_tell_again(self, game: str, seat: Seat) -> bool:
        """Count a receipt for a letter that changed nothing; False when there were enough today."""
        return self._count_answer(f"{game}/{seat}", _EMPTY)

    def _count_answer(self, name: str, most: int) -> bool:
        known = self.caller(name)
        if known.answers >= most:
            return False
        self.books.save_caller(replace(known, answers=known.answers + 1))
        return True

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
