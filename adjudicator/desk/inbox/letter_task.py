"""A letter at hand: how its sender is answered, how often, and the record of what became of it.

An address proves nothing, so it is the address that is slowed down, and never the seat.
"""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.core.document import Seat
from adjudicator.desk.model.context import Context
from adjudicator.desk.model.mail import Caller, IncomingLetter
from adjudicator.desk.model.people import House
from adjudicator.desk.model.ports import Books, Library
from adjudicator.desk.model.seats import PLAYER, current_seatings
from adjudicator.desk.model.values import Arrival, Game, OutgoingLetter
from adjudicator.desk.outbox.notices import notify_gm, notify_gm_daily, notify_stranger

_KNOWN = 20
"""Answers a day to a registered address that gave no good key, and to one that joins."""
_RESENT = 5
"""So often a day a registered address gets its last letters again without a key."""
_EMPTY = 30
"""Receipts a day for letters that changed nothing: a program that sends forms back must not get
an answer to each answer for ever."""
_DAY, _HOUR, _QUARTER = timedelta(days=1), timedelta(hours=1), timedelta(minutes=15)
_FREE_OF_SENDER, _FREE_OF_DOMAIN, _FREE_OF_ALL = 4, 20, 60
"""So many wrong keys a day cost nothing: people mistype."""
_ALL = "@"
"""The caller under whose name the wrong keys of everybody are counted."""
_STRANGERS = "Letters from strangers are no longer answered today"
_ENOUGH = (
    "Today's limit of letters to people who play no game here is reached: {} (`strangers_all` in "
    "the settings). Others who write without a key get no answer until "
    "00:00 UTC. Players are answered as always."
)
_ONCE_A_DAY = "You get this notice once a day."
_GUESSING = "Somebody is guessing keys"
_GUESSED = (
    "{} wrong keys have arrived today. Until there are fewer, keys count only from registered "
    "addresses, and in replies to letters of the server. "
    f"{_ONCE_A_DAY}"
)


class LetterTask(Struct, frozen=True, kw_only=True):
    """An incoming letter, with everything that is needed to answer it."""

    books: Books
    library: Library
    house: House
    secret: bytes
    letter: IncomingLetter
    arrived: datetime
    at: datetime
    ignored: Collection[str] = ()
    """Requests that are not granted, wherever in the letter they stand."""

    @property
    def sender(self) -> str:
        """The sender that the letter names, in words."""
        return self.letter.sender or "an unknown address"

    @property
    def tagged_game(self) -> str | None:
        """The name of a game that the letter was addressed to, as in games+ember@example.org."""
        for address in self.letter.recipients:
            name, tag, rest = address.partition("+")
            game, _, domain = rest.partition("@")
            if tag and game and self.house.is_own(f"{name}@{domain}"):
                return game
        return None

    def context(self, game: str) -> Context:
        """Return a game that the letter is about."""
        return Context(self.books, self.library, game, self.at)

    def tell_sender(
        self, headline: str, lines: Sequence[str], guide: str | None = None
    ) -> OutgoingLetter:
        """Write to the address that this letter claims as its sender: public information only."""
        to = self.letter.sender or ""
        return notify_stranger(self.books, self.house, to, headline, lines, at=self.at, guide=guide)

    def tell_gm(self, line: str) -> None:
        """Notify the GM that nobody could be answered; anybody can send any number of those."""
        subject, lines = "A letter could not be read", [f"{line} {_ONCE_A_DAY}"]
        notify_gm_daily(self.books, self.house, subject, lines, at=self.at)

    def caller(self, name: str) -> Caller:
        """Return what this address, or seat of a game, has used up today."""
        day = f"{self.at:%Y-%m-%d}"
        caller = self.books.caller(name) or Caller(address=name, day=day)
        if caller.day == day:
            return caller
        return Caller(address=name, day=day, until=caller.until)

    def is_ignored(self) -> bool:
        """Whether the sender guessed so many keys that only proven letters are answered."""
        return self.letter.sender is not None and self._is_slow(self.letter.sender)

    def is_slowed(self) -> bool:
        """Whether keys count only from registered addresses: this sender, its domain or everybody
        sent too many wrong ones."""
        return any(self._is_slow(name) for name, _, _ in self._scopes())

    def _is_slow(self, name: str) -> bool:
        until = self.caller(name).until
        return until is not None and until > self.at

    def _scopes(self) -> Sequence[tuple[str, int, timedelta]]:
        """List where wrong keys are counted, how many are free, and the longest slowdown."""
        sender = self.letter.sender or ""
        domain = f"@{sender.rpartition('@')[2] or 'nowhere'}"
        return (
            (sender, _FREE_OF_SENDER, _DAY),
            (domain, _FREE_OF_DOMAIN, _HOUR),
            (_ALL, _FREE_OF_ALL, _QUARTER),
        )

    def count_wrong_keys(self, number: int) -> None:
        """Count wrong keys; each after the first few doubles the time without keys."""
        for name, free, longest in self._scopes():
            caller = self.caller(name)
            wrong, until = caller.wrong + number, caller.until
            if wrong > free:
                until = self.at + min(timedelta(minutes=2 ** min(wrong - free, 12)), longest)
            self.books.save(replace(caller, wrong=wrong, until=until))
            if name == _ALL and caller.wrong <= free < wrong:
                notify_gm(self.books, self.house, _GUESSING, [_GUESSED.format(wrong)], at=self.at)

    def may_answer_sender(self) -> bool:
        """Count an answer to an unproven sender; False when there were enough today."""
        sender, house = self.letter.sender or "", self.house
        if self.books.holders(sender) or house.is_gm(sender):
            return self._count_answer(sender, _KNOWN)
        limits = (house.strangers, house.strangers_domain, house.strangers_all)
        callers = [self.caller(name) for name, _, _ in self._scopes()]
        if any(one.answers >= most for one, most in zip(callers, limits, strict=True)):
            return False
        for one in callers:
            self.books.save(replace(one, answers=one.answers + 1))
        if callers[-1].answers + 1 == house.strangers_all:
            lines = [_ENOUGH.format(house.strangers_all)]
            notify_gm(self.books, house, _STRANGERS, lines, at=self.at)
        return True

    def may_answer_joiner(self, address: str) -> bool:
        """Count an answer to somebody who confirmed; False when there were enough today."""
        return self._count_answer(f"join {address}", _KNOWN)

    def may_resend(self) -> bool:
        """Count a letter resent to an unproven sender; False when there were enough today."""
        return self._count_answer(f"resend {self.letter.sender}", _RESENT)

    def may_tell_again(self, game: str, seat: Seat) -> bool:
        """Count a receipt for a letter that changed nothing; False when there were enough today."""
        return self._count_answer(f"{game}/{seat}", _EMPTY)

    def may_tell_enough(self, game: str, seat: Seat) -> bool:
        """Count the notice that there were enough of those receipts; it goes out once a day."""
        return self._count_answer(f"{game}/{seat}", _EMPTY + 1)

    def _count_answer(self, name: str, most: int) -> bool:
        caller = self.caller(name)
        if caller.answers >= most:
            return False
        self.books.save(replace(caller, answers=caller.answers + 1))
        return True

    def people_of_sender(self) -> list[str]:
        """List the players who have confirmed this address."""
        books, sender = self.books, self.letter.sender or ""
        return [
            name
            for name in books.holders(sender)
            if any(one.address == sender and one.confirmed for one in books.addresses(name))
        ]

    def seats_of_sender(self) -> list[tuple[Game, Seat]]:
        """List the seats, in all games, of a player who has confirmed this address."""
        books, people = self.books, self.people_of_sender()
        games = {name for player in people for name in books.games_of(player)}
        return [
            (books.game(game), seat)
            for game in sorted(games)
            for seat, seating in current_seatings(books, game).items()
            if seating.kind == PLAYER and seating.player in people
        ]

    def no_answer(
        self, reason: str, *, game: str | None = None, seat: Seat | None = None
    ) -> Arrival:
        """Record a letter that gets no answer, and why."""
        return self._record(outcome="silence", reason=reason, game=game, seat=seat)

    def answered(
        self,
        letter: OutgoingLetter | None,
        reason: str,
        *,
        seat: Seat | None = None,
        number: int | None = None,
    ) -> Arrival:
        """Record a letter that this one answers; `number` is that of the orders put on file."""
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
