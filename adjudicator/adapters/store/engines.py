"""The two engines: how each is reached, and how a transaction begins on it."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.exc import ArgumentError

from adjudicator.adapters.store.trouble import LOCKED_SECONDS, StoreTrouble

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


def open_sqlite(path: Path) -> Engine:
    """Open a SQLite file whose commits are on disk when they return."""
    return _make_sqlite_engine(URL.create("sqlite+pysqlite", database=str(path)))


def open_read_only_sqlite(path: Path, *, unchanging: bool) -> Engine:
    """Open a SQLite file to read only; `unchanging` means that nobody writes to it meanwhile."""
    query = {"mode": "ro", "uri": "true"} | ({"immutable": "1"} if unchanging else {})
    return _make_sqlite_engine(
        URL.create("sqlite+pysqlite", database=f"file:{quote(str(path))}", query=query)
    )


def _make_sqlite_engine(url: URL) -> Engine:
    engine = create_engine(url, connect_args={"timeout": LOCKED_SECONDS})
    event.listen(engine, "connect", _set_up_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _set_up_sqlite(connection: Any, _record: Any) -> None:
    """Let us begin transactions instead of the driver."""
    connection.isolation_level = None
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("PRAGMA foreign_keys=ON")


def _begin_sqlite(connection: Connection) -> None:
    """Queue writers up at the start, so that nothing they read is stale when they write."""
    reading = connection.get_execution_options().get(READING, False)
    driver: Any = connection.connection.driver_connection
    if connection.info.get(READING, False) != reading:
        driver.execute(f"PRAGMA query_only={'ON' if reading else 'OFF'}")
        connection.info[READING] = reading
    driver.execute("BEGIN" if reading else "BEGIN IMMEDIATE")


_URL = "postgresql://user@host:port/name"
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{0,30}(?=://)")
_ADDRESS = re.compile(r":.*@", re.DOTALL)
_PASSWORD = re.compile(r"pass(word|wd)?\s*=", re.IGNORECASE)
_SHOWN = ("host", "port")
"""Parts of a URL's query that name the server; others may hold a password."""


def refuse_url(url: str) -> StoreTrouble:
    """Make the error for a URL that is no database of ours, without repeating a password in it."""
    scheme = _SCHEME.match(url)
    begins = f"it begins with {scheme[0]}://, " if scheme else ""
    return StoreTrouble(
        f"cannot read the database's URL: {begins}expected a file, {_URL} or sqlite:///file; "
        "write @ in a user or a password as %40"
    )


def is_address(place: str) -> bool:
    """Whether a text names a user with a password, or a server, rather than a file."""
    return "://" in place or bool(_ADDRESS.search(place) or _PASSWORD.search(place))


def has_password(url: str) -> bool:
    """Whether a database's URL holds a password."""
    return bool(_ADDRESS.search(url.partition("://")[2]) or _PASSWORD.search(url))


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


POST_NEWS, CLOCK_NEWS = "post", "clock"
"""What others wait for: letters to be sent, and games in which something has happened."""
_CHANNEL = "adjudicator"
_TELL = text("SELECT pg_notify(:channel, :news)")


def tell_others(connection: Connection, news: Iterable[str], teller: str) -> None:
    """Tell all who share the database of this transaction, once it is committed."""
    for one in news:
        connection.execute(_TELL, {"channel": _CHANNEL, "news": f"{one} {teller}"})


class NewsReader:
    """A connection on which PostgreSQL tells what others have committed."""

    def __init__(self, engine: Engine) -> None:
        self._connection = engine.raw_connection()
        driver: Any = self._connection.driver_connection
        self._driver = driver
        self._driver.autocommit = True
        self._driver.execute(f"LISTEN {_CHANNEL}")

    def wait(self, seconds: float, teller: str) -> frozenset[str]:
        """Wait this long at most for news, other than those of this teller."""
        notes = [
            note.payload.split() for note in self._driver.notifies(timeout=seconds, stop_after=1)
        ]
        return frozenset(news for news, by in notes if by != teller)

    def close(self) -> None:
        """Close the connection; nobody else uses it."""
        self._connection.invalidate()
