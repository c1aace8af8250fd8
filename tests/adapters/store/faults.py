"""Breaks a transaction at a place of our choice, from outside."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from adjudicator.adapters.store.prepared import DriverTransaction, Prepared
from adjudicator.adapters.store.store import SqlStore


class PulledPlugError(Exception):
    """What a test throws into a transaction."""


class Watch:
    """Counts what is sent to the database; at the n-th thing it throws."""

    def __init__(self, at: int | None = None) -> None:
        self.at = at
        self.seen: list[str] = []

    def text(self, sql: str) -> None:
        self._see(" ".join(sql.split()[:3]))

    def commit(self) -> None:
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
        statement: Prepared, transaction: DriverTransaction, rows: Sequence[dict[str, Any]]
    ) -> int:
        watch.text(statement.text)
        return write(statement, transaction, rows)

    ask, open_one = DriverTransaction.ask, store.database.transaction

    def watched_ask(transaction: DriverTransaction, text: str, *given: Any) -> Any:
        watch.text(text)
        return ask(transaction, text, *given)

    @contextmanager
    def watched_transaction(
        *, writable: bool = True, keep: bool = True
    ) -> Iterator[DriverTransaction]:
        with open_one(writable=writable, keep=keep) as transaction:
            yield transaction
            if keep:
                watch.commit()

    with (
        patch.object(Prepared, "write", watched_write),
        patch.object(DriverTransaction, "ask", watched_ask),
        patch.object(store.database, "transaction", watched_transaction),
    ):
        yield watch
