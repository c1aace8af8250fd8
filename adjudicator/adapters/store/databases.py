"""The two kinds of databases: how a transaction begins and ends on connections of their drivers.

What needs SQLAlchemy, which takes as long to load as a short command takes for all else, is loaded
when it is asked for: a server, and whatever makes, changes, copies or packs a database.
"""

import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import quote

from adjudicator.adapters.store.prepared import DriverTransaction
from adjudicator.adapters.store.trouble import LOCKED_SECONDS

if TYPE_CHECKING:
    from sqlalchemy import Engine


class Database(ABC):
    """Opens transactions."""

    name: ClassVar[str]
    """sqlite | postgresql"""
    errors: tuple[type[Exception], ...]
    """What is raised where the database is at fault."""

    @abstractmethod
    def transaction(
        self, *, writable: bool = True, keep: bool = True
    ) -> AbstractContextManager[DriverTransaction]:
        """Open a transaction: kept whole or not at all, or one that reads a single moment."""

    @cached_property
    @abstractmethod
    def engine(self) -> "Engine":
        """SQLAlchemy's engine of the same database."""

    @abstractmethod
    def close(self) -> None:
        """Close every connection."""


class FileDatabase(Database):
    """A SQLite file whose commits are on disk when they return."""

    name = "sqlite"
    errors = (sqlite3.Error,)

    def __init__(self, path: Path, options: str = "") -> None:
        """Name a file, with SQLite's options where it may not be written to."""
        self._place = f"file:{quote(str(path))}?{options}" if options else str(path)
        self._is_address = bool(options)
        self._idle = _list_none()

    @contextmanager
    def transaction(
        self, *, writable: bool = True, keep: bool = True
    ) -> Iterator[DriverTransaction]:
        """Open a transaction; writers queue up, so that nothing they read is stale."""
        idle = self._idle[writable]
        try:
            connection = idle.pop()
        except IndexError:
            connection = self.connect(writable=writable)
        transaction = DriverTransaction(self.name, connection, sqlite3.IntegrityError)
        try:
            connection.execute("BEGIN IMMEDIATE" if writable else "BEGIN")
            yield transaction
            connection.execute("COMMIT" if keep else "ROLLBACK")
        except BaseException:
            connection.close()  # undoes what it has begun
            raise
        finally:
            transaction.is_open = False
        if idle is self._idle[writable]:
            idle.append(connection)
        else:
            connection.close()

    def connect(self, *, writable: bool = True) -> sqlite3.Connection:
        """Open a connection, which one thread after the other may use."""
        connection = sqlite3.connect(
            self._place,
            timeout=LOCKED_SECONDS,
            isolation_level=None,  # we begin transactions, not the driver
            check_same_thread=False,
            uri=self._is_address,
        )
        try:
            connection.execute("PRAGMA synchronous=FULL")
            connection.execute("PRAGMA foreign_keys=ON")
            connection.execute(f"PRAGMA query_only={'OFF' if writable else 'ON'}")
        except BaseException:
            connection.close()
            raise
        return connection

    @cached_property
    def engine(self) -> "Engine":
        from adjudicator.adapters.store.engines import open_sqlite

        return open_sqlite(self.connect)

    def close(self) -> None:
        every, self._idle = self._idle, _list_none()
        for idle in every.values():
            while idle:
                idle.pop().close()
        if "engine" in vars(self):
            self.engine.dispose()


def _list_none() -> dict[bool, list[sqlite3.Connection]]:
    """List no connections, by whether they write: to change that makes SQLite read all anew."""
    return {True: [], False: []}


class ServerDatabase(Database):
    """A database on a PostgreSQL server, which others may write to at the same time."""

    name = "postgresql"

    def __init__(self, url: str) -> None:
        """Name a server's database by its URL; raises StoreTrouble."""
        from adjudicator.adapters.store import engines

        self._engine = engines.open_postgresql(url)
        self.address = engines.show_url(self._engine.url)
        """Where it is, for people to read."""
        self._reader = engines.for_reading(self._engine)
        self.errors = engines.list_errors(self._engine)

    @contextmanager
    def transaction(
        self, *, writable: bool = True, keep: bool = True
    ) -> Iterator[DriverTransaction]:
        engine = self._engine if writable else self._reader
        refusal = engine.dialect.loaded_dbapi.IntegrityError
        with engine.connect() as connection, connection.begin() as attempt:
            transaction = DriverTransaction(self.name, connection.connection, refusal)
            try:
                yield transaction
            finally:
                transaction.is_open = False
            if not keep:
                attempt.rollback()

    @cached_property
    def engine(self) -> "Engine":
        return self._engine

    def close(self) -> None:
        self._engine.dispose()


# news

POST_NEWS, CLOCK_NEWS = "post", "clock"
"""What others wait for: letters to be sent, and games in which something has happened."""
_CHANNEL = "adjudicator"


def tell_others(transaction: DriverTransaction, news: Iterable[str], teller: str) -> None:
    """Tell all who share the database of this transaction, once it is committed."""
    for one in news:
        transaction.ask("SELECT pg_notify(%s, %s)", (_CHANNEL, f"{one} {teller}"))


class NewsReader:
    """A connection on which PostgreSQL tells what others have committed."""

    def __init__(self, engine: "Engine") -> None:
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
