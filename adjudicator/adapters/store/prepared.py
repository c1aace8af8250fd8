"""Statements compiled once: SQLAlchemy makes the SQL, values are bound and read here.

They go to the driver's own cursor: the way through SQLAlchemy costs more than the statement.
Closing a step looks some forty times and writes some twenty rows. Executed as SQLAlchemy's own
statements that costs twice the time that the database takes for it.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from functools import cached_property
from types import MappingProxyType
from typing import Any, Generic, TypeVar

from msgspec import Struct, convert
from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Dialect,
    Executable,
    PrimaryKeyConstraint,
    String,
    Table,
    insert,
)
from sqlalchemy.sql import ClauseElement, visitors
from sqlalchemy.types import TypeEngine

from adjudicator.adapters.store.tables import PACKED
from adjudicator.adapters.store.types import Reference, unpack_cells

Change = Callable[[Any], Any] | None
Guard = Callable[[Any], ColumnElement[bool]]
Row = dict[str, Any]
"""Of one that was read others may be handed the same."""
Fold = Callable[[Sequence[Row]], Sequence[Row]]
V = TypeVar("V")


class Compiled(Struct, frozen=True):
    """A statement in one engine's words, and how values get into and out of its driver."""

    text: str
    positional: bool
    binds: list[tuple[str, Change]]
    constants: dict[str, Any]
    columns: list[str]
    changes: list[tuple[str, Callable[[Any], Any]]]
    packed: list[str]
    """The columns in which references to packs may stand."""

    def bound(self, row: Row) -> Any:
        """Convert the values to the form the driver takes."""
        whole = {**self.constants, **row} if self.constants else row
        if self.positional:
            return tuple([bind(whole[name]) if bind else whole[name] for name, bind in self.binds])
        return {name: bind(whole[name]) if bind else whole[name] for name, bind in self.binds}


class Prepared:
    """A statement that is compiled for an engine at its first use."""

    def __init__(self, statement: Executable, names: Sequence[str] | None = None) -> None:
        """Prepare the statement; the names are the columns that an INSERT or UPDATE is given."""
        self._statement = statement
        self._names = names
        self._compiled: dict[str, Compiled] = {}

    def touches(self, other: "Prepared") -> bool:
        """Whether both use one table."""
        return not self.tables.isdisjoint(other.tables)

    @cached_property
    def tables(self) -> frozenset[str]:
        """All tables that the statement uses."""
        parts = visitors.iterate(_as_clause(self._statement))
        return frozenset(part.name for part in parts if isinstance(part, Table))

    def write(self, connection: Connection, rows: Sequence[Row]) -> int:
        """Write the rows; returns how many, which is fewer than given if a guard held some back."""
        dialect = connection.dialect
        statement = self._compiled.get(dialect.name) or self._compile(dialect)
        with closing(connection.connection.cursor()) as cursor:
            cursor.executemany(statement.text, list(map(statement.bound, rows)))
            return int(cursor.rowcount)

    def _compile(self, dialect: Dialect) -> Compiled:
        statement = _compile(self._worded(dialect), self._names, dialect)
        self._compiled[dialect.name] = statement
        return statement

    def _worded(self, dialect: Dialect) -> Executable:  # noqa: ARG002 - most are worded alike
        return self._statement


class Query(Prepared, Generic[V]):
    """A statement that finds values of one kind; `fold` makes a row a value out of several."""

    def __init__(self, value: type[V], statement: Executable, fold: Fold | None = None) -> None:
        super().__init__(statement)
        self._value = value
        self._fold = fold

    @property
    def sources(self) -> set[str]:
        """The tables whose columns the query returns."""
        columns = getattr(self._statement, "exported_columns", ())
        return {column.table.name for column in columns if isinstance(column, Column)}

    def values(self, connection: Connection, parameters: Row) -> list[V]:
        """Return the values that the query finds."""
        dialect = connection.dialect
        statement = self._compiled.get(dialect.name) or self._compile(dialect)
        with closing(connection.connection.cursor()) as cursor:
            cursor.execute(statement.text, statement.bound(parameters))
            rows = cursor.fetchall()
        documents = []
        has_packed = False
        for row in rows:
            document = dict(zip(statement.columns, row, strict=True))
            for name, change in statement.changes:
                document[name] = change(document[name])
            for name in statement.packed:
                cell = document[name]
                if type(cell) is Reference or (type(cell) is bytes and cell[:1] == b"@"):
                    has_packed = True
            documents.append(document)
        if has_packed:
            unpack_cells(connection, documents, statement.packed)
        values: Any = self._fold(documents) if self._fold else documents
        if self._value is not Row:
            values = convert(values, list[self._value])  # type: ignore[name-defined]
        return values  # type: ignore[no-any-return]


class Addition(Prepared):
    """An INSERT of what a value fills; the other columns are the store's own."""

    def __init__(
        self, table: Table, refusal: str, own: Sequence[str] = ("id", "claimed_by", "rank")
    ) -> None:
        """Prepare an insertion; the refusal, for unwritable rows, has column names in braces."""
        super().__init__(insert(table), [name for name in _list_names(table) if name not in own])
        self._table = table
        self._refusal = refusal

    def word_row_refusal(self, row: Row) -> str:
        """Word the refusal of a row that cannot be written."""
        return self._refusal.format_map({**row, "seat": row.get("seat") or "the public"})


class Upsert(Addition):
    """An INSERT, or a change of these columns where the guard lets it; else no row is counted."""

    def __init__(
        self,
        table: Table,
        refusal: str,
        *,
        keys: Sequence[str] = (),
        change: Sequence[str] = (),
        guard: Guard | None = None,
        reckoned: Mapping[str, ColumnElement[Any]] = MappingProxyType({}),
    ) -> None:
        """Prepare it; `reckoned` are columns that the database fills when a row is inserted."""
        super().__init__(table, refusal)
        self._reckoned = reckoned
        self._keys = keys or _list_names(table.primary_key)
        self._change = change or [name for name in _list_names(table) if name not in self._keys]
        self._guard = guard

    def _worded(self, dialect: Dialect) -> Executable:
        """Build INSERT … ON CONFLICT of this database; only the class it needs is loaded."""
        if dialect.name == "postgresql":
            from sqlalchemy.dialects.postgresql import insert as insert_into
        else:
            from sqlalchemy.dialects.sqlite import insert as insert_into  # type: ignore[assignment]
        upsert = insert_into(self._table).values(**self._reckoned)
        statement: Executable = upsert.on_conflict_do_update(
            index_elements=list(self._keys),
            set_={name: upsert.excluded[name] for name in self._change},
            where=self._guard(upsert.excluded) if self._guard else None,
        )
        return statement


def _list_names(columns: Table | PrimaryKeyConstraint) -> list[str]:
    return [column.name for column in columns.c]


def _compile(statement: Executable, names: Sequence[str] | None, dialect: Dialect) -> Compiled:
    compilation: Any = _as_clause(statement).compile(dialect=dialect, column_keys=names)
    types = {name: parameter.type for parameter, name in compilation.bind_names.items()}
    columns, changes, packed_names = [], [], []
    for column in getattr(statement, "exported_columns", ()):
        columns.append(str(column.name))
        if isinstance(column, Column) and column.info.get(PACKED):
            packed_names.append(str(column.name))
        change = column.type.dialect_impl(dialect).result_processor(dialect, None)
        if change is not None:
            changes.append((str(column.name), change))
    return Compiled(
        text=str(compilation),
        positional=dialect.positional,
        binds=[
            (
                name,
                types[name].dialect_impl(dialect).bind_processor(dialect)
                or _choose_change(types[name]),
            )
            for name in (compilation.positiontup if dialect.positional else types)
        ],
        constants={
            name: compilation.params[name]
            for bind, name in compilation.bind_names.items()
            if not bind.required
        },
        columns=columns,
        changes=changes,
        packed=packed_names,
    )


def _choose_change(kind: TypeEngine[Any]) -> Change:
    """Choose the change for this type: PostgreSQL refuses NUL in text, and mail may have it."""
    return _replace_nul if isinstance(kind, String) else None


def _replace_nul(text: str | None) -> str | None:
    return text and text.replace("\0", "\ufffd")


def _as_clause(statement: Executable) -> ClauseElement:
    assert isinstance(statement, ClauseElement)
    return statement
