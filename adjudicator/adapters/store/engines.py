"""SQLAlchemy's engines: for the schema, for upkeep, and for connections to a server."""

import sqlite3
from collections.abc import Callable
from typing import Any

from sqlalchemy import URL, Connection, Engine, QueuePool, create_engine, event, make_url
from sqlalchemy.exc import (
    ArgumentError,
    DBAPIError,
    PendingRollbackError,
    ResourceClosedError,
)

from adjudicator.adapters.store.prepared import DriverTransaction
from adjudicator.adapters.store.trouble import LOCKED_SECONDS, StoreTrouble, refuse_url

READING = "adjudicator_reading"
_PATIENCE, _TRY, _TRIES = 20, 5, 3
"""Seconds without an answer after which a host of the other side of a connection counts as gone,
and how it is asked: a dead host must not hold a game for the hours that systems wait by default."""
_PROBES = {
    "connect_timeout": _PATIENCE,
    "keepalives_idle": _TRY,
    "keepalives_interval": _TRY,
    "keepalives_count": _TRIES,
    "tcp_user_timeout": _PATIENCE * 1000,
}
_SHOWN = ("host", "port")
"""Parts of a URL's query that name the server; others may hold a password."""


def open_sqlite(connect: Callable[[], sqlite3.Connection]) -> Engine:
    """Open an engine on such connections to a SQLite file."""
    engine = create_engine("sqlite+pysqlite://", creator=connect, poolclass=QueuePool)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _begin_sqlite(connection: Connection) -> None:
    """Queue writers up at the start, so that nothing they read is stale when they write."""
    reading = connection.get_execution_options().get(READING, False)
    driver: Any = connection.connection.driver_connection
    if connection.info.get(READING, False) != reading:
        driver.execute(f"PRAGMA query_only={'ON' if reading else 'OFF'}")
        connection.info[READING] = reading
    driver.execute("BEGIN" if reading else "BEGIN IMMEDIATE")


def show_url(url: URL) -> str:
    """Show a database's URL to people: its place and user, without password and other options."""
    query = {name: value for name, value in url.query.items() if name in _SHOWN}
    safe_url = url.set(drivername="postgresql", query=query)
    return safe_url.render_as_string(hide_password=True)


def open_postgresql(url: str) -> Engine:
    """Open a PostgreSQL server with psycopg 3."""
    if url.count("@") > 1:  # it is unclear which one ends the password
        raise refuse_url(url)
    try:
        target = make_url(url).set(drivername="postgresql+psycopg")
        if "@" in f"{target.host}{target.database}":
            raise refuse_url(url)
        probes = {name: value for name, value in _PROBES.items() if name not in target.query}
        engine = create_engine(target, pool_pre_ping=True, connect_args=probes)
    except ImportError as error:
        raise StoreTrouble(
            "PostgreSQL needs psycopg; install it with: pip install 'pbem-adjudicator[postgres]'"
        ) from error
    except (ArgumentError, ValueError) as error:
        raise refuse_url(url) from error
    event.listen(engine, "connect", _set_up_postgresql)
    return engine


def _set_up_postgresql(connection: Any, _record: Any) -> None:
    connection.autocommit = True
    connection.execute(
        f"SET lock_timeout = '{LOCKED_SECONDS}s'; SET tcp_user_timeout = '{_PATIENCE}s';"
        f" SET tcp_keepalives_idle = {_TRY}; SET tcp_keepalives_interval = {_TRY};"
        f" SET tcp_keepalives_count = {_TRIES}"
    )
    connection.autocommit = False


def for_reading(engine: Engine) -> Engine:
    """Return the same engine with transactions that read one moment and cannot write."""
    if engine.dialect.name == "postgresql":
        return engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
    return engine.execution_options(**{READING: True})


def list_errors(engine: Engine) -> tuple[type[Exception], ...]:
    """List what is raised where a server is at fault."""
    # the last two are said of a connection that was cut while a part of a transaction was undone
    return (
        engine.dialect.loaded_dbapi.Error,
        DBAPIError,
        PendingRollbackError,
        ResourceClosedError,
    )


def share(connection: Connection) -> DriverTransaction:
    """Return SQLAlchemy's transaction as one for prepared statements."""
    dialect = connection.dialect
    return DriverTransaction(
        dialect.name, connection.connection, dialect.loaded_dbapi.IntegrityError
    )
