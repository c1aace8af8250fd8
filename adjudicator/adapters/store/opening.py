"""Open a store: create a missing one, migrate an old one, refuse a newer one."""

import os
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing, suppress
from errno import EACCES, EISDIR
from pathlib import Path
from threading import Lock

from adjudicator.adapters.store.databases import Database, FileDatabase, ServerDatabase
from adjudicator.adapters.store.migrations.revisions import is_newest, read_revision
from adjudicator.adapters.store.store import SqlStore
from adjudicator.adapters.store.trouble import (
    LOCKED_SECONDS,
    StoreTrouble,
    is_address,
    refuse_url,
    translate_errors,
)

_MAKING = Lock()


def open_store(where: str | Path) -> SqlStore:
    """Open the store in this file, or at this URL (postgresql://… or sqlite:///…)."""
    place = str(where).strip()
    if place.startswith(("postgresql:", "postgres:", "postgresql+psycopg:")):
        server = ServerDatabase(place)
        database: Database = server
        name = f"database {server.address}"
    elif isinstance(where, str) and is_address(place.removeprefix("sqlite:///")):
        raise refuse_url(place)
    else:
        path = Path(place.removeprefix("sqlite:///")).absolute()
        name = f"database {path}"
        _make_file(path, name)
        database = FileDatabase(path)
    return _check(SqlStore(database, name), _bring_up)


def open_read_only(path: Path) -> SqlStore:
    """Open the store in a file without changing it or anything beside it."""
    name = f"database {path}"
    log = path.with_name(f"{path.name}-wal")
    # SQLite makes a log to read one that was left; where none is, nobody writes, so it needs none
    is_log_left = log.exists() and log.stat().st_size > 0
    database = FileDatabase(path, "mode=ro" if is_log_left else "mode=ro&immutable=1")
    return _check(SqlStore(database, name), _must_be_current)


def _check(store: SqlStore, check: Callable[[Database, str], None]) -> SqlStore:
    """Return the store if it passes the check."""
    try:
        with store.translating():
            check(store.database, store.name)
    except BaseException:
        store.close()
        raise
    return store


def _must_be_current(database: Database, name: str) -> None:
    if not _is_current(database, name):
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


def _bring_up(database: Database, name: str) -> None:
    """Update the schema; one short look if it is current, as it nearly always is."""
    if not _is_current(database, name):
        from adjudicator.adapters.store.migrations.schema import bring_up

        bring_up(database.engine, name)


def _is_current(database: Database, name: str) -> bool:
    with database.transaction(writable=False) as transaction:
        return is_newest(read_revision(transaction), name)
