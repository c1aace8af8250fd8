"""Breaks a transaction at a place of our choice, from outside."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from sqlalchemy import Connection, event

from adjudicator.adapters.store.prepared import Prepared
from adjudicator.adapters.store.store import SqlStore


class PulledPlugError(Exception):
    """What a test throws into a transaction."""


class Watch:
    """Counts what is sent to the database; at the n-th thing it throws."""

    def __init__(self, at: int | None = None) -> None:
        self.at = at
        self.seen: list[str] = []

    def statement(self, *given: Any) -> None:
        self.text(given[2])

    def text(self, sql: str) -> None:
        self._see(" ".join(sql.split()[:3]))

    def commit(self, _connection: Any) -> None:
        self._see("COMMIT")

    def _see(self, what: str) -> None:
        self.seen.append(what)
        if len(self.seen) == self.at:
            raise PulledPlugError(what)


@contextmanager
def watched(
    store: SqlStore, at: int | None = None, *, watch: Watch | None = None
) -> Iterator[Watch]:
    """Every statement and the commit of the transactions within, counted from 1."""
    watch = watch or Watch(at)
    write = Prepared.write

    def watched_write(
        statement: Prepared, connection: Connection, rows: Sequence[Mapping[str, Any]]
    ) -> int:
        watch.text(statement._compile(connection.dialect).text)
        return write(statement, connection, rows)

    event.listen(store.engine, "before_cursor_execute", watch.statement)
    event.listen(store.engine, "commit", watch.commit)
    try:
        with patch.object(Prepared, "write", watched_write):
            yield watch
    finally:
        event.remove(store.engine, "before_cursor_execute", watch.statement)
        event.remove(store.engine, "commit", watch.commit)
