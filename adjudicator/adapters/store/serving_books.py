"""The part of the books that only a server asks: the queue of letters, waking, signs of life."""

from collections.abc import Sequence
from datetime import UTC, datetime

from msgspec.structs import asdict, replace

from adjudicator.adapters.store.databases import CLOCK_NEWS, POST_NEWS
from adjudicator.adapters.store.prepared import DriverTransaction
from adjudicator.adapters.store.rows import RowAccess
from adjudicator.adapters.store.statements import post, records
from adjudicator.adapters.store.statements.queue import CLAIM_LETTERS, DUE_LETTERS
from adjudicator.adapters.store.statements.saving import ADD_ANSWERS, CLAIM, SAVE
from adjudicator.core.document import Document
from adjudicator.desk.model.mail import Caller, Claim
from adjudicator.desk.model.ports import Books
from adjudicator.desk.model.values import Arrival, Heartbeat, OutgoingLetter

AT_ONCE = datetime(1970, 1, 1, tzinfo=UTC)
"""When a game wakes in which something has happened: the clock looks at it in its next round."""


class ServingBooks(RowAccess, Books):
    """The questions that the daemon asks, and what it writes."""

    def __init__(self, transaction: DriverTransaction, *, writable: bool) -> None:
        super().__init__(transaction, writable=writable)
        self._wakes: dict[str, datetime | None] = {}

    def claim_letters(
        self, owner: str, until: datetime, limit: int, at: datetime, *, urgent: bool | None = None
    ) -> Sequence[OutgoingLetter]:
        self._must_write()
        self.flush()
        claim = CLAIM_LETTERS[urgent]
        self._forget(claim)
        parameters = {"owner": owner, "until": until, "limit": limit, "at": at}
        return claim.values(self._transaction, parameters)

    def are_letters_due(self, at: datetime, *, urgent: bool | None) -> bool:
        """Whether there are letters that could be claimed at this instant."""
        return bool(self._values(DUE_LETTERS[urgent], at=at))

    def release_letters(self, owner: str) -> None:
        self._change(post.RELEASE_LETTERS, {"owner": owner})

    def letter_holders(self) -> Sequence[str]:
        """List who holds letters."""
        return sorted(row["owner"] for row in self._values(post.LETTER_HOLDERS))

    def claim(self, claim: Claim, at: datetime) -> bool:
        return self._change(CLAIM, {**asdict(claim), "at": at}) == 1

    def claims(self) -> Sequence[Claim]:
        """List the claims by name, expired ones, too."""
        return self._values(post.CLAIMS)

    def release_claims(self, owner: str) -> None:
        """Release all that this owner holds."""
        self._change(post.RELEASE_CLAIMS, {"owner": owner})

    def add_answers(self, caller: Caller, number: int) -> int:
        """Add to the answers of this caller's day, beside others who do; returns how many it has.

        It is locked for others until the transaction ends.
        """
        row = {"address": caller.address, "day": caller.day, "more": number}
        if not self._change(ADD_ANSWERS, row):
            self._write(SAVE[Caller], asdict(replace(caller, answers=number)))
        entry = self._value(post.CALLER, address=caller.address)
        return entry.answers if entry else number

    def withdraw_all_letters(self) -> None:
        """Withdraw all queued letters."""
        self._change(post.WITHDRAW_ALL, {})
        for name, letter in self.new_letters.items():  # one that does not go out says nothing
            if letter.status == "queued":
                self.new_letters[name] = replace(letter, status="withdrawn")

    def waiting_letters(self) -> int:
        """Count the queued letters."""
        return self._number(post.WAITING_LETTERS)

    def last_sent(self) -> OutgoingLetter | None:
        return self._value(post.LAST_SENT)

    def last_arrival(self) -> Arrival | None:
        """Return the arrival read last."""
        return self._value(post.LAST_ARRIVAL)

    def heartbeats(self, beginning: str = "") -> Sequence[Heartbeat]:
        return self._values(post.HEARTBEATS, low=beginning, high=f"{beginning}\U0010ffff")

    def heartbeat(self, name: str) -> Heartbeat | None:
        """Return the heartbeat of this name, if any."""
        return self._value(post.HEARTBEAT, name=name)

    def forget_heartbeat(self, name: str) -> None:
        """Forget the heartbeat of this name."""
        self._change(post.FORGET_HEARTBEAT, {"name": name})

    def game_names(self, after: str = "", most: int = 2**31) -> Sequence[str]:
        return [row["id"] for row in self._values(records.GAME_NAMES, after=after, most=most)]

    def rules_played(self) -> Sequence[tuple[str, Document | None, str]]:
        """List by which rules games are played: kind, components, and the digest of both."""
        rules: list[tuple[str, Document | None, str]] = []
        digest = ""
        while row := self._value(records.NEXT_RULES, after=digest):
            digest = row.rules_digest
            rules.append((row.kind, row.components, digest))
        return rules

    def games_under(self, rules_digest: str) -> Sequence[str]:
        """List the names of the games that are played by these rules, in order."""
        return [row["id"] for row in self._values(records.NAMES_BY_RULES, digest=rules_digest)]

    def games_moved(self, since: datetime) -> Sequence[str]:
        """List the names of the games of which a step was opened or closed since then, in order."""
        return sorted({row["game"] for row in self._values(records.MOVED_GAMES, since=since)})

    def urgent_names(self, *, every: bool, skip: int, most: int) -> Sequence[str]:
        return [
            row["id"] for row in self._values(records.URGENT_NAMES[every], skip=skip, most=most)
        ]

    def count_games(self, *, every: bool) -> int:
        """Count the games; `every`: finished and archived ones, too."""
        return self._number(records.COUNT_GAMES[every])

    def wake_game(self, game: str, at: datetime | None) -> None:
        self._wakes[game] = at

    def news(self) -> Sequence[str]:
        """List what the daemons that share these books wait for, as far as it has happened."""
        queued = any(letter.status == "queued" for letter in self.new_letters.values())
        woken = AT_ONCE in self._wakes.values()
        return [POST_NEWS] * queued + [CLOCK_NEWS] * woken

    def lock_awake(self, game: str, at: datetime) -> bool:
        games = self._values(records.LOCK_AWAKE, game=game, at=at)
        if games:
            self._seen.clear()
            self._locked.add(game)
        return bool(games)

    def awake(self, at: datetime) -> Sequence[str]:
        return sorted(row["id"] for row in self._values(records.AWAKE, at=at))
