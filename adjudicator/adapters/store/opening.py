"""Open a store: create a missing one, migrate an old one, refuse a newer one."""

import os
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing, suppress
from errno import EACCES, EISDIR
from pathlib import Path
from threading import Lock

from sqlalchemy import (
    Column,
    Connection,
    Engine,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    insert,
    inspect,
    select,
    text,
)

from adjudicator.adapters.store.engines import (
    for_reading,
    is_address,
    open_postgresql,
    open_read_only_sqlite,
    open_sqlite,
    refuse_url,
    show_url,
)
from adjudicator.adapters.store.store import SqlStore
from adjudicator.adapters.store.tables import METADATA, WHERE
from adjudicator.adapters.store.trouble import LOCKED_SECONDS, StoreTrouble, translate_errors

REVISIONS = (
    *("0003", "0006", "0007", "0008", "0010", "0011", "0012", "0013", "0014"),
    *("0015", "0016", "0017", "0018", "0019"),
)
"""Of the schema, one a release, oldest first; the last is the one that this program writes."""

VERSION_TABLE = "adjudicator_schema"
"""The table of the revision, named so as not to collide with others in a shared database."""

_VERSIONS = Table(
    VERSION_TABLE,
    MetaData(),
    Column("version_num", String(32), nullable=False),
    PrimaryKeyConstraint("version_num", name=f"{VERSION_TABLE}_pkc"),
)
"""As Alembic makes it."""

MIGRATIONS = Path(__file__).with_name("migrations")
_LOCK = 0x61646A75
"""Of the migration on PostgreSQL: any number of our own."""
_MAKING = Lock()


def open_store(where: str | Path) -> SqlStore:
    """Open the store in this file, or at this URL (postgresql://… or sqlite:///…)."""
    place = str(where).strip()
    if place.startswith(("postgresql:", "postgres:", "postgresql+psycopg:")):
        engine = open_postgresql(place)
        name = f"database {show_url(engine.url)}"
    elif isinstance(where, str) and is_address(place.removeprefix("sqlite:///")):
        raise refuse_url(place)
    else:
        path = Path(place.removeprefix("sqlite:///")).absolute()
        name = f"database {path}"
        _make_file(path, name)
        engine = open_sqlite(path)
    return _check(SqlStore(engine, name), _bring_up)


def open_read_only(path: Path) -> SqlStore:
    """Open the store in a file without changing it or anything beside it."""
    name = f"database {path}"
    log = path.with_name(f"{path.name}-wal")
    # SQLite makes a log to read one that was left; where none is, nobody writes, so it needs none
    engine = open_read_only_sqlite(path, unchanging=not (log.exists() and log.stat().st_size))
    return _check(SqlStore(engine, name), _must_be_current)


def _check(store: SqlStore, check: Callable[[Engine, str], None]) -> SqlStore:
    """Return the store if it passes the check."""
    try:
        with translate_errors(store.name):
            check(store.engine, store.name)
    except BaseException:
        store.close()
        raise
    return store


def _must_be_current(engine: Engine, name: str) -> None:
    if not _is_current(_revision_of(engine), name):
        raise StoreTrouble(
            f"{name}: it was written by an older adjudicator, and cannot be updated where it is "
            "read-only; copy the home to a place that can be written"
        )


def _make_file(path: Path, name: str) -> None:
    """Make the file readable by its owner only, since it holds the seeds."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # closing a file drops all of this process's locks on it, SQLite's too, so only a new file
        # is ever opened here, which nobody else has before it is closed
        with _MAKING, suppress(FileExistsError):
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
        _may_be_used(path)
    except OSError as error:
        raise StoreTrouble(
            f"cannot open {name}: {error.strerror}; name another home with --home"
        ) from error
    with translate_errors(name):
        _switch_to_log(path)


def _may_be_used(path: Path) -> None:
    """Raise what opening the file would raise."""
    if path.is_dir():
        raise IsADirectoryError(EISDIR, os.strerror(EISDIR))
    effective = os.access in os.supports_effective_ids
    if not os.access(path, os.R_OK | os.W_OK, effective_ids=effective):
        raise PermissionError(EACCES, os.strerror(EACCES))


def _switch_to_log(path: Path) -> None:
    """Switch to a write-ahead log, if there is none yet, so that readers never wait."""
    patience = time.monotonic() + LOCKED_SECONDS
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        while True:
            try:
                connection.execute("PRAGMA journal_mode=WAL").fetchone()
            except sqlite3.OperationalError:  # two are switching at once; SQLite does not wait here
                if time.monotonic() > patience:
                    raise
                time.sleep(0.01)
            else:
                return


def _bring_up(engine: Engine, name: str) -> None:
    """Update the schema; a single query if it is current, as it nearly always is."""
    if _is_current(_revision_of(engine), name):
        return
    with engine.connect() as connection, connection.begin():
        if engine.dialect.name == "postgresql":
            connection.execute(text(f"SELECT pg_advisory_xact_lock({_LOCK})"))
        revision = _read_revision(connection)
        if not _is_current(revision, name):
            if revision is None:
                _refuse_strangers(connection, name)
                _make(connection)
            else:
                _migrate(connection)


def _revision_of(engine: Engine) -> str | None:
    with for_reading(engine).connect() as connection, connection.begin():
        return _read_revision(connection)


def _read_revision(connection: Connection) -> str | None:
    """Read the database's revision; None if it is empty."""
    if not connection.dialect.has_table(connection, VERSION_TABLE):
        return None
    return connection.execute(select(_VERSIONS)).scalar()


def _is_current(revision: str | None, name: str) -> bool:
    if revision is not None and revision > REVISIONS[-1]:
        raise StoreTrouble(
            f"{name}: it was written by a newer adjudicator (schema {revision}, this program knows"
            f" {REVISIONS[-1]}); update the program: pip install --upgrade pbem-adjudicator"
        )
    if revision is not None and revision not in REVISIONS:
        raise StoreTrouble(
            f"{name}: it was written by an adjudicator between two releases (schema {revision}); "
            "export its games with that program, and import them into a new home"
        )
    return revision == REVISIONS[-1]


def _refuse_strangers(connection: Connection, name: str) -> None:
    """Refuse a database with tables of another program that have the names of ours."""
    tables = sorted(set(inspect(connection).get_table_names()) & set(METADATA.tables))
    if tables:
        raise StoreTrouble(
            f"{name}: it holds a table {tables[0]} of another program; move it away, or name "
            "another home or database"
        )


def _make(connection: Connection) -> None:
    """Make a new store with the current schema."""
    for index in (one for table in METADATA.tables.values() for one in table.indexes):
        index.dialect_options[connection.dialect.name]["where"] = index.info.get(WHERE)
    METADATA.create_all(connection, checkfirst=False)
    _VERSIONS.create(connection)
    connection.execute(insert(_VERSIONS).values(version_num=REVISIONS[-1]))


def _migrate(connection: Connection) -> None:
    """Migrate to the newest revision, within the current transaction."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    config.attributes["version_table"] = VERSION_TABLE
    command.upgrade(config, REVISIONS[-1])
