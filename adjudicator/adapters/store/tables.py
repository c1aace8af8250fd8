"""The tables, derived from the desk's values, with unique constraints.

Every field of a value has a column of its name and type. Foreign keys are checked at the
commit, so that within a transaction values may be saved in any order. Closing a step writes to
most tables, and every tree of SQLite's that it touches is a page on the disk: a table is kept in
the order of its key where the rows are short, and has the indexes that something asks for.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from types import NoneType
from typing import Any, Final, get_args

from msgspec import Struct
from msgspec.structs import FieldInfo, fields
from sqlalchemy import (
    Boolean,
    Column,
    DateTime,
    Dialect,
    Float,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
    func,
    text,
)
from sqlalchemy.schema import SchemaItem
from sqlalchemy.types import TypeDecorator, TypeEngine

from adjudicator.adapters.store.cells import (
    ELSEWHERE,
    PACKED,
    WITHOUT_DEADLINE,
    read_iso,
    strip_optional,
    write_iso,
    write_utc,
)
from adjudicator.core.chain import Link, LinkKind
from adjudicator.core.document import Seat
from adjudicator.core.game import Strength
from adjudicator.desk.model import values as v
from adjudicator.desk.model.mail import Caller, Claim, ReturnedLetter


class Instant(TypeDecorator[datetime]):
    """An aware instant: timestamptz on PostgreSQL, ISO text of one width in UTC on SQLite."""

    impl = Text
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """Choose the type that the engine knows."""
        return DateTime(timezone=True) if dialect.name == "postgresql" else Text()

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> Any:
        """Convert an instant to UTC; one without a zone is a mistake of the caller."""
        return write_utc(value) if dialect.name == "postgresql" else write_iso(value)

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:
        """Convert to UTC, whatever the session's zone is."""
        return write_utc(value) if dialect.name == "postgresql" else read_iso(value)


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
    float: Float,
    bytes: LargeBinary,
    datetime: Instant,
}
"""A column's type by its field's; whatever else a field holds is kept as a document."""
_NAMED: Final = ("game", "player")
"""Fields that hold a name, in the key or not."""
PACKABLE: Final = "packable"
"""In a column's info: whether its documents go into packs (upkeep/vacuum.py)."""
WHERE: Final = "where"
"""In an index's info: which rows it has. As SQLAlchemy's own option it would load all engines."""


def _make_table(
    name: str,
    value: type[Struct],
    key: Sequence[str] = (),
    *more: SchemaItem,
) -> Table:
    """Make the table of a value: a column for each field, kept in the order of its key.

    Without a key, rows are numbered as they are written. A column in `more` replaces the field of
    its name.
    """
    own = {item.name for item in more if isinstance(item, Column)}
    columns = [
        _make_column(field, key)
        for field in fields(value)
        if field.name not in {*own, *ELSEWHERE.get(value, ())}
    ]
    for column in columns:
        column.info[PACKABLE] = column.name in PACKED.get(value, ())
    if not key:
        return Table(name, METADATA, Column("id", Integer, primary_key=True), *columns, *more)
    whole = (*columns, *more, PrimaryKeyConstraint(*key))
    return Table(name, METADATA, *whole, sqlite_with_rowid=False)


def _make_column(field: FieldInfo, key: Sequence[str]) -> Column[Any]:
    column: Any = _TYPES.get(strip_optional(field.type), Text)
    if column is Text and (field.name in key or field.name in _NAMED):
        column = NAME
    return Column(
        field.name, column, nullable=NoneType in get_args(field.type), autoincrement=False
    )


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
_roster = Column("roster", Text, nullable=False, server_default=text("'{}'"))
_last = text(f"'{WITHOUT_DEADLINE}'")
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
players = _make_table("players", v.Player, ("name",))
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
)
Index("ix_steps_moved", func.coalesce(steps.c.closed, steps.c.opened))
orders = _make_table(
    "orders",
    v.OrderSet,
    ("game", "step", "seat", "number"),
    Column("luck", Text, nullable=False, server_default=text("''")),
    _of_seat(),
    _of_step(),
)
papers = _make_table(
    "papers",
    v.Paper,
    (),
    Column("seat", Text, nullable=False),
    UniqueConstraint("game", "seat", "number"),
    _of_step(),
    Index(None, "game", "step"),
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
)
_queued = "status = 'queued'"
for columns, which in (
    (("rank", "id"), f"{_queued} AND not_before IS NULL"),
    (("not_before",), f"{_queued} AND not_before IS NOT NULL"),
    (("game", "seat", "rank"), _queued),
    (("id",), "status = 'sent'"),
):
    Index(None, *(outbox.c[one] for one in columns), info={WHERE: text(which)})
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
