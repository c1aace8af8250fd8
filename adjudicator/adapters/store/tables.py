"""The tables, in the words of the desk; what must not happen twice is a unique constraint.

A column is named like the field of the desk's value that it keeps. Foreign keys are checked at the
commit, so that within a transaction values may be saved in any order. Closing a step writes to
most tables, and every tree of SQLite's that it touches is a page on the disk: a table is kept in
the order of its key where the rows are short, and has the indexes that something asks for.
"""

from sqlalchemy import (
    Boolean,
    Column,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    text,
)

from adjudicator.adapters.store.types import Canonical, Instant, OrPublic, Real

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


def _of_game() -> ForeignKeyConstraint:
    return ForeignKeyConstraint(["game"], ["games.id"], deferrable=True, initially="DEFERRED")


def _of_seat() -> ForeignKeyConstraint:
    return ForeignKeyConstraint(
        ["game", "seat"], ["seats.game", "seats.seat"], deferrable=True, initially="DEFERRED"
    )


def _of_step(column: str = "step") -> ForeignKeyConstraint:
    return ForeignKeyConstraint(
        ["game", column], ["steps.game", "steps.number"], deferrable=True, initially="DEFERRED"
    )


games = Table(
    "games",
    METADATA,
    Column("id", NAME, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("options", Canonical, nullable=False),
    Column("settings", Canonical, nullable=False),
    Column("seed", LargeBinary, nullable=False),
    Column("luck", Canonical, nullable=False),
    Column("verifiable", Boolean, nullable=False),
    Column("rules_digest", Text, nullable=False),
    Column("components", Canonical),
    Column("created", Instant, nullable=False),
    Column("open_step", Integer),
    Column("next_number", Integer, nullable=False),
    Column("paused", Instant),
    Column("archived", Instant),
    sqlite_with_rowid=False,
)

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

players = Table(
    "players",
    METADATA,
    Column("name", NAME, primary_key=True),
    Column("zone", Text, nullable=False),
    Column("preferences", Canonical, nullable=False),
    sqlite_with_rowid=False,
)

addresses = Table(
    "addresses",
    METADATA,
    Column("player", NAME, primary_key=True),
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("address", Text, nullable=False),
    Column("confirmed", Boolean, nullable=False),
    Column("bounced", Instant),
    Column("reason", Text),
    UniqueConstraint("address", "player"),
    ForeignKeyConstraint(["player"], ["players.name"], deferrable=True, initially="DEFERRED"),
    sqlite_with_rowid=False,
)

seatings = Table(
    "seatings",
    METADATA,
    Column("game", NAME, primary_key=True),
    Column("seat", NAME, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("kind", Text, nullable=False),
    Column("player", NAME),
    Column("since", Instant, nullable=False),
    Column("until", Instant),
    Column("missed", Integer, nullable=False),
    Column("vote", Text, nullable=False),
    _of_seat(),
    sqlite_with_rowid=False,
)

steps = Table(
    "steps",
    METADATA,
    Column("game", NAME, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("phase", Text, nullable=False),
    Column("predecessor", Integer),
    Column("dice", Text, nullable=False),
    Column("opened", Instant, nullable=False),
    Column("deadline", Instant),
    Column("closed", Instant),
    Column("void", Boolean, nullable=False),
    Column("reason", Text),
    Column("state", LargeBinary),
    Column("events", LargeBinary, nullable=False),
    Column("reporting", Text, nullable=False, server_default=text("''")),
    _of_game(),
    _of_step("predecessor"),
    sqlite_with_rowid=False,
)

orders = Table(
    "orders",
    METADATA,
    Column("game", NAME, primary_key=True),
    Column("step", Integer, primary_key=True, autoincrement=False),
    Column("seat", NAME, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("orders", LargeBinary, nullable=False),
    Column("digest", Text, nullable=False),
    Column("arrived", Instant, nullable=False),
    Column("ready", Boolean, nullable=False),
    Column("not_ready", Text, nullable=False),
    Column("by", Text, nullable=False),
    Column("executed", Boolean, nullable=False),
    _of_seat(),
    _of_step(),
    sqlite_with_rowid=False,
)

papers = Table(
    "papers",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("game", NAME, nullable=False),
    Column("step", Integer, nullable=False),
    Column("seat", OrPublic, nullable=False),
    Column("number", Integer, nullable=False),
    Column("document", LargeBinary, nullable=False),
    UniqueConstraint("game", "seat", "number"),
    _of_step(),
    Index(None, "game", "step"),
)

outbox = Table(
    "outbox",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("game", NAME, nullable=False),
    Column("step", Integer, nullable=False),
    Column("seat", NAME, nullable=False),
    Column("kind", NAME, nullable=False),
    Column("number", Integer, nullable=False),
    Column("document", LargeBinary, nullable=False),
    Column("template", Text, nullable=False),
    Column("message_id", Text, nullable=False),
    Column("made", Instant, nullable=False),
    Column("status", Text, nullable=False),
    Column("content", LargeBinary),
    Column("claimed_by", Text),
    Column("seating", Integer, nullable=False),
    Column("to", Canonical),
    Column("attempts", Integer, nullable=False),
    Column("not_before", Instant),
    Column("results", Canonical, nullable=False),
    Column("cause", Text, nullable=False),
    UniqueConstraint("game", "seat", "kind", "number", "step"),
    Index(None, "status", "id"),
    Index(None, "cause"),
)

arrivals = Table(
    "arrivals",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("message_id", Text, nullable=False),
    Column("digest", Text, nullable=False),
    Column("arrived", Instant, nullable=False),
    Column("read", Instant, nullable=False),
    Column("date", Instant),
    Column("sender", Text),
    Column("game", NAME),
    Column("seat", NAME),
    Column("outcome", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("answer", Text),
    Column("number", Integer),
    UniqueConstraint("digest", "message_id"),
    Index(None, "game", "seat", "number"),
    Index(None, "answer"),
)

callers = Table(
    "callers",
    METADATA,
    Column("address", NAME, primary_key=True),
    Column("day", Text, nullable=False),
    Column("answers", Integer, nullable=False),
    Column("wrong", Integer, nullable=False),
    Column("until", Instant),
    sqlite_with_rowid=False,
)

press = Table(
    "press",
    METADATA,
    Column("game", NAME, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("at", Instant, nullable=False),
    Column("step", Integer),
    Column("seat", NAME),
    Column("seating", Integer, nullable=False),
    Column("to", Canonical, nullable=False),
    Column("anonymous", Boolean, nullable=False),
    Column("text", Text, nullable=False),
    _of_game(),
    sqlite_with_rowid=False,
)

absences = Table(
    "absences",
    METADATA,
    Column("game", NAME, primary_key=True),
    Column("seat", NAME, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("seating", Integer, nullable=False),
    Column("start", Instant, nullable=False),
    Column("end", Instant, nullable=False),
    Column("days", Integer, nullable=False),
    Column("announced", Instant, nullable=False),
    _of_seat(),
    sqlite_with_rowid=False,
)

observers = Table(
    "observers",
    METADATA,
    Column("game", NAME, primary_key=True),
    Column("address", NAME, primary_key=True),
    Column("name", Text),
    Column("since", Instant, nullable=False),
    Column("until", Instant),
    _of_game(),
    sqlite_with_rowid=False,
)

signups = Table(
    "signups",
    METADATA,
    Column("game", NAME, primary_key=True),
    Column("address", NAME, primary_key=True),
    Column("name", Text, nullable=False),
    Column("luck", Text, nullable=False),
    Column("prefer", Canonical, nullable=False),
    Column("status", Text, nullable=False),
    Column("asked", Instant, nullable=False),
    Column("confirmed", Instant),
    Column("seat", NAME),
    _of_game(),
    sqlite_with_rowid=False,
)

heartbeats = Table(
    "heartbeats",
    METADATA,
    Column("name", NAME, primary_key=True),
    Column("at", Instant, nullable=False),
    Column("boot", Real, nullable=False),
    Column("facts", Canonical, nullable=False),
    sqlite_with_rowid=False,
)

links = Table(
    "links",
    METADATA,
    Column("game", NAME, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("kind", Text, nullable=False),
    Column("step", Text, nullable=False),
    Column("after", Text),
    Column("commitments", Canonical, nullable=False),
    Column("previous", Text, nullable=False),
    Column("digest", Text, nullable=False),
    _of_game(),
    sqlite_with_rowid=False,
)

notes = Table(
    "notes",
    METADATA,
    Column("game", NAME, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("at", Instant, nullable=False),
    Column("act", Text, nullable=False),
    Column("by", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("data", Canonical, nullable=False),
    _of_game(),
    sqlite_with_rowid=False,
)
