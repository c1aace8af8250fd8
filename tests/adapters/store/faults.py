"""Breaks a transaction at a place of our choice, from outside."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import event

from adjudicator.adapters.store.store import SqlStore


class PulledPlugError(Exception):
    """What a test throws into a transaction."""


class Watch:
    """Counts what is sent to the database; at the n-th thing it throws."""

    def __init__(self, at: int | None = None) -> None:
        self.at = at
        self.seen: list[str] = []

    def statement(self, *given: Any) -> None:
        self._see(" ".join(str(given[2]).split()[:3]))

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
    event.listen(store.engine, "before_cursor_execute", watch.statement)
    event.listen(store.engine, "commit", watch.commit)
    try:
        yield watch
    finally:
        event.remove(store.engine, "before_cursor_execute", watch.statement)
        event.remove(store.engine, "commit", watch.commit)
