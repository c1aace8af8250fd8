"""The part of the books that only a server asks: the queue of letters, waking, signs of life."""

from collections.abc import Sequence
from datetime import datetime

from msgspec.structs import replace

from adjudicator.adapters.store import statements as say
from adjudicator.adapters.store.rows import RowAccess
from adjudicator.desk.model.values import Arrival, Heartbeat, OutgoingLetter


class ServingBooks(RowAccess):
    """Implements the questions of desk.model.ports.Books that its daemon asks."""

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

    def waiting_letters(self) -> int:
        """Count the queued letters."""
        return self._number(say.WAITING_LETTERS)

    def last_sent(self) -> OutgoingLetter | None:
        """Return the newest letter of those that were sent."""
        return self._value(say.LAST_SENT)

    def last_arrival(self) -> Arrival | None:
        """Return the arrival read last."""
        return self._value(say.LAST_ARRIVAL)

    def heartbeats(self) -> Sequence[Heartbeat]:
        """List the heartbeats by name."""
        return self._values(say.HEARTBEATS)

    def heartbeat(self, name: str) -> Heartbeat | None:
        """Return the heartbeat of this name, if any."""
        return self._value(say.HEARTBEAT, name=name)

    def urgent_names(self, *, every: bool) -> Sequence[str]:
        """List the names of games by deadline; `every`: finished and archived ones, too."""
        return [row["id"] for row in self._values(say.URGENT_NAMES[every])]

    def awake(self, at: datetime) -> Sequence[str]:
        """List the names of the games in which time may change something by now, in order."""
        return [row["id"] for row in self._values(say.AWAKE, at=at)]
