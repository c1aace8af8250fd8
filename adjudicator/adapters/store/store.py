"""Transactions over one engine."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from types import TracebackType
from typing import Self

from sqlalchemy import Engine

from adjudicator.adapters.store.books import SqlBooks
from adjudicator.adapters.store.engines import for_reading
from adjudicator.adapters.store.trouble import translated
from adjudicator.desk.model.ports import Books


class SqlStore:
    """Implements desk.ports.Store; close it, or use it as a context."""

    def __init__(self, engine: Engine, name: str) -> None:
        self.engine = engine
        self.name = name
        self._reader = for_reading(engine)

    @contextmanager
    def reading(self) -> Iterator[Books]:
        """One moment of the books; whatever is written is an error."""
        with self._translated(), self._reader.connect() as connection, connection.begin():
            yield SqlBooks(connection, writable=False)

    @contextmanager
    def writing(self) -> Iterator[Books]:
        """All of it or, when anything is raised, nothing."""
        with self._translated(), self.engine.connect() as connection, connection.begin():
            books = SqlBooks(connection, writable=True)
            yield books
            books.flush()

    @contextmanager
    def trying(self) -> Iterator[Books]:
        """All of it for now, and nothing of it in the end."""
        with self._translated(), self.engine.connect() as connection:
            attempt = connection.begin()
            try:
                books = SqlBooks(connection, writable=True)
                yield books
                books.flush()
            finally:
                attempt.rollback()

    def _translated(self) -> AbstractContextManager[None]:
        return translated(self.name, self.engine.dialect.loaded_dbapi.Error)

    def close(self) -> None:
        """Lets go of every connection."""
        self.engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
