"""The tables, derived from the desk's values, with unique constraints.

Every field of a value has a column of its name and type. Foreign keys are checked at the
commit, so that within a transaction values may be saved in any order. Closing a step writes to
most tables, and every tree of SQLite's that it touches is a page on the disk: a table is kept in
the order of its key where the rows are short, and has the indexes that something asks for.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from types import NoneType
from typing import Any, Final, get_args

from msgspec import Struct
from msgspec.structs import FieldInfo, fields
from sqlalchemy import (
    Boolean,
    Column,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
    and_,
    func,
    literal_column,
    text,
)
from sqlalchemy.schema import SchemaItem

from adjudicator.adapters.store.types import Canonical, Instant, OrPublic, Real, SqueezedBytes
from adjudicator.core.chain import Link, LinkKind
from adjudicator.core.document import Seat
from adjudicator.core.game import Strength
from adjudicator.desk.model import values as v
from adjudicator.desk.model.mail import Caller, Claim, ReturnedLetter

METADATA = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)

NAME = Text().with_variant(Text(collation="C"), "postgresql")
"""Text that is sorted by code point on both engines."""

_TYPES: Final[Mapping[Any, Any]] = {
    str: Text,
    Seat: NAME,
    v.Status: Text,
    LinkKind: Text,
    Strength: Text,
    int: Integer,
    bool: Boolean,
    float: Real,
    bytes: LargeBinary,
    datetime: Instant,
}
"""A column's type by its field's; whatever else a field holds is kept as a document."""
_NAMED: Final = ("game", "player")
"""Fields that hold a name, in the key or not."""
PACKED: Final = "packed"
"""In a column's info: whether its documents go into packs."""
WHERE: Final = "where"
"""In an index's info: which rows it has. As SQLAlchemy's own option it would load all engines."""


def _make_table(
    name: str,
    value: type[Struct],
    key: Sequence[str] = (),
    *more: SchemaItem,
    without: Sequence[str] = (),
    packable: Sequence[str] = (),
    squeezable: Sequence[str] = (),
) -> Table:
    """Make the table of a value: a column for each field, kept in the order of its key.

    Without a key, rows are numbered as they are written. A column in `more` replaces the field of
    its name. Documents in `packable` columns go into packs in time (upkeep/vacuum.py); `squeezable`
    are those that take much room and that no closing waits for.
    """
    own = {item.name for item in more if isinstance(item, Column)}
    columns = [
        _make_column(field, key, is_squeezed=field.name in squeezable)
        for field in fields(value)
        if field.name not in {*own, *without}
    ]
    for column in columns:
        column.info[PACKED] = column.name in packable
    if not key:
        return Table(name, METADATA, Column("id", Integer, primary_key=True), *columns, *more)
    whole = (*columns, *more, PrimaryKeyConstraint(*key))
    return Table(name, METADATA, *whole, sqlite_with_rowid=False)


def _make_column(field: FieldInfo, key: Sequence[str], *, is_squeezed: bool) -> Column[Any]:
    optional = NoneType in get_args(field.type)
    kind = get_args(field.type)[0] if optional else field.type
    column: Any = SqueezedBytes if is_squeezed else _TYPES.get(kind, Canonical)
    if column is Text and (field.name in key or field.name in _NAMED):
        column = NAME
    return Column(field.name, column, nullable=optional, autoincrement=False)


def _of_game() -> ForeignKeyConstraint:
    return _refer(["game"], ["games.id"])


def _of_seat() -> ForeignKeyConstraint:
    return _refer(["game", "seat"], ["seats.game", "seats.seat"])


def _of_step(column: str = "step") -> ForeignKeyConstraint:
    return _refer(["game", column], ["steps.game", "steps.number"])


def _refer(columns: Sequence[str], targets: Sequence[str]) -> ForeignKeyConstraint:
    return ForeignKeyConstraint(columns, targets, deferrable=True, initially="DEFERRED")


_first = Column("epoch", Integer, nullable=False, server_default=text("1"))
_wake = Column("wake", Instant, index=True)
_roster = Column("roster", Canonical, nullable=False, server_default=text("'{}'"))
FINISHED, WITHOUT_DEADLINE = (datetime(year, 1, 1, tzinfo=UTC) for year in (9999, 9998))
"""In place of a deadline, so that games sort last, and last but for those that are finished."""
_last = text(f"'{WITHOUT_DEADLINE.isoformat(timespec='microseconds')}'")
_urgency = Column("urgency", Instant, nullable=False, server_default=_last)
games = _make_table(
    "games",
    v.Game,
    ("id",),
    _first,
    _wake,
    _roster,
    _urgency,
    Index(None, "urgency", "id"),
    Index(None, "rules_digest"),
    without=("seats",),
)
epochs = _make_table("epochs", v.Epoch, ("number",))
seats = Table(
    "seats",
    METADATA,
    Column("game", NAME, primary_key=True),
    Column("seat", NAME, primary_key=True),
    Column("position", Integer, nullable=False),
    UniqueConstraint("game", "position"),
    _of_game(),
    sqlite_with_rowid=False,
)
players = _make_table("players", v.Player, ("name",), without=("addresses",))
addresses = _make_table(
    "addresses",
    v.Address,
    ("player", "position"),
    Column("position", Integer, nullable=False, autoincrement=False),
    UniqueConstraint("address", "player"),
    _refer(["player"], ["players.name"]),
)
seatings = _make_table(
    "seatings", v.Seating, ("game", "seat", "number"), _of_seat(), Index(None, "player")
)
steps = _make_table(
    "steps",
    v.Step,
    ("game", "number"),
    Column("reporting", Text, nullable=False, server_default=text("''")),
    _of_game(),
    _of_step("predecessor"),
    packable=("state", "events"),
)
moved_at = func.coalesce(steps.c.closed, steps.c.opened)
Index("ix_steps_moved", moved_at)
orders = _make_table(
    "orders",
    v.OrderSet,
    ("game", "step", "seat", "number"),
    Column("luck", Text, nullable=False, server_default=text("''")),
    _of_seat(),
    _of_step(),
    packable=("orders",),
)
papers = _make_table(
    "papers",
    v.Paper,
    (),
    Column("seat", OrPublic, nullable=False),
    UniqueConstraint("game", "seat", "number"),
    _of_step(),
    Index(None, "game", "step"),
    packable=("document",),
)
outbox = _make_table(
    "outbox",
    v.OutgoingLetter,
    (),
    Column("kind", NAME, nullable=False),
    Column("claimed_by", Text),
    Column("digest", Text, nullable=False, server_default=text("''")),
    Column("rank", Integer),
    UniqueConstraint("game", "seat", "kind", "number", "step"),
    Index(None, "cause"),
    packable=("document", "results"),
    squeezable=("content",),
)
is_queued, is_sent = (
    outbox.c.status == literal_column(f"'{one}'")  # no value to bind: an index hangs on it
    for one in ("queued", "sent")
)
is_ready = and_(is_queued, outbox.c.not_before.is_(None))
is_postponed = and_(is_queued, outbox.c.not_before.is_not(None))
for columns, which in (
    (("rank", "id"), is_ready),
    (("not_before",), is_postponed),
    (("game", "seat", "rank"), is_queued),
    (("id",), is_sent),
):
    Index(None, *(outbox.c[one] for one in columns), info={WHERE: which})
arrivals = _make_table(
    "arrivals",
    v.Arrival,
    (),
    UniqueConstraint("digest", "message_id"),
    Index(None, "game", "seat", "number"),
    Index(None, "answer"),
)
returned = _make_table("returned", ReturnedLetter, ("address", "message_id"))
keys = _make_table("keys", v.IssuedKey, ("digest",), _of_game())
callers = _make_table("callers", Caller, ("address",))
heartbeats = _make_table("heartbeats", v.Heartbeat, ("name",))
claims = _make_table("claims", Claim, ("name",))
press = _make_table("press", v.Press, ("game", "number"), _of_game())
plans = _make_table("plans", v.PlanAhead, ("game", "seat", "number", "place"), _of_seat())
absences = _make_table("absences", v.Absence, ("game", "seat", "number"), _of_seat())
observers = _make_table(
    "observers", v.Observer, ("game", "address"), _of_game(), Index(None, "address")
)
signups = _make_table("signups", v.Signup, ("game", "address"), _of_game(), Index(None, "address"))
links = _make_table(
    "links",
    Link,
    ("game", "number"),
    Column("game", NAME, nullable=False),
    _of_game(),
    packable=("commitments",),
)
packs = Table(
    "packs",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("game", NAME, nullable=False),
    Column("until", Integer, nullable=False),
    Column("part", Text, nullable=False),
    Column("content", LargeBinary, nullable=False),
    UniqueConstraint("game", "until", "part"),
    _of_game(),
)
"""Of each game in turn, the documents of the steps up to this number."""
notes = _make_table("notes", v.HistoryNote, ("game", "number"), _of_game())
