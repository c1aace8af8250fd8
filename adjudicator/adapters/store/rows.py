"""Reading and writing rows inside one transaction."""

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import msgspec
from sqlalchemy import Connection, Executable
from sqlalchemy.exc import IntegrityError

from adjudicator.adapters.store.prepared import Prepared
from adjudicator.adapters.store.statements import Statements
from adjudicator.adapters.store.trouble import DamagedRowError
from adjudicator.desk.model.errors import Already

_V = TypeVar("_V")
_R = TypeVar("_R")
Row = dict[str, Any]
RowValues = Mapping[str, Any]
"""A row that was read; others may be handed the same one."""


class RowAccess:
    """What all books do alike.

    Values saved one after the other in the same way are written by one statement: they wait until
    something else is saved, their table is read, or the transaction ends. What was read is known
    until something is written into its tables, or a game is locked.
    """

    def __init__(self, connection: Connection, statements: Statements, *, writable: bool) -> None:
        self._connection = connection
        self._say = statements
        self._writable = writable
        self._waiting: list[Row] = []
        self._words: list[str] = []
        self._statement: Prepared | None = None
        self._known_seats: dict[str, tuple[str, ...]] = {}
        self._seen: dict[tuple[Any, ...], Any] = {}
        self._locked: set[str] = set()
        self._cause = ""

    @contextmanager
    def part(self) -> Iterator[None]:
        """A part of the transaction: leaving it by an exception undoes what was written in it."""
        self.flush()
        self._mark("SAVEPOINT part")
        try:
            yield
            self.flush()
        except BaseException:
            self._statement, self._waiting, self._words = None, [], []
            self._known_seats, self._seen, self._locked = {}, {}, set()
            self._mark("ROLLBACK TO SAVEPOINT part")
            self._mark("RELEASE SAVEPOINT part")
            raise
        self._mark("RELEASE SAVEPOINT part")

    def _mark(self, text: str) -> None:
        """By the driver's own cursor: it costs a tenth of the way through SQLAlchemy."""
        cursor = self._connection.connection.cursor()
        try:
            cursor.execute(text)
        finally:
            cursor.close()

    def _of_step(
        self,
        kind: type[_V],
        everything: Prepared,
        of_step: Prepared,
        game: str,
        step: int | None,
    ) -> Sequence[_V]:
        if step is None:
            return self._values(kind, everything, {"game": game})
        return self._values(kind, of_step, {"game": game, "step": step})

    def _values(self, kind: type[_V], statement: Prepared, given: Row) -> Sequence[_V]:
        def made(rows: Sequence[RowValues]) -> Sequence[_V]:
            try:
                return [msgspec.convert(row, kind) for row in rows]
            except msgspec.ValidationError as error:
                raise DamagedRowError(statement.tables()) from error

        return self._known(statement, given, made)

    def _number(self, statement: Prepared, given: Row) -> int:
        rows = self._rows(statement, given)
        return int(rows[0]["number"]) if rows else 0

    def _rows(self, statement: Prepared, given: Row | None = None) -> Sequence[RowValues]:
        return self._known(statement, given or {}, lambda rows: rows)

    def _known(
        self, statement: Prepared, given: Row, make: Callable[[Sequence[RowValues]], _R]
    ) -> _R:
        """What is made of the rows that a statement finds; a statement is always read one way."""
        key = (statement, *given.values())
        if key not in self._seen:
            if self._statement is not None and statement.touches(self._statement):
                self.flush()
            self._seen[key] = make(self._read(statement, given))
        found: _R = self._seen[key]
        return found

    def _read(self, statement: Prepared, given: Row) -> Sequence[RowValues]:
        try:
            return statement.rows(self._connection, given)
        except UnicodeEncodeError:  # of what is asked for, not of what is kept
            raise
        except (ValueError, TypeError, RecursionError) as error:  # no JSON, no instant
            raise DamagedRowError(statement.tables()) from error
        except sqlite3.OperationalError as error:
            if "decode to UTF-8" not in str(error):  # it has no code
                raise
            raise DamagedRowError(statement.tables()) from error

    def _changes(self, statement: Prepared) -> None:
        """What this statement writes into has to be read again."""
        stale = [key for key in self._seen if key[0].touches(statement)]
        for key in stale:
            del self._seen[key]

    def _lock(self, game: str) -> None:
        """Before a game is locked: whatever was read may have changed until it is."""
        if game not in self._locked:
            self._seen.clear()
            self._locked.add(game)

    def _execute(self, statement: Executable, given: Row) -> Any:
        self._must_write()
        self.flush()
        self._seen.clear()
        return self._connection.execute(statement, given)

    def _save(self, statement: Prepared, value: msgspec.Struct, words: str) -> None:
        self._write(statement, [msgspec.structs.asdict(value)], words)

    def _write(self, statement: Prepared, rows: Sequence[Row], words: str) -> None:
        self._must_write()
        if statement is not self._statement:
            self.flush()
            self._statement = statement
        self._changes(statement)
        self._waiting.extend(rows)
        self._words.append(words)

    def _must_write(self) -> None:
        if not self._writable:
            raise RuntimeError("these books are open for reading; write in Store.writing()")

    def flush(self) -> None:
        """Writes what waits; raises Already when a row could not be what it should."""
        statement, rows, words = self._statement, self._waiting, self._words
        self._statement, self._waiting, self._words = None, [], []
        if statement is None:
            return
        try:
            written = statement.write(self._connection, rows)
        except IntegrityError as error:
            raise Already("; or ".join(words)) from error
        if written != len(rows):
            raise Already("; or ".join(words))
