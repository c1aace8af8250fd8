"""Statements in SQL, worded for each engine once, and given to its driver.

In them stand parameters (:game), and the few words that the engines do not share ($same). Closing a
step looks some forty times and writes some twenty rows: a way through SQLAlchemy would double what
the database takes for that.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, closing
from functools import cached_property, partial
from string import Template
from types import MappingProxyType
from typing import Any, Final, Generic, TypeVar

from msgspec import Struct, convert

from adjudicator.adapters.store.cells import (
    PACKED,
    Change,
    Reference,
    choose_reader,
    choose_writer,
    decompress_pack,
    list_kept,
    unpack_cells,
)


class DriverTransaction:
    """A transaction on a connection of the driver's own."""

    def __init__(self, engine: str, connection: Any, refusal: type[Exception]) -> None:
        """Begin none: whoever opens and ends it tells of it here."""
        self.engine = engine
        """sqlite | postgresql"""
        self.connection = connection
        self.refusal = refusal
        """What the driver raises where a row breaks a constraint."""
        self.is_open = True

    def cursor(self) -> AbstractContextManager[Any]:
        """Open a cursor, to be closed again."""
        is_undone = self.engine == "sqlite" and not self.connection.in_transaction
        if is_undone or not self.is_open:
            raise RuntimeError("this transaction has ended; open another one")
        return closing(self.connection.cursor())

    def ask(self, text: str, *values: Any) -> Any:
        """Return the first cell of what a statement in the engine's own words finds, if any."""
        with self.cursor() as cursor:
            cursor.execute(text, *values)
            row = cursor.fetchone() if cursor.description else None
        return row[0] if row else None


Row = dict[str, Any]
"""Of one that was read others may be handed the same."""
Fold = Callable[[Sequence[Row]], Sequence[Row]]
V = TypeVar("V")

_WORDS: Final[Mapping[str, Mapping[str, str]]] = {
    "sqlite": {
        "same": "IS",
        "other": "IS NOT",
        "join_texts": "group_concat",
        "packed": "x'40'",
        "squeezed": "x'01'",
        "for_update": "",  # nobody else can write from the beginning of the transaction on
        "skip_locked": "",
    },
    "postgresql": {
        "same": "IS NOT DISTINCT FROM",
        "other": "IS DISTINCT FROM",
        "join_texts": "string_agg",
        "packed": r"'\x40'",
        "squeezed": r"'\x01'",
        "for_update": "FOR UPDATE",
        "skip_locked": "FOR UPDATE SKIP LOCKED",
    },
}
"""`packed` and `squeezed` are the marks that such bytes begin with (cells.py)."""
_PARAMETER = re.compile(r":([a-z_]+)")
_TABLE = re.compile(r"\b(?:FROM|JOIN|INTO|UPDATE) ([a-z]+)")
_LISTED = re.compile(r'\b([a-z]+)\."')


class Compiled(Struct, frozen=True):
    """A statement in one engine's words, and how values get into its driver."""

    text: str
    is_positional: bool
    binds: Sequence[tuple[str, Change]]

    def bound(self, row: Row) -> Any:
        """Convert the values to the form the driver takes."""
        if self.is_positional:
            return tuple([bind(row[name]) if bind else row[name] for name, bind in self.binds])
        return {name: bind(row[name]) if bind else row[name] for name, bind in self.binds}


class Layout(Struct, frozen=True):
    """What a query returns from one engine."""

    columns: Sequence[str]
    changes: Sequence[tuple[str, Callable[[Any], Any]]]
    packed: Sequence[str]
    """The columns in which references to packs may stand."""


class Prepared:
    """A statement that is worded for an engine at its first use."""

    def __init__(self, text: str, value: type[Struct] | None = None) -> None:
        """Prepare it; parameters that are called like fields of this value are written as such."""
        self.text = text
        self._fields = value
        self._compiled: dict[str, Compiled] = {}

    def touches(self, other: "Prepared") -> bool:
        """Whether both use one table."""
        return not self.tables.isdisjoint(other.tables)

    @cached_property
    def tables(self) -> frozenset[str]:
        """All tables that the statement uses."""
        return frozenset(_TABLE.findall(self.text))

    def write(self, transaction: DriverTransaction, rows: Sequence[Row]) -> int:
        """Write the rows; returns how many, which is fewer than given if a guard held some back."""
        statement = self._compiled.get(transaction.engine) or self.compile(transaction.engine)
        with transaction.cursor() as cursor:
            cursor.executemany(statement.text, list(map(statement.bound, rows)))
            return int(cursor.rowcount)

    def compile(self, engine: str) -> Compiled:
        """Word the statement for an engine."""
        words = Template(self.text).substitute(_WORDS[engine])
        names = _PARAMETER.findall(words)
        is_positional = engine == "sqlite"
        self._compiled[engine] = Compiled(
            text=_PARAMETER.sub("?" if is_positional else r"%(\1)s", words),
            is_positional=is_positional,
            binds=[
                (name, choose_writer(self._fields, name, engine))
                for name in (names if is_positional else dict.fromkeys(names))
            ],
        )
        return self._compiled[engine]


class Query(Prepared, Generic[V]):
    """A statement that finds values of one kind."""

    def __init__(
        self,
        value: type[V],
        text: str,
        fold: Fold | None = None,
        *,
        changes: Mapping[str, Callable[[Any], Any]] = MappingProxyType({}),
    ) -> None:
        """Prepare it; `fold` makes one row out of several, `changes` read what is no cell."""
        super().__init__(text)
        self._value = value
        self._fold = fold
        self._changes = changes
        self._layouts: dict[str, Layout] = {}

    @property
    def sources(self) -> frozenset[str]:
        """The tables whose columns the query returns."""
        return frozenset(_LISTED.findall(self.text)) or self.tables

    def values(self, transaction: DriverTransaction, parameters: Row) -> list[V]:
        """Return the values that the query finds."""
        statement = self._compiled.get(transaction.engine) or self.compile(transaction.engine)
        with transaction.cursor() as cursor:
            cursor.execute(statement.text, statement.bound(parameters))
            rows = cursor.fetchall()
            layout = self._layouts.get(transaction.engine) or self._lay_out(
                transaction.engine, [one[0] for one in cursor.description]
            )
        documents = []
        has_packed = False
        for row in rows:
            document = dict(zip(layout.columns, row, strict=True))
            for name, change in layout.changes:
                document[name] = change(document[name])
            for name in layout.packed:
                has_packed = has_packed or type(document[name]) is Reference
            documents.append(document)
        if has_packed:
            unpack_cells(documents, layout.packed, partial(_read_pack, transaction))
        values: Any = self._fold(documents) if self._fold else documents
        if self._value is not Row:
            values = convert(values, list[self._value])  # type: ignore[name-defined]
        return values  # type: ignore[no-any-return]

    def _lay_out(self, engine: str, columns: Sequence[str]) -> Layout:
        value: Any = self._value
        cells = columns if issubclass(value, Struct) else ()
        layout = Layout(
            columns=columns,
            changes=[
                *((name, read) for name in cells if (read := choose_reader(value, name, engine))),
                *self._changes.items(),
            ],
            packed=[name for name in cells if name in PACKED.get(value, ())],
        )
        self._layouts[engine] = layout
        return layout


class Addition(Prepared):
    """An INSERT of what a value fills."""

    def __init__(
        self,
        table: str,
        value: type[Struct] | None,
        refusal: str,
        *,
        more: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """Prepare it; the refusal, for unwritable rows, has column names in braces.

        `more` are columns that are no fields of the value, each with what is written there.
        """
        cells = {name: f":{name}" for name in (list_kept(value) if value else ())} | dict(more)
        columns = ", ".join(map(quote_name, cells))
        super().__init__(
            f"INSERT INTO {table} ({columns}) VALUES ({', '.join(cells.values())})", value
        )
        self._refusal = refusal

    def word_row_refusal(self, row: Row) -> str:
        """Word the refusal of a row that cannot be written."""
        return self._refusal.format_map({**row, "seat": row.get("seat") or "the public"})


class Upsert(Addition):
    """An INSERT, or a change of these columns where the guard lets it; else no row is counted."""

    def __init__(
        self,
        table: str,
        value: type[Struct],
        refusal: str,
        *,
        keys: Sequence[str],
        change: Sequence[str] = (),
        guard: str = "",
        more: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """Prepare it; without `change` all columns may, but for the keys."""
        super().__init__(table, value, refusal, more=more)
        names = map(quote_name, change or [one for one in list_kept(value) if one not in keys])
        self.text += f" ON CONFLICT ({', '.join(keys)}) DO UPDATE SET "
        self.text += ", ".join(f"{name} = excluded.{name}" for name in names)
        self.text += f" WHERE {guard}" if guard else ""


def list_columns(table: str, value: type[Struct]) -> str:
    """List the columns of the fields that the table keeps."""
    return ", ".join(
        f"{table}.{quote_name(name)} AS {quote_name(name)}" for name in list_kept(value)
    )


def quote_name(name: str) -> str:
    """Quote the name of a column, which may be a word of SQL's."""
    return f'"{name}"'


_PACK = Prepared("SELECT content FROM packs WHERE id = :pack")


def _read_pack(transaction: DriverTransaction, pack: int) -> bytes:
    statement = _PACK.compile(transaction.engine)
    with transaction.cursor() as cursor:
        cursor.execute(statement.text, statement.bound({"pack": pack}))
        row = cursor.fetchone()
    return decompress_pack(row[0]) if row else b""
