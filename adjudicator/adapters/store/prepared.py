"""Statements compiled once: SQLAlchemy makes the SQL, values are bound and read here.

Closing a step looks some forty times and writes some twenty rows. Executed as SQLAlchemy's own
statements that costs twice the time that the database takes for it.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from functools import cached_property
from typing import Any

from sqlalchemy import Connection, Dialect, Executable, String, Table
from sqlalchemy.engine.interfaces import DBAPICursor
from sqlalchemy.sql import ClauseElement, visitors
from sqlalchemy.types import TypeEngine

Change = Callable[[Any], Any] | None
RowMapping = Mapping[str, Any]


class Prepared:
    """A statement and how its values get into and out of the driver, known at its first use."""

    def __init__(self, statement: Executable, names: Sequence[str] | None = None) -> None:
        """The names are the columns that an INSERT or UPDATE is given."""
        self._statement = statement
        self._names = names
        self._text = ""
        self._positional = False
        self._binds: list[tuple[str, Change]] = []
        self._constants: dict[str, Any] = {}
        self._columns: list[str] = []
        self._changes: list[tuple[str, Callable[[Any], Any]]] = []

    def touches(self, other: "Prepared") -> bool:
        """Whether both speak of one table."""
        return not self.tables.isdisjoint(other.tables)

    @cached_property
    def tables(self) -> frozenset[str]:
        """All tables that it speaks of."""
        parts = visitors.iterate(_clause(self._statement))
        return frozenset(part.name for part in parts if isinstance(part, Table))

    def write(self, connection: Connection, rows: Sequence[RowMapping]) -> int:
        """How many rows were written; fewer than were given where a guard held."""
        with self._cursor(connection) as cursor:
            cursor.executemany(self._text, list(map(self._bound, rows)))
            return int(cursor.rowcount)

    def rows(self, connection: Connection, given: RowMapping) -> list[dict[str, Any]]:
        """What a SELECT finds."""
        with self._cursor(connection) as cursor:
            cursor.execute(self._text, self._bound(given))
            rows = cursor.fetchall()
        found = []
        for row in rows:
            made = dict(zip(self._columns, row, strict=True))
            for name, change in self._changes:
                made[name] = change(made[name])
            found.append(made)
        return found

    def _cursor(self, connection: Connection) -> "closing[DBAPICursor]":
        """The driver's own cursor: the way through SQLAlchemy costs more than the statement."""
        if not self._text:
            self._compile(connection.dialect)
        return closing(connection.connection.cursor())

    def _bound(self, row: RowMapping) -> Any:
        whole = {**self._constants, **row} if self._constants else row
        if self._positional:
            return tuple([bind(whole[name]) if bind else whole[name] for name, bind in self._binds])
        return {name: bind(whole[name]) if bind else whole[name] for name, bind in self._binds}

    def _compile(self, dialect: Dialect) -> None:
        clause = _clause(self._statement)
        compiled: Any = clause.compile(dialect=dialect, column_keys=self._names)
        types = {name: parameter.type for parameter, name in compiled.bind_names.items()}
        self._binds = [
            (name, types[name].dialect_impl(dialect).bind_processor(dialect) or _plain(types[name]))
            for name in (compiled.positiontup if dialect.positional else types)
        ]
        self._constants = {n: value for n, value in compiled.params.items() if value is not None}
        for column in getattr(self._statement, "selected_columns", ()):
            self._columns.append(str(column.name))
            change = column.type.dialect_impl(dialect).result_processor(dialect, None)
            if change is not None:
                self._changes.append((str(column.name), change))
        self._positional = dialect.positional
        self._text = str(compiled)


def _plain(kind: TypeEngine[Any]) -> Change:
    """PostgreSQL knows no text with a NUL in it, and anybody may write one: "ti\\0ny"."""
    return _whole if isinstance(kind, String) else None


def _whole(text: str | None) -> str | None:
    return text and text.replace("\0", "\ufffd")


def _clause(statement: Executable) -> ClauseElement:
    assert isinstance(statement, ClauseElement)
    return statement
