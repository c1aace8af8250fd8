"""Transactions over one engine."""

import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from functools import cached_property
from types import TracebackType

from sqlalchemy import Engine, Text, cast, func, select, text

from adjudicator.adapters.store.books import SqlBooks
from adjudicator.adapters.store.engines import NewsReader, for_reading, tell_others
from adjudicator.adapters.store.tables import METADATA
from adjudicator.adapters.store.trouble import translate_errors
from adjudicator.adapters.store.types import find_damaged_packs
from adjudicator.core.chain import Link
from adjudicator.desk.model.ports import Books
from adjudicator.desk.model.values import Head

_PLACE = text(
    "SELECT (SELECT system_identifier FROM pg_control_system()) || '.' || oid"
    " FROM pg_database WHERE datname = current_database()"
)
_CLOCK = text("SELECT clock_timestamp()")
_ALL, _SHOWN = 1_000_000, 3
_HARMLESS = ("ok", "NULL value in ")
"""SQLite 3.40 misreads columns of tables that are kept in the order of a key."""


class SqlStore(AbstractContextManager["SqlStore"]):
    """Opens transactions on the books; close it, or use it as a context."""

    def __init__(self, engine: Engine, name: str) -> None:
        self.engine = engine
        self.name = name
        self.after_commit: Callable[[Mapping[str, Head | None]], None] = lambda _heads: None
        """Told which games' chains have grown, or were deleted, once that is on the disk."""
        self.is_shared = engine.dialect.name != "sqlite"
        """Whether others may write at the same time: a server's books, not those in a file."""
        self._reader = for_reading(engine)
        self._ear: NewsReader | None = None
        self._tag = secrets.token_hex(4)

    def reading(self) -> AbstractContextManager[Books]:
        """Open a transaction that reads one moment; writing in it is an error."""
        return self._transaction(self._reader, writable=False)

    def writing(self) -> AbstractContextManager[Books]:
        """Open a transaction that is written whole, or not at all if anything is raised."""
        return self._transaction(self.engine)

    def trying(self) -> AbstractContextManager[Books]:
        """Open a transaction that is undone at its end."""
        return self._transaction(self.engine, keep=False)

    @contextmanager
    def _transaction(
        self, engine: Engine, *, writable: bool = True, keep: bool = True
    ) -> Iterator[Books]:
        errors = self.engine.dialect.loaded_dbapi.Error
        with (
            translate_errors(self.name, errors),
            engine.connect() as connection,
            connection.begin() as attempt,
        ):
            books = SqlBooks(connection, writable=writable)
            yield books
            heads = {game: _make_head(books, game, link) for game, link in books.new_links.items()}
            books.finish()
            if not keep:
                attempt.rollback()
            elif self.is_shared and writable and (news := books.news()):
                tell_others(connection, news, self._tag)
        if heads and keep:
            self.after_commit(heads)

    @cached_property
    def place(self) -> str | None:
        """The identity of a server's database until it is copied; None for a file."""
        if self.engine.dialect.name == "sqlite":
            return None
        with translate_errors(self.name), self._reader.connect() as connection:
            return str(connection.execute(_PLACE).scalar_one())

    def read_clock(self) -> datetime | None:
        """Read the clock that all who share a server's database have; None for a file."""
        if not self.is_shared:
            return None
        with translate_errors(self.name), self.engine.connect() as connection:
            now: datetime = connection.execute(_CLOCK).scalar_one()
            return now.astimezone(UTC)

    def await_news(self, seconds: float) -> AbstractSet[str]:
        """Wait this long at most for what others do: POST_NEWS, CLOCK_NEWS; raises StoreTrouble."""
        with translate_errors(self.name, self.engine.dialect.loaded_dbapi.Error):
            try:
                self._ear = self._ear or NewsReader(self.engine)
                return self._ear.wait(seconds, self._tag)
            except BaseException:
                self.close_ear()
                raise

    def close_ear(self) -> None:
        """Wait for no more news."""
        ear, self._ear = self._ear, None
        if ear is not None:
            ear.close()

    def find_damage(self) -> Sequence[str]:
        """List the damage that the database finds in its own files; every page is read."""
        errors = self.engine.dialect.loaded_dbapi.Error
        with translate_errors(self.name, errors), self._reader.connect() as connection:
            if self.engine.dialect.name == "sqlite":
                messages = connection.exec_driver_sql(f"PRAGMA integrity_check({_ALL})").scalars()
                damage = [str(one) for one in messages if not str(one).startswith(_HARMLESS)]
                if damage:
                    return damage[:_SHOWN]
            else:
                for table in METADATA.sorted_tables:  # a page with a wrong checksum can't be read
                    lengths = [func.sum(func.length(cast(column, Text))) for column in table.c]
                    connection.execute(select(*lengths)).all()
            games = find_damaged_packs(connection)
            return [f"older steps of {game} cannot be read" for game in games][:_SHOWN]

    def close(self) -> None:
        """Close every connection."""
        self.close_ear()
        self.engine.dispose()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _make_head(books: Books, game: str, link: Link | None) -> Head | None:
    """Make the new end of a game's chain; None if the game was deleted."""
    if link is None:
        return None
    return Head(link.number, link.digest, books.game(game).next_number - 1)
