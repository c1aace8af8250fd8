"""Transactions over one engine."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from types import TracebackType

from sqlalchemy import Engine, Text, cast, func, select

from adjudicator.adapters.store.books import SqlBooks
from adjudicator.adapters.store.engines import for_reading
from adjudicator.adapters.store.tables import METADATA
from adjudicator.adapters.store.trouble import translated
from adjudicator.desk.model.ports import Books


class SqlStore(AbstractContextManager["SqlStore"]):
    """Implements desk.ports.Store; close it, or use it as a context."""

    def __init__(self, engine: Engine, name: str) -> None:
        self.engine = engine
        self.name = name
        self._reader = for_reading(engine)

    def reading(self) -> AbstractContextManager[Books]:
        """One moment of the books; whatever is written is an error."""
        return self._transaction(self._reader, writable=False)

    def writing(self) -> AbstractContextManager[Books]:
        """All of it or, when anything is raised, nothing."""
        return self._transaction(self.engine)

    def trying(self) -> AbstractContextManager[Books]:
        """All of it for now, and nothing of it in the end."""
        return self._transaction(self.engine, keep=False)

    @contextmanager
    def _transaction(
        self, engine: Engine, *, writable: bool = True, keep: bool = True
    ) -> Iterator[Books]:
        errors = self.engine.dialect.loaded_dbapi.Error
        with (
            translated(self.name, errors),
            engine.connect() as connection,
            connection.begin() as attempt,
        ):
            books = SqlBooks(connection, writable=writable)
            yield books
            books.flush()
            if not keep:
                attempt.rollback()

    def find_damage(self) -> Sequence[str]:
        """What the engine finds wrong with its own files, in its words; every page is read."""
        errors = self.engine.dialect.loaded_dbapi.Error
        with translated(self.name, errors), self._reader.connect() as connection:
            if self.engine.dialect.name == "sqlite":
                found = connection.exec_driver_sql("PRAGMA integrity_check(3)").scalars().all()
                return [str(one) for one in found if one != "ok"]
            for table in METADATA.sorted_tables:  # a page that fails its checksum cannot be read
                lengths = [func.sum(func.length(cast(column, Text))) for column in table.c]
                connection.execute(select(*lengths)).all()
            return []

    def close(self) -> None:
        """Lets go of every connection."""
        self.engine.dispose()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
