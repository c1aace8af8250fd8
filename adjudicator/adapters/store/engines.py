"""The two engines: how each is reached, and how a transaction begins on it."""

from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError

from adjudicator.adapters.store.trouble import LOCKED_SECONDS, StoreTrouble

READING = "adjudicator_reading"


def sqlite_engine(path: Path) -> Engine:
    """A file; every commit is on the disk when it returns."""
    return _sqlite(URL.create("sqlite+pysqlite", database=str(path)))


def read_only_engine(path: Path, *, unchanging: bool) -> Engine:
    """A file that is only read; `unchanging`: nobody else writes to it meanwhile."""
    query = {"mode": "ro", "uri": "true"} | ({"immutable": "1"} if unchanging else {})
    return _sqlite(URL.create("sqlite+pysqlite", database=f"file:{quote(str(path))}", query=query))


def _sqlite(url: URL) -> Engine:
    engine = create_engine(url, connect_args={"timeout": LOCKED_SECONDS})
    event.listen(engine, "connect", _set_up_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _set_up_sqlite(connection: Any, _record: Any) -> None:
    """Transactions are begun by us, not by the driver's guess."""
    connection.isolation_level = None
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("PRAGMA foreign_keys=ON")


def _begin_sqlite(connection: Connection) -> None:
    """Writers queue up at once, so that nothing read can be stale when it is written."""
    reading = connection.get_execution_options().get(READING, False)
    if connection.info.get(READING, False) != reading:
        connection.exec_driver_sql(f"PRAGMA query_only={'ON' if reading else 'OFF'}")
        connection.info[READING] = reading
    connection.exec_driver_sql("BEGIN" if reading else "BEGIN IMMEDIATE")


def postgresql_engine(url: str) -> Engine:
    """A server, reached with psycopg 3."""
    try:
        target = make_url(url).set(drivername="postgresql+psycopg")
        engine = create_engine(target, pool_pre_ping=True)
    except ImportError as error:
        raise StoreTrouble(
            "PostgreSQL needs psycopg; install it with: pip install 'pbem-adjudicator[postgres]'"
        ) from error
    except (ArgumentError, ValueError) as error:
        raise StoreTrouble(
            "cannot read the database's URL: expected postgresql://user:password@host:port/name"
        ) from error
    event.listen(engine, "connect", _set_up_postgresql)
    return engine


def _set_up_postgresql(connection: Any, _record: Any) -> None:
    connection.autocommit = True
    connection.execute(f"SET lock_timeout = '{LOCKED_SECONDS}s'")
    connection.autocommit = False


def for_reading(engine: Engine) -> Engine:
    """The same engine, whose transactions see one moment and cannot write."""
    if engine.dialect.name == "postgresql":
        return engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
    return engine.execution_options(**{READING: True})
