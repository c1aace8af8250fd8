"""The values that the store keeps."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from msgspec import Struct

from adjudicator.core.document import Document, Seat
from adjudicator.core.game import Strength


class Status(StrEnum):
    """The status of a game as a whole."""

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
    """What the GM chose besides the rules: pace, grace, settle, nmr_limit … (orders/common)."""
    seed: bytes
    luck: tuple[tuple[Seat, str], ...] = ()
    verifiable: bool = True
    """False when the GM chose the seed."""
    rules_digest: str
    """The digest of the rules code and the components that the game began with."""
    components: Document | None = None
    """Set when the GM replaced the shipped components."""
    created: datetime
    open_step: int | None = None
    """The step in which orders are owed; None before the start and after the end."""
    next_number: int = 0
    """The number of the next step; numbers are never used again."""
    paused: datetime | None = None
    archived: datetime | None = None
    """When it was archived; since then only lists of all games show it."""
    epoch: int = 1
    """The epoch of its tokens, keys and dice; those mailed in an earlier one no longer count."""
    roster: Mapping[Seat, str] = {}  # digests of the last seatings: nobody is seated from outside


class Head(Struct, frozen=True, array_like=True):
    """The end of a game's chain."""

    link: int
    digest: str
    step: int
    """The highest step number, including undone steps."""


class Epoch(Struct, frozen=True, kw_only=True):
    """A period with tokens, keys and dice of its own; 1 is the first."""

    number: int
    since: datetime
    reason: str
    secret: str
    """The fingerprint of the server's secret then."""
    place: str | None = None
    """The name of the database that it began in, on a database server."""


class Seating(Struct, frozen=True, kw_only=True):
    """Who plays a seat; the number rises when the seat changes hands."""

    game: str
    seat: Seat
    number: int
    kind: str
    """player | bot | idle"""
    player: str | None
    strength: Strength | None = None
    since: datetime
    until: datetime | None = None
    missed: int = 0
    vote: str = "none"
    """none | draw | concede"""


class Player(Struct, frozen=True, kw_only=True):
    """A person; the name is the one that the GM uses."""

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
    """The reason for a ruling or an end, in the GM's words."""
    state: bytes | None = None
    """Canonical JSON of the state after it; None while it is open."""
    events: bytes = b"[]"
    """Canonical JSON of all its events."""
    reporting: str = ""
    """The digest of the code that made its reports (Kind.reporting); empty if unknown."""

    @property
    def name(self) -> str:
        """The name of the step in forms and files: 12-jump."""
        return f"{self.number}-{self.phase}"

    @property
    def is_played(self) -> bool:
        """Whether players give orders in it; a setup, a ruling and an end need none."""
        return self.phase not in ("setup", "ruling", "end")


class OrderSet(Struct, frozen=True, kw_only=True):
    """One version of a seat's orders as put on file; numbered per seat over the whole game."""

    game: str
    step: int
    seat: Seat
    number: int
    """The number of its receipt; 0 for orders that the server made at the closing."""
    orders: bytes
    """Canonical JSON of the form as understood; `null` where orders were cleared."""
    digest: str
    arrived: datetime
    ready: bool = True
    """Whether the step may close early with it."""
    not_ready: str = ""
    """Why the step may not, to be read after "receipt 5"; empty where it may."""
    by: str
    """player | gm | plan | bot | default"""
    executed: bool = False
    luck: str = ""
    """The luck word that comes with it (core/dice.py)."""

    @property
    def committed(self) -> bytes:
        """What the digest and link of the set commit to: the orders, and the word behind them."""
        return self.orders + self.luck.encode()


PLAN_WAITS, PLAN_SUPERSEDED, PLAN_WITHDRAWN = "waiting", "superseded", "withdrawn"


class PlanAhead(Struct, frozen=True, kw_only=True):
    """Orders for a later step of the seat, tried when it opens; a list of them is filed at once."""

    game: str
    seat: Seat
    number: int
    """Counts the lists that the seat has filed."""
    place: int
    """In its list, from 1."""
    seating: int
    """The seating that filed it; the next one has plans of its own."""
    form: str
    """The form of the step that it is for."""
    conditions: Document = {}
    """What must hold in that step, by the words of the game (orders/<game>/ahead.yaml)."""
    orders: Document
    filed: datetime
    status: str = PLAN_WAITS
    """waiting | used | failed (no longer tried) | superseded | withdrawn"""
    step: int | None = None
    """The last step in which it was tried."""
    receipt: int = 0
    """The number of the orders that were made of it."""
    reason: str = ""
    """Why it was not used in that step."""
    told: bool = True
    """Whether its player has been told so."""


class Paper(Struct, frozen=True, kw_only=True):
    """A document that a seat (None: the public) got: a report of a step."""

    game: str
    step: int
    seat: Seat | None
    number: int
    """Counts per seat, so that a gap is visible; for the public it is the step's number."""
    document: bytes
    """Canonical JSON, report/1."""


class LastReport(Struct, frozen=True, kw_only=True):
    """The report that a seat got last, which the next one follows."""

    seat: Seat
    number: int | None
    """The number of its newest paper; None while it has none."""
    step: int | None
    """The last step reported to it that was not undone."""


class OutgoingLetter(Struct, frozen=True, kw_only=True):
    """One outgoing letter; (game, step, seat, kind, number) goes out once."""

    game: str
    """Empty for a letter of the server that is about no game."""
    step: int
    seat: Seat
    """The reader: a seat, `gm`, `public` (an observer) or `nobody` (a stranger)."""
    kind: str
    """report | receipt | notice | reminder | answer | press"""
    number: int
    document: bytes
    """The document that the template, named with its version, prints."""
    template: str
    message_id: str
    made: datetime
    status: str = "queued"
    """queued | sent | withdrawn | failed"""
    content: bytes | None = None
    """The rendered letter, kept at the first attempt to send it, and for `keep_letters` days."""
    digest: str = ""
    """The SHA-256 of that content, once it was dropped."""
    seating: int = 0
    """Whose letter it is: the number of the seat's seating, or of a joining; 0 where it is `to`."""
    to: tuple[str, ...] | None = None
    """The addresses; None: those registered for the seating when it is first sent."""
    attempts: int = 0
    not_before: datetime | None = None
    """When it may be tried again."""
    results: Document = {}
    """{address: {status, reply, at}}: the mail server's answers, once it was tried."""
    cause: str = ""
    """The trace id of the incoming letter or the act that caused it (desk/model/history.py)."""

    @property
    def name(self) -> tuple[str, int, Seat, str, int]:
        """What names it for ever."""
        return (self.game, self.step, self.seat, self.kind, self.number)


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
    """One message between the people of a game, as it was delivered."""

    game: str
    number: int
    at: datetime
    step: int | None
    """The step that was open."""
    seat: Seat | None
    """Who wrote; None is the GM."""
    seating: int
    """The writer's seating; 0 for the GM."""
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
    """The seating that is absent; the absence ends with it."""
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
"""The states of somebody who wants to play."""


class Signup(Struct, frozen=True, kw_only=True):
    """Somebody who wants to play; they are signed up once they confirm it from their address."""

    game: str
    address: str
    name: str
    luck: str = ""
    prefer: Document = {}
    status: str
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
    """Whether its owner has answered from it; until then only the question goes there."""
    bounced: datetime | None = None
    """When letters last came back from it; it is left out for a week if there is another."""
    reason: str | None = None
    """What its mail server said."""

    def is_marked(self, at: datetime) -> bool:
        """Whether letters go elsewhere for now; after a week the address is tried again."""
        return self.bounced is not None and at < self.bounced + _TRY_AGAIN


class IssuedKey(Struct, frozen=True, kw_only=True):
    """A key that a letter has shown to its reader; only its digest is kept."""

    digest: str
    """An HMAC under the server's secret, so that the books alone give no key away."""
    game: str
    seat: str
    """gm for the GM, `join ADDRESS` for somebody who wants to join."""
    seating: int
    step: str


class Arrival(Struct, frozen=True, kw_only=True):
    """An incoming letter and its outcome; Message-ID and digest together identify it."""

    message_id: str
    """Empty when it had none."""
    digest: str
    arrived: datetime
    """When the mail server took it."""
    read: datetime
    date: datetime | None = None
    """The time on the writer's clock."""
    sender: str | None = None
    game: str | None = None
    seat: Seat | None = None
    """The seat that a key proved; gm for the GM."""
    outcome: str
    """receipt | answer | notice | silence"""
    reason: str = ""
    """Why it got no answer, or in a few words what it was."""
    answer: str | None = None
    """The Message-ID of the one letter that answers it."""
    number: int | None = None
    """The number of the orders that it put on file."""


class Heartbeat(Struct, frozen=True, kw_only=True):
    """The last sign of life of a part of the server."""

    name: str
    """A daemon's, a postbox's, or that of another part."""
    at: datetime
    boot: float = 0.0
    """CLOCK_BOOTTIME in seconds at the same moment."""
    facts: Document = {}
