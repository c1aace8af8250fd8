"""Transactions over one engine."""

import secrets
from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from functools import cached_property
from types import TracebackType
from typing import TYPE_CHECKING

from adjudicator.adapters.store.books import SqlBooks
from adjudicator.adapters.store.databases import Database, NewsReader, tell_others
from adjudicator.adapters.store.prepared import DriverTransaction
from adjudicator.adapters.store.trouble import translate_errors
from adjudicator.core.chain import Link
from adjudicator.desk.model.ports import Books
from adjudicator.desk.model.values import Head

if TYPE_CHECKING:
    from sqlalchemy import Engine

_PLACE = (
    "SELECT (SELECT system_identifier FROM pg_control_system()) || '.' || oid"
    " FROM pg_database WHERE datname = current_database()"
)


class SqlStore(AbstractContextManager["SqlStore"]):
    """Opens transactions on the books; close it, or use it as a context."""

    def __init__(self, database: Database, name: str) -> None:
        self.database = database
        self.name = name
        self.after_commit: Callable[[Mapping[str, Head | None]], None] = lambda _heads: None
        """Told which games' chains have grown, or were deleted, once that is on the disk."""
        self.is_shared = database.name != "sqlite"
        """Whether others may write at the same time: a server's books, not those in a file."""
        self._ear: NewsReader | None = None
        self._tag = secrets.token_hex(4)

    @property
    def engine(self) -> "Engine":
        """SQLAlchemy's engine of the database, for upkeep."""
        return self.database.engine

    def translating(self) -> AbstractContextManager[None]:
        """Translate what goes wrong with the database into StoreTrouble."""
        return translate_errors(self.name, *self.database.errors)

    def reading(self) -> AbstractContextManager[Books]:
        """Open a transaction that reads one moment; writing in it is an error."""
        return self._transaction(writable=False)

    def writing(self) -> AbstractContextManager[Books]:
        """Open a transaction that is written whole, or not at all if anything is raised."""
        return self._transaction()

    def trying(self) -> AbstractContextManager[Books]:
        """Open a transaction that is undone at its end."""
        return self._transaction(keep=False)

    @contextmanager
    def _transaction(self, *, writable: bool = True, keep: bool = True) -> Iterator[Books]:
        with (
            self.translating(),
            self.database.transaction(writable=writable, keep=keep) as transaction,
        ):
            books = SqlBooks(transaction, writable=writable)
            yield books
            heads = {game: _make_head(books, game, link) for game, link in books.new_links.items()}
            books.finish()
            if keep and self.is_shared and writable and (news := books.news()):
                tell_others(transaction, news, self._tag)
        if heads and keep:
            self.after_commit(heads)

    @contextmanager
    def look(self) -> Iterator[DriverTransaction]:
        """Open a transaction that reads, in the engine's own words."""
        with self.translating(), self.database.transaction(writable=False) as transaction:
            yield transaction

    @cached_property
    def place(self) -> str | None:
        """The identity of a server's database until it is copied; None for a file."""
        if not self.is_shared:
            return None
        with self.look() as transaction:
            return str(transaction.ask(_PLACE))

    def read_clock(self) -> datetime | None:
        """Read the clock that all who share a server's database have; None for a file."""
        if not self.is_shared:
            return None
        with self.look() as transaction:
            now: datetime = transaction.ask("SELECT clock_timestamp()")
            return now.astimezone(UTC)

    def await_news(self, seconds: float) -> AbstractSet[str]:
        """Wait this long at most for what others do: POST_NEWS, CLOCK_NEWS; raises StoreTrouble."""
        with self.translating():
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

    def close(self) -> None:
        """Close every connection."""
        self.close_ear()
        self.database.close()

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
