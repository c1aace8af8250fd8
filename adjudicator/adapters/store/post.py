"""The books of the post office: letters out and in, callers, and heartbeats."""

from collections.abc import Sequence
from datetime import datetime

import msgspec
from msgspec.structs import replace

from adjudicator.adapters.store.rows import Row, RowAccess
from adjudicator.desk.model.values import Arrival, Caller, Heartbeat, OutgoingLetter

LETTER_COLUMNS = OutgoingLetter.__struct_fields__


class PostBooks(RowAccess):
    """Letters, callers, heartbeats."""

    def letters(self, game: str, step: int | None = None) -> Sequence[OutgoingLetter]:
        """In the order in which they were made."""
        if step is None:
            return self._values(OutgoingLetter, self._say.letters, game=game)
        return self._values(OutgoingLetter, self._say.letters_of_step, game=game, step=step)

    def last_letter(self, game: str, seat: str, kind: str) -> int:
        """The highest number of a letter of this kind to this seat; 0 for none."""
        return self._number(self._say.last_letter, game=game, seat=seat, kind=kind)

    def because(self, cause: str) -> None:
        """Whatever is queued from now on has this cause, unless it names one."""
        self._cause = cause

    def caused(self, cause: str) -> Sequence[tuple[str, str, int]]:
        """(kind, seat, number) of the letters that have this cause, in the order of making."""
        rows = self._rows(self._say.caused, cause=cause)
        return [(row["kind"], row["seat"], row["number"]) for row in rows]

    def save_letter(self, letter: OutgoingLetter) -> None:
        """A letter, new or moved on; raises Already when it would go out a second time."""
        if not letter.cause:
            letter = replace(letter, cause=self._cause)
        words = (
            f"the {letter.kind} {letter.number} for {letter.seat} in step {letter.step}"
            f" of {letter.game} is on its way already; a letter goes out once"
        )
        self._save(self._say.save_letter, letter, words)

    def claim_letters(
        self, owner: str, until: datetime, limit: int, at: datetime
    ) -> Sequence[OutgoingLetter]:
        """The oldest queued letters that nobody holds, held for this owner until then."""
        given = {"owner": owner, "until": until, "limit": limit, "at": at}
        rows = sorted(self._execute(self._say.claim_letters, given), key=lambda row: row.id)
        return [
            msgspec.convert({name: getattr(row, name) for name in LETTER_COLUMNS}, OutgoingLetter)
            for row in rows
        ]

    def release_letters(self) -> None:
        """Nobody holds a letter any more."""
        self._execute(self._say.release_letters, {})

    def withdraw_letters(self, game: str, step: int, seats: Sequence[str], kind: str) -> None:
        """Keep in what is still queued of this kind for these seats."""
        named: Row = {"game": game, "step": step, "kind": kind}
        self._change(self._say.withdraw_letters, [{**named, "seat": seat} for seat in seats])

    def waiting_letters(self) -> int:
        """How many letters are queued."""
        return self._number(self._say.waiting_letters)

    def last_sent(self) -> OutgoingLetter | None:
        """The latest made of those that went out."""
        return self._value(OutgoingLetter, self._say.last_sent)

    # letters in

    def arrival(self, message_id: str, digest: str) -> Arrival | None:
        """The letter in of this Message-ID and digest."""
        return self._value(Arrival, self._say.arrival, message_id=message_id, digest=digest)

    def arrivals(self, game: str | None = None) -> Sequence[Arrival]:
        """In the order of reading."""
        if game is None:
            return self._values(Arrival, self._say.arrivals)
        return self._values(Arrival, self._say.arrivals_of_game, game=game)

    def arrival_of(self, game: str, seat: str, number: int) -> Arrival | None:
        """The letter in that put this set of orders on file."""
        return self._value(Arrival, self._say.arrival_of, game=game, seat=seat, number=number)

    def answered_by(self, message_id: str) -> Arrival | None:
        """The letter in that the letter out of this Message-ID answers."""
        return self._value(Arrival, self._say.answered_by, answer=message_id)

    def last_arrival(self) -> Arrival | None:
        """The letter read last."""
        return self._value(Arrival, self._say.last_arrival)

    def save_arrival(self, arrival: Arrival) -> None:
        """A letter that was read; raises Already when it was read before."""
        words = f"the letter {arrival.message_id or arrival.digest} was read already"
        self._save(self._say.save_arrival, arrival, words)

    # who called, and signs of life

    def caller(self, address: str) -> Caller | None:
        """What this address has used up, if it ever called."""
        return self._value(Caller, self._say.caller, address=address)

    def save_caller(self, caller: Caller) -> None:
        """A caller, new or changed."""
        self._save(self._say.save_caller, caller, f"caller {caller.address}")

    def heartbeats(self) -> Sequence[Heartbeat]:
        """By name."""
        return self._values(Heartbeat, self._say.heartbeats)

    def save_heartbeat(self, heartbeat: Heartbeat) -> None:
        """The latest sign of life."""
        self._save(self._say.save_heartbeat, heartbeat, f"heartbeat of {heartbeat.name}")
