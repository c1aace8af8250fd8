"""The part of the books that is about letters, in and out, and about who wrote them."""

from collections.abc import Sequence
from datetime import datetime

from msgspec.structs import replace

from adjudicator.adapters.store import statements as say
from adjudicator.adapters.store.rows import RowAccess
from adjudicator.desk.model.values import (
    Arrival,
    Caller,
    Heartbeat,
    IssuedKey,
    OutgoingLetter,
    ReturnedLetter,
)


class LetterBooks(RowAccess):
    """Implements what desk.ports.Books says of letters, callers and signs of life."""

    # letters out

    def letters(self, game: str, step: int | None = None) -> Sequence[OutgoingLetter]:
        """In the order in which they were made."""
        if step is None:
            return self._values(say.LETTERS, game=game)
        return self._values(say.LETTERS_OF_STEP, game=game, step=step)

    def letter(
        self, game: str, step: int, seat: str, kind: str, number: int
    ) -> OutgoingLetter | None:
        """The letter of this name, if there is one."""
        names = {"game": game, "seat": seat, "kind": kind, "number": number, "step": step}
        return self._value(say.LETTER, **names)

    def last_letter(self, game: str, seat: str, kind: str) -> int:
        """The highest number of a letter of this kind to this seat; 0 for none."""
        return self._number(say.LAST_LETTER, game=game, seat=seat, kind=kind)

    def because(self, cause: str) -> None:
        """Whatever is queued from now on has this cause, unless it names one."""
        self._cause = cause

    def caused(self, cause: str) -> Sequence[tuple[str, str, int]]:
        """(kind, seat, number) of the letters that have this cause, in the order of making."""
        rows = self._values(say.CAUSED, cause=cause)
        return [(row["kind"], row["seat"], row["number"]) for row in rows]

    def save_letter(self, letter: OutgoingLetter) -> None:
        """A letter, new or moved on; raises Already when it would go out a second time."""
        if not letter.cause:
            letter = replace(letter, cause=self._cause)
        words = (
            f"the {letter.kind} {letter.number} for {letter.seat} in step {letter.step}"
            f" of {letter.game} is already on its way; a letter goes out once"
        )
        self._save(letter, words)

    def claim_letters(
        self, owner: str, until: datetime, limit: int, at: datetime
    ) -> Sequence[OutgoingLetter]:
        """The oldest queued letters that nobody holds, held for this owner until then."""
        self._must_write()
        self.flush()
        self._forget(say.CLAIM_LETTERS)
        given = {"owner": owner, "until": until, "limit": limit, "at": at}
        return say.CLAIM_LETTERS.values(self._connection, given)

    def release_letters(self) -> None:
        """Nobody holds a letter any more."""
        self._change(say.RELEASE_LETTERS, {})

    def withdraw_all_letters(self) -> None:
        """Keep in whatever is queued."""
        self._change(say.WITHDRAW_ALL, {})

    def withdraw_letters(self, game: str, step: int, seats: Sequence[str], kind: str) -> None:
        """Keep in what is still queued of this kind for these seats."""
        rows = [{"game": game, "step": step, "kind": kind, "seat": seat} for seat in seats]
        self._change(say.WITHDRAW_LETTERS, *rows)

    def waiting_letters(self) -> int:
        """How many letters are queued."""
        return self._number(say.WAITING_LETTERS)

    def last_sent(self) -> OutgoingLetter | None:
        """The latest made of those that went out."""
        return self._value(say.LAST_SENT)

    # letters in

    def arrival(self, message_id: str, digest: str) -> Arrival | None:
        """The letter in of this Message-ID and digest."""
        return self._value(say.ARRIVAL, message_id=message_id, digest=digest)

    def arrivals(self, game: str | None = None) -> Sequence[Arrival]:
        """In the order of reading."""
        if game is None:
            return self._values(say.ARRIVALS)
        return self._values(say.ARRIVALS_OF_GAME, game=game)

    def arrival_of(self, game: str, seat: str, number: int) -> Arrival | None:
        """The letter in that put this set of orders on file."""
        return self._value(say.ARRIVAL_OF, game=game, seat=seat, number=number)

    def letters_read(self, game: str, seat: str, since: datetime, most: int) -> int:
        """How many letters of a seat were read since then; `most` stands for more."""
        return self._number(say.LETTERS_READ, game=game, seat=seat, since=since, most=most)

    def answered_by(self, message_id: str) -> Arrival | None:
        """The letter in that the letter out of this Message-ID answers."""
        return self._value(say.ANSWERED_BY, answer=message_id)

    def last_arrival(self) -> Arrival | None:
        """The letter read last."""
        return self._value(say.LAST_ARRIVAL)

    def save_arrival(self, arrival: Arrival) -> None:
        """A letter that was read; raises Already when it was read before."""
        self._save(arrival, f"the letter {arrival.message_id or arrival.digest} was read already")

    # what came back, and keys

    def returned(self, address: str) -> Sequence[ReturnedLetter]:
        """The letters that came back from an address since its owner last wrote."""
        return self._values(say.RETURNED, address=address)

    def save_returned(self, returned: ReturnedLetter) -> None:
        """A letter that came back."""
        self._save(returned, f"{returned.message_id} came back")

    def forget_returned(self, address: str) -> None:
        """The address works."""
        self._change(say.FORGET_RETURNED, {"address": address})

    def issued_key(self, digest: str) -> IssuedKey | None:
        """The key of this digest, if it was ever issued."""
        return self._value(say.KEY, digest=digest)

    def save_key(self, key: IssuedKey) -> None:
        """A key that its reader is about to see."""
        self._save(key, f"a key of {key.seat} in {key.game}")

    def knows_keys(self) -> bool:
        """Whether any key was ever issued."""
        return bool(self._values(say.ANY_KEY))

    # who called, and signs of life

    def caller(self, address: str) -> Caller | None:
        """What this address has used up, if it ever called."""
        return self._value(say.CALLER, address=address)

    def save_caller(self, caller: Caller) -> None:
        """A caller, new or changed."""
        self._save(caller, f"caller {caller.address}")

    def heartbeats(self) -> Sequence[Heartbeat]:
        """By name."""
        return self._values(say.HEARTBEATS)

    def save_heartbeat(self, heartbeat: Heartbeat) -> None:
        """The latest sign of life."""
        self._save(heartbeat, f"heartbeat of {heartbeat.name}")
