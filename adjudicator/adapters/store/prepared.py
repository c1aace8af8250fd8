"""Writes, compiled once: SQLAlchemy makes the SQL, the rows are bound to it here.

Closing a step writes some twenty rows. Executed as SQLAlchemy statements they cost as much time
again as the database takes for them, since every row is bound name by name each time.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Dialect, Insert, Update

Bind = Callable[[Any], Any] | None
Row = Mapping[str, Any]


class Prepared:
    """An INSERT or UPDATE of these names; what it is given are rows with all of them."""

    def __init__(self, statement: Insert | Update, names: Sequence[str]) -> None:
        self._statement = statement
        self._names = list(names)
        self._text = ""
        self._positional = False
        self._binds: list[tuple[str, Bind]] = []
        self._constants: dict[str, Any] = {}

    def write(self, connection: Connection, rows: Sequence[Row]) -> int:
        """How many rows were written; fewer than were given where a guard held."""
        if not self._text:
            self._compile(connection.dialect)
        if self._positional:
            given: list[Any] = [tuple(self._bound(row).values()) for row in rows]
        else:
            given = [self._bound(row) for row in rows]
        return connection.exec_driver_sql(self._text, given).rowcount

    def _bound(self, row: Row) -> dict[str, Any]:
        whole = {**self._constants, **row} if self._constants else row
        return {name: bind(whole[name]) if bind else whole[name] for name, bind in self._binds}

    def _compile(self, dialect: Dialect) -> None:
        compiled: Any = self._statement.compile(dialect=dialect, column_keys=self._names)
        types = {name: parameter.type for parameter, name in compiled.bind_names.items()}
        self._binds = [
            (name, types[name].dialect_impl(dialect).bind_processor(dialect))
            for name in (compiled.positiontup if dialect.positional else types)
        ]
        self._constants = {
            name: value for name, value in compiled.params.items() if name not in self._names
        }
        self._positional = dialect.positional
        self._text = str(compiled)
