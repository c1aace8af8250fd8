"""What the desk keeps books about."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from msgspec import Struct

from adjudicator.core.document import Document, Seat


class Status(StrEnum):
    """Where a game stands as a whole."""

    OPEN = "open"
    RUNNING = "running"
    PAUSED = "paused"
    OVER = "over"


class Game(Struct, frozen=True, kw_only=True):
    """One game; everything that changes from step to step is here or in its open step."""

    id: str
    kind: str
    status: Status
    seats: tuple[Seat, ...]
    options: Document
    settings: Document
    """What the GM chose beside the rules: pace, grace, settle, nmr_limit … (orders/common)."""
    seed: bytes
    luck: tuple[tuple[Seat, str], ...] = ()
    verifiable: bool = True
    """False when the GM chose the seed."""
    rules_digest: str
    """Of the rules code and the components that the game began with."""
    components: Document | None = None
    """Set when the GM replaced the shipped components."""
    created: datetime
    open_step: int | None = None
    """The step in which orders are owed; None before the start and after the end."""
    next_number: int = 0
    """The number of the next step; numbers are never used again."""
    paused: datetime | None = None
    archived: datetime | None = None
    """Since when lists leave it out, unless all games are asked for."""
    epoch: int = 1
    """Of its tokens, keys and dice: another one where what was mailed before must not count."""


class Head(Struct, frozen=True, array_like=True):
    """The end of a game's chain."""

    link: int
    digest: str
    step: int
    """The highest number of a step, whether it counts or not."""


class Epoch(Struct, frozen=True, kw_only=True):
    """A stretch of time whose tokens, keys and dice no other one shares; 1 is the first."""

    number: int
    since: datetime
    reason: str
    secret: str
    """The fingerprint of the server's secret then."""
    place: str | None = None
    """What names the database that it was begun in, where a server keeps it."""


class Seating(Struct, frozen=True, kw_only=True):
    """Who plays a seat; the number rises when the seat changes hands."""

    game: str
    seat: Seat
    number: int
    kind: str
    """player | bot | idle"""
    player: str | None
    since: datetime
    until: datetime | None = None
    missed: int = 0
    vote: str = "none"
    """none | draw | concede"""


class Player(Struct, frozen=True, kw_only=True):
    """A person; the name is how the GM calls them."""

    name: str
    zone: str = "UTC"
    addresses: tuple[str, ...] = ()
    preferences: Document = {}


class Step(Struct, frozen=True, kw_only=True):
    """One step: opened on its predecessor's state, closed with a state of its own."""

    game: str
    number: int
    phase: str
    """A phase of the game (its form's name), or setup | ruling | end."""
    predecessor: int | None
    """The step whose state this one starts from."""
    dice: str
    """The step name under which dice are drawn; its own, unless a rollback kept the dice."""
    opened: datetime
    deadline: datetime | None = None
    closed: datetime | None = None
    void: bool = False
    """Whether a rollback undid it."""
    reason: str | None = None
    """Of a ruling or an end, in the GM's words."""
    state: bytes | None = None
    """Canonical JSON of the state after it; None while it is open."""
    events: bytes = b"[]"
    """Canonical JSON of all its events."""
    reporting: str = ""
    """Of the code that made its reports (Kind.reporting); empty where nobody knows any more."""

    @property
    def name(self) -> str:
        """The name of the step in forms and files: 12-jump."""
        return f"{self.number}-{self.phase}"

    @property
    def is_played(self) -> bool:
        """Whether players give orders in it; a setup, a ruling and an end need none."""
        return self.phase not in ("setup", "ruling", "end")


class OrderSet(Struct, frozen=True, kw_only=True):
    """One set of orders as it was put on file; sets are numbered per seat over the whole game."""

    game: str
    step: int
    seat: Seat
    number: int
    """Of the receipt that acknowledged it; 0 for the set that the server made at the closing."""
    orders: bytes
    """Canonical JSON of the form as understood; `null` where the set was cleared."""
    digest: str
    arrived: datetime
    ready: bool = True
    """The step may close early with it."""
    not_ready: str = ""
    """Why it may not, to be read after "receipt 5"; empty where it may."""
    by: str
    """player | gm | bot | default"""
    executed: bool = False
    luck: str = ""
    """The word of its player's sheet that comes with it (core/dice.py)."""

    @property
    def committed(self) -> bytes:
        """What the digest and link of the set commit to: the orders, and the word behind them."""
        return self.orders + self.luck.encode()


class Paper(Struct, frozen=True, kw_only=True):
    """A document that a seat (None: the public) got: a report of a step."""

    game: str
    step: int
    seat: Seat | None
    number: int
    """Numbered per seat, so that a gap is visible; the public's is the step's number."""
    document: bytes
    """Canonical JSON, report/1."""


class LastReport(Struct, frozen=True, kw_only=True):
    """What the next report of a seat follows."""

    seat: Seat
    number: int | None
    """Of its newest paper; None while it has none."""
    step: int | None
    """The last step reported to it that was not undone."""


class OutgoingLetter(Struct, frozen=True, kw_only=True):
    """One letter out; (game, step, seat, kind, number) goes out once."""

    game: str
    """Empty for a letter of the server that is about no game."""
    step: int
    seat: Seat
    """The reader: a seat, `gm`, `public` (an observer) or `nobody` (a stranger)."""
    kind: str
    """report | receipt | notice | reminder | answer | press"""
    number: int
    document: bytes
    """What the template gets."""
    template: str
    """Its name and version."""
    message_id: str
    made: datetime
    status: str = "queued"
    """queued | sent | withdrawn | failed"""
    content: bytes | None = None
    """The rendered letter, kept at the first attempt to send it."""
    seating: int = 0
    """Whose letter it is: the number of the seat's seating, or of a joining; 0 where it is `to`."""
    to: tuple[str, ...] | None = None
    """Where it goes; None: to what is registered for the seating when it is first sent."""
    attempts: int = 0
    not_before: datetime | None = None
    """It is not tried again before this instant."""
    results: Document = {}
    """{address: {status, reply, at}}: what the mail server said of each, once it was tried."""
    cause: str = ""
    """The trace id of the letter in, or the act, that caused it (desk/model/history.py)."""


class HistoryNote(Struct, frozen=True, kw_only=True):
    """One act at the desk, for the history: who did what, when."""

    game: str
    number: int
    at: datetime
    act: str
    """The desk function's name: new, submit, close, extend …"""
    by: str
    """gm | seat | clock"""
    text: str
    data: Mapping[str, Any] = {}


class Press(Struct, frozen=True, kw_only=True):
    """One message among the people of a game, as it was delivered."""

    game: str
    number: int
    at: datetime
    step: int | None
    """The step that was open."""
    seat: Seat | None
    """Who wrote; None is the GM."""
    seating: int
    """Of the writer; 0 for the GM."""
    to: tuple[Seat, ...]
    """The seats that got it; empty is everybody, observers too."""
    anonymous: bool = False
    text: str


class Absence(Struct, frozen=True, kw_only=True):
    """Days on which a seat's player cannot play; numbered per seat."""

    game: str
    seat: Seat
    number: int
    seating: int
    """Whose absence it is: it ends with the seating."""
    start: datetime
    end: datetime
    """The instant after the last day, in the player's zone."""
    days: int
    announced: datetime


class Observer(Struct, frozen=True, kw_only=True):
    """Somebody without a seat who gets what the public may know."""

    game: str
    address: str
    name: str | None = None
    since: datetime
    until: datetime | None = None


ASKED, SEATED, WAITING, GONE = "asked", "seated", "waiting", "gone"
"""How far somebody who wants to play has come."""


class Signup(Struct, frozen=True, kw_only=True):
    """Somebody who wants to play; nobody is signed up before the address has confirmed it."""

    game: str
    address: str
    name: str
    luck: str = ""
    prefer: Document = {}
    status: str
    """asked | seated | waiting | gone"""
    asked: datetime
    confirmed: datetime | None = None
    seat: Seat | None = None


_TRY_AGAIN = timedelta(days=7)


class Address(Struct, frozen=True, kw_only=True):
    """Where a person gets letters, and whether they arrive there."""

    player: str
    address: str
    """Bare, lower case."""
    confirmed: bool = True
    """False until its owner has answered from it; until then it gets nothing but the question."""
    bounced: datetime | None = None
    """When letters last came back from it; it is left out for a week if there is another."""
    reason: str | None = None
    """What its mail server said."""

    def is_marked(self, at: datetime) -> bool:
        """Whether letters go elsewhere for now; after a week the address is tried again."""
        return self.bounced is not None and at < self.bounced + _TRY_AGAIN


class ReturnedLetter(Struct, frozen=True, kw_only=True):
    """A letter of ours that came back from an address."""

    address: str
    message_id: str
    """As the outbox knows it."""
    at: datetime


class IssuedKey(Struct, frozen=True, kw_only=True):
    """A key that a letter has shown to its reader; only its digest is kept."""

    digest: str
    """An HMAC under the server's secret, so that the books alone give no key away."""
    game: str
    seat: str
    """gm for the GM, `join ADDRESS` for somebody who wants to join."""
    seating: int
    step: str
    """The step that it was made for."""


class Arrival(Struct, frozen=True, kw_only=True):
    """A letter that came in and what became of it; Message-ID and digest together name it."""

    message_id: str
    """Empty when it had none."""
    digest: str
    arrived: datetime
    """When the mail server took it."""
    read: datetime
    date: datetime | None = None
    """What the writer's clock said."""
    sender: str | None = None
    game: str | None = None
    seat: Seat | None = None
    """Of whoever proved it by a key; gm for the GM."""
    outcome: str
    """receipt | answer | notice | silence"""
    reason: str = ""
    """Why it got no answer, or in a word what it was."""
    answer: str | None = None
    """The Message-ID of the one letter that answers it."""
    number: int | None = None
    """Of the set of orders that it put on file."""


class Caller(Struct, frozen=True, kw_only=True):
    """What somebody without a good key has used up; addresses are slowed down, never seats."""

    address: str
    day: str
    """2026-11-18, in UTC: counts begin anew each day."""
    answers: int = 0
    wrong: int = 0
    """Wrong keys."""
    until: datetime | None = None
    """Keys from this address are not looked at before this instant."""


class Heartbeat(Struct, frozen=True, kw_only=True):
    """The last sign of life of a part of the daemon."""

    name: str
    """daemon, or the postbox's name."""
    at: datetime
    boot: float = 0.0
    """CLOCK_BOOTTIME in seconds at the same moment."""
    facts: Document = {}
