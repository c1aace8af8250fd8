"""Reading and writing rows inside one transaction."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from adjudicator.adapters.store.prepared import Addition, DriverTransaction, Prepared, Query, Row
from adjudicator.adapters.store.trouble import DamagedRowError
from adjudicator.core.chain import Link
from adjudicator.desk.model.errors import Already
from adjudicator.desk.model.ports import LetterName
from adjudicator.desk.model.values import OutgoingLetter

V = TypeVar("V")


class RowAccess:
    """The statements that all books use.

    Values saved one after the other in the same way are written by one statement: they wait until
    something else is saved, their table is read, or the transaction ends. What was read is handed
    out again, the same value, until something is written into its tables, or a game is locked.
    """

    def __init__(self, transaction: DriverTransaction, *, writable: bool) -> None:
        self._transaction = transaction
        self._writable = writable
        self._is_alone = writable and transaction.engine == "sqlite"
        """Nobody else can write from the beginning of the transaction on, so no row is locked."""
        self._waiting: list[Row] = []
        self._statement: Addition | None = None
        self._seen: dict[tuple[Any, ...], Any] = {}
        self._locked: set[str] = set()
        self._cause = ""
        self.new_letters: dict[LetterName, OutgoingLetter] = {}
        """The letters saved in this transaction, as they are now, in the order of their making."""
        self.new_links: dict[str, Link | None] = {}
        """The games whose chains grew, each with its new end; None for one that was deleted."""

    @contextmanager
    def part(self) -> Iterator[None]:
        """Open a part of the transaction; leaving it by an exception undoes what it wrote."""
        self.flush()
        links, letters = dict(self.new_links), dict(self.new_letters)
        self._transaction.ask("SAVEPOINT part")
        try:
            yield
            self.flush()
        except BaseException:
            self._statement, self._waiting = None, []
            self._seen, self._locked, self.new_links, self.new_letters = {}, set(), links, letters
            self._transaction.ask("ROLLBACK TO SAVEPOINT part")
            self._transaction.ask("RELEASE SAVEPOINT part")
            raise
        self._transaction.ask("RELEASE SAVEPOINT part")

    def _values(self, query: Query[V], /, **parameters: Any) -> Sequence[V]:
        """List what a query finds."""
        key = (query, *parameters.values())
        if key not in self._seen:
            if self._statement is not None and query.touches(self._statement):
                self.flush()
            try:
                self._seen[key] = query.values(self._transaction, parameters)
            except UnicodeEncodeError:  # the value looked up is at fault, not a stored one
                raise
            except (ValueError, TypeError, RecursionError) as error:  # no JSON, no instant
                raise DamagedRowError(query.sources) from error
            except sqlite3.OperationalError as error:
                if "decode to UTF-8" not in str(error):  # it has no code
                    raise
                raise DamagedRowError(query.sources) from error
        values: Sequence[V] = self._seen[key]
        return values

    def _value(self, query: Query[V], /, **parameters: Any) -> V | None:
        """Return the first value that a query finds, if any."""
        values = self._values(query, **parameters)
        return values[0] if values else None

    def _number(self, query: Query[Row], /, **parameters: Any) -> int:
        rows = self._values(query, **parameters)
        return int(rows[0]["number"]) if rows else 0

    def _forget(self, statement: Prepared) -> None:
        """Forget the cached values of the tables that this statement writes."""
        for key in tuple(self._seen):
            if statement.touches(key[0]):
                del self._seen[key]

    def _change(self, statement: Prepared, *rows: Row) -> int:
        """Write now, and return how many rows changed."""
        self._must_write()
        self.flush()
        self._forget(statement)
        return statement.write(self._transaction, rows)

    def _write(self, statement: Addition, row: Row) -> None:
        self._must_write()
        if statement is not self._statement:
            self.flush()
            self._statement = statement
            self._forget(statement)
        self._waiting.append(row)

    def _must_write(self) -> None:
        if not self._writable:
            raise RuntimeError("these books are open for reading; write in SqlStore.writing()")

    def flush(self) -> None:
        """Write the rows that wait; raises Already if one of them was refused."""
        statement, rows = self._statement, self._waiting
        self._statement, self._waiting = None, []
        if statement is None:
            return
        try:
            count = statement.write(self._transaction, rows)
        except self._transaction.refusal as error:
            raise Already(_explain_refusals(statement, rows)) from error
        if count != len(rows):
            raise Already(_explain_refusals(statement, rows))


def _explain_refusals(statement: Addition, rows: Sequence[Row]) -> str:
    """Explain why one of these rows, it is unknown which, could not be written."""
    return "; or ".join(dict.fromkeys(map(statement.word_row_refusal, rows)))
