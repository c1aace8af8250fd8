"""The part of the books that keeps letters, what proves them, and signs of life."""

from collections.abc import Sequence
from datetime import datetime

from msgspec.structs import replace

from adjudicator.adapters.store import statements as say
from adjudicator.adapters.store.rows import RowAccess
from adjudicator.desk.model.mail import Caller, ReturnedLetter
from adjudicator.desk.model.values import Arrival, Heartbeat, IssuedKey, OutgoingLetter


class LetterBooks(RowAccess):
    """Implements the questions of desk.model.ports.Books about letters."""

    # letters out

    def letters(self, game: str, step: int | None = None) -> Sequence[OutgoingLetter]:
        """List the letters in the order in which they were made."""
        if step is None:
            return self._values(say.LETTERS, game=game)
        return self._values(say.LETTERS_OF_STEP, game=game, step=step)

    def letter(
        self, game: str, step: int, seat: str, kind: str, number: int
    ) -> OutgoingLetter | None:
        """Return the letter of this name, if any."""
        names = {"game": game, "seat": seat, "kind": kind, "number": number, "step": step}
        return self._value(say.LETTER, **names)

    def last_letter(self, game: str, seat: str, kind: str) -> int:
        """Return the highest number of a letter of this kind to this seat; 0 if there is none."""
        return self._number(say.LAST_LETTER, game=game, seat=seat, kind=kind)

    def because(self, cause: str) -> None:
        """Give this cause to all letters queued from now on, unless they name their own."""
        self._cause = cause

    def caused(self, cause: str) -> Sequence[tuple[str, str, int]]:
        """List the letters with this cause as (kind, seat, number), in the order they were made."""
        rows = self._values(say.CAUSED, cause=cause)
        return [(row["kind"], row["seat"], row["number"]) for row in rows]

    def claim_letters(
        self, owner: str, until: datetime, limit: int, at: datetime, *, urgent: bool | None = None
    ) -> Sequence[OutgoingLetter]:
        """Claim the oldest queued letters that are free, for this owner until then."""
        self._must_write()
        self.flush()
        claim = say.CLAIM_LETTERS[urgent]
        self._forget(claim)
        given = {"owner": owner, "until": until, "limit": limit, "at": at}
        return claim.values(self._connection, given)

    def release_letters(self) -> None:
        """Release the claim on these letters."""
        self._change(say.RELEASE_LETTERS, {})

    def withdraw_all_letters(self) -> None:
        """Withdraw all queued letters."""
        self._change(say.WITHDRAW_ALL, {})
        for name, letter in self.made.items():  # nothing is told in a letter that does not go out
            if letter.status == "queued":
                self.made[name] = replace(letter, status="withdrawn")

    def withdraw_letters(self, game: str, step: int, seats: Sequence[str], kind: str) -> None:
        """Withdraw the queued letters of this kind for these seats."""
        rows = [{"game": game, "step": step, "kind": kind, "seat": seat} for seat in seats]
        self._change(say.WITHDRAW_LETTERS, *rows)

    def rewrite_letter(self, letter: OutgoingLetter) -> None:
        """Change the document of a letter that nobody has written out yet."""
        row = dict(zip(("game", "step", "seat", "kind", "number"), letter.name, strict=True))
        self._change(say.REWRITE_LETTER, {**row, "written": letter.document})
        if letter.name in self.made:
            self.made[letter.name] = letter

    def drop_letter(self, letter: OutgoingLetter) -> None:
        """Drop a letter that was queued in this transaction."""
        row = dict(zip(("game", "step", "seat", "kind", "number"), letter.name, strict=True))
        self._change(say.DROP_LETTER, row)
        del self.made[letter.name]

    def waiting_letters(self) -> int:
        """Count the queued letters."""
        return self._number(say.WAITING_LETTERS)

    def last_sent(self) -> OutgoingLetter | None:
        """Return the newest letter of those that were sent."""
        return self._value(say.LAST_SENT)

    # letters in

    def arrival(self, message_id: str, digest: str) -> Arrival | None:
        """Return the arrival with this Message-ID and digest."""
        return self._value(say.ARRIVAL, message_id=message_id, digest=digest)

    def arrivals(self, game: str | None = None) -> Sequence[Arrival]:
        """List the arrivals in the order of reading."""
        if game is None:
            return self._values(say.ARRIVALS)
        return self._values(say.ARRIVALS_OF_GAME, game=game)

    def arrival_of(self, game: str, seat: str, number: int) -> Arrival | None:
        """Return the arrival that put this set of orders on file."""
        return self._value(say.ARRIVAL_OF, game=game, seat=seat, number=number)

    def letters_read(self, game: str, seat: str, since: datetime, most: int) -> int:
        """Count the letters of a seat read since then; `most` means that or more."""
        return self._number(say.LETTERS_READ, game=game, seat=seat, since=since, most=most)

    def answered_by(self, message_id: str) -> Arrival | None:
        """Return the arrival that the letter with this Message-ID answers."""
        return self._value(say.ANSWERED_BY, answer=message_id)

    def last_arrival(self) -> Arrival | None:
        """Return the arrival read last."""
        return self._value(say.LAST_ARRIVAL)

    # returned letters, and keys

    def returned(self, address: str) -> Sequence[ReturnedLetter]:
        """List the letters returned from an address since its owner last wrote."""
        return self._values(say.RETURNED, address=address)

    def forget_returned(self, address: str) -> None:
        """Forget the letters returned from an address, because it works."""
        self._change(say.FORGET_RETURNED, {"address": address})

    def issued_key(self, digest: str) -> IssuedKey | None:
        """Return the key with this digest, if it was ever issued."""
        return self._value(say.KEY, digest=digest)

    def knows_keys(self) -> bool:
        """Whether any key was ever issued."""
        return bool(self._values(say.ANY_KEY))

    # callers, and signs of life

    def caller(self, address: str) -> Caller | None:
        """Return what this address has used up, if it ever called."""
        return self._value(say.CALLER, address=address)

    def heartbeats(self) -> Sequence[Heartbeat]:
        """List the heartbeats by name."""
        return self._values(say.HEARTBEATS)

    def heartbeat(self, name: str) -> Heartbeat | None:
        """Return the heartbeat of this name, if any."""
        return self._value(say.HEARTBEAT, name=name)
