"""Copies of a whole store: into a file while others write to it, and from a file into a server."""

import os
import sqlite3
import time
from contextlib import closing
from pathlib import Path

from sqlalchemy import Connection, func, insert, select, text

from adjudicator.adapters.store.databases import FileDatabase
from adjudicator.adapters.store.engines import for_reading
from adjudicator.adapters.store.opening import open_store
from adjudicator.adapters.store.store import SqlStore
from adjudicator.adapters.store.tables import METADATA
from adjudicator.adapters.store.trouble import LOCKED_SECONDS, StoreTrouble

_ROWS = 100
"""Read and written at once: a letter with pictures takes some tens of kilobytes."""
_OTHERS = text(
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
    " AND pid <> pg_backend_pid() AND xact_start <= :since"
)


def copy_store(store: SqlStore, path: Path) -> None:
    """Write the books of one moment into a SQLite file of their own, without blocking writers.

    SQLite files are copied by SQLite's own backup. A PostgreSQL database is read in one snapshot,
    as pg_dump does, so that a bundle can be checked and restored without pg_dump or a server of
    the same version.
    """
    with store.translating():
        if isinstance(store.database, FileDatabase):
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
            with (
                closing(store.database.connect()) as source,
                closing(sqlite3.connect(path)) as copy,
            ):
                source.backup(copy)
            return
        with (
            open_store(path) as file_store,
            for_reading(store.engine).connect() as source,
            file_store.engine.connect() as target,
            target.begin(),
        ):
            _copy_rows(source, target)


def fill_store(path: Path, store: SqlStore) -> None:
    """Write the books in a file into an empty store, all or nothing."""
    with (
        store.translating(),
        open_store(path) as file_store,
        for_reading(file_store.engine).connect() as source,
        store.engine.connect() as target,
        target.begin(),
    ):
        _copy_rows(source, target)
        _count_on(target)


def require_empty(store: SqlStore) -> None:
    """Refuse a store that was ever written to."""
    with store.translating(), for_reading(store.engine).connect() as connection:
        for table in METADATA.sorted_tables:
            if connection.execute(select(table.c[0]).limit(1)).first() is not None:
                raise StoreTrouble(f"{store.name}: it is in use; name an empty database")


def await_others(store: SqlStore) -> None:
    """Wait until everything begun before is on disk; new work sees what we wrote."""
    if not store.is_shared:
        return  # other writers have waited for us
    with store.translating(), store.engine.connect() as connection:
        since = connection.execute(select(func.now())).scalar_one()
        connection.rollback()
        patience = time.monotonic() + LOCKED_SECONDS
        while connection.execute(_OTHERS, {"since": since}).scalar_one():
            connection.rollback()
            if time.monotonic() > patience:
                raise StoreTrouble(
                    f"{store.name}: another program has been writing for {LOCKED_SECONDS} seconds; "
                    "wait for it to end and try again"
                )
            time.sleep(0.05)


def _copy_rows(source: Connection, target: Connection) -> None:
    for table in METADATA.sorted_tables:
        rows = source.execution_options(yield_per=_ROWS).execute(select(table))
        for part in rows.mappings().partitions():
            target.execute(insert(table), [dict(row) for row in part])


def _count_on(target: Connection) -> None:
    """Let the server number new rows after the last one."""
    if target.dialect.name != "postgresql":
        return
    for table in METADATA.sorted_tables:
        if table.autoincrement_column is not None:
            last = select(func.coalesce(func.max(table.autoincrement_column), 0) + 1)
            place = func.pg_get_serial_sequence(table.name, table.autoincrement_column.name)
            target.execute(select(func.setval(place, last.scalar_subquery(), False)))  # noqa: FBT003 - SQL's
