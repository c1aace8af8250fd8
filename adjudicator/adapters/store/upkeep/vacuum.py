"""Make a store smaller, a portion at a time: nobody waits for one longer than for a letter.

Long documents of some steps of a game are compressed together. The reports of a step to several
readers are nearly the same, and those of the next step differ little: together they take a
fifteenth of what each takes compressed alone.
"""

import lzma
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from datetime import datetime
from itertools import chain, takewhile
from typing import Any, Final, NamedTuple

from msgspec import Struct
from msgspec.structs import asdict
from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Table,
    Text,
    and_,
    cast,
    func,
    insert,
    or_,
    select,
)

from adjudicator.adapters.store import tables as t
from adjudicator.adapters.store.cells import REFERENCE_MARK, read_document, unsqueeze
from adjudicator.adapters.store.databases import FileDatabase
from adjudicator.adapters.store.engines import for_reading, share
from adjudicator.adapters.store.prepared import Prepared
from adjudicator.adapters.store.statements.saving import SAVE
from adjudicator.adapters.store.store import SqlStore
from adjudicator.adapters.store.trouble import DamagedRowError
from adjudicator.core.document import digest
from adjudicator.desk.model.values import Heartbeat, Status

VACUUM = "vacuum"
"""The heartbeat that says up to which letter the bytes of old ones were dropped."""
STEPS_IN_A_PACK = 32
"""More pack better, and stay unpacked longer; whoever reads one of them unpacks them all."""
_WORTH_PACKING = 64
"""Bytes of the shortest document that is packed; a reference takes some twenty itself."""
_FILTERS: Sequence[Mapping[str, int]] = (
    {
        "id": lzma.FILTER_LZMA2,
        "preset": 9 | lzma.PRESET_EXTREME,
        "dict_size": 1 << 21,
        "lc": 4,
        "lp": 0,
        "pb": 0,
    },
)
_LETTERS = 50
"""As many letters make a portion."""


class Freed(Struct, frozen=True):
    """What a portion came to."""

    steps: int = 0
    """How many steps were packed."""
    letters: int = 0
    """Of how many letters the bytes were dropped."""
    size: int = 0
    """How many bytes fewer the rows take."""

    def __add__(self, other: "Freed") -> "Freed":
        return Freed(self.steps + other.steps, self.letters + other.letters, self.size + other.size)


def vacuum_portion(store: SqlStore, *, before: datetime, at: datetime) -> Freed | None:
    """Pack some steps, or drop the bytes of some letters made before then; None: all is done."""
    with store.translating():
        return _pack_steps(store) or _drop_letters(store, before, at)


def measure_store(store: SqlStore) -> int:
    """Measure how many bytes the database takes on the disk, its log aside."""
    with store.look() as transaction:
        if store.is_shared:
            return int(transaction.ask("SELECT pg_database_size(current_database())"))
        return int(transaction.ask("PRAGMA page_count") * transaction.ask("PRAGMA page_size"))


def shrink_file(store: SqlStore) -> None:
    """Give the free room in a SQLite file back to the disk; writers wait meanwhile."""
    assert isinstance(store.database, FileDatabase)
    with store.translating(), closing(store.database.connect()) as connection:
        connection.execute("VACUUM")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


# packing


class _Span(NamedTuple):
    """The steps of a game that are packed next."""

    game: str
    start: int
    until: int


class _Cell(NamedTuple):
    """A document in its place, which is a column of a row."""

    column: Column[Any]
    key: dict[str, Any]
    stored: str | bytes

    @property
    def document(self) -> bytes:
        """The document itself."""
        if isinstance(self.stored, str):
            return self.stored.encode()
        try:
            return unsqueeze(self.stored)
        except ValueError as error:
            raise DamagedRowError([self.column.table.name]) from error


def _pack_steps(store: SqlStore) -> Freed | None:
    """Pack the next steps of a game; None if there are none.

    They are compressed while others write: whatever was changed meanwhile stays as it is.
    """
    with for_reading(store.engine).connect() as connection:
        span = _find_span(connection)
        if span is None:
            return None
        parts = {part: list(_list_cells(connection, span, part)) for part in _PARTS}
    packs = {part: _make_pack(cell.document for cell in cells) for part, cells in parts.items()}
    size = 0
    with store.engine.begin() as connection:
        lock = select(t.games.c.id).where(t.games.c.id == span.game).with_for_update()
        if not connection.execute(lock).all() or _find_end(connection, span.game) != span.start:
            return Freed()  # it was deleted, or another program has packed them
        for part, (content, places) in packs.items():
            new = {"game": span.game, "until": span.until, "part": part, "content": content}
            statement = insert(t.packs).values(new).returning(t.packs.c.id)
            pack = connection.execute(statement).scalar_one()
            size += _refer_to(connection, pack, parts[part], places) - len(content)
    return Freed(steps=span.until - span.start, size=size)


def _refer_to(
    connection: Connection,
    pack: int,
    cells: Iterable[_Cell],
    places: Mapping[bytes, tuple[int, int]],
) -> int:
    """Put references into the cells that are as they were; returns how many bytes that saves."""
    saving = 0
    transaction = share(connection)
    for cell in cells:
        start, length = places[cell.document]
        reference = f"{REFERENCE_MARK}{pack},{start},{length}"
        new = reference.encode() if isinstance(cell.stored, bytes) else reference
        row = {**cell.key, "old": cell.stored, "new": new}
        if _REFER[cell.column.table.name, cell.column.name].write(transaction, [row]):
            saving += len(cell.stored) - len(reference)
    return saving


def _make_pack(documents: Iterable[bytes]) -> tuple[bytes, Mapping[bytes, tuple[int, int]]]:
    """Compress documents; returns where each begins, and its length. Equal ones are kept once."""
    places: dict[bytes, tuple[int, int]] = {}
    end = 0
    for document in documents:
        if document not in places:
            places[document] = (end, len(document))
            end += len(document)
    whole = b"".join(places)
    content = lzma.compress(whole, check=lzma.CHECK_CRC32, filters=_FILTERS)
    return content, places


def _find_span(connection: Connection) -> _Span | None:
    """Find a game with enough steps to pack; of a running one the last ones stay as they are."""
    end = select(func.max(t.packs.c.until)).where(t.packs.c.game == t.games.c.id).scalar_subquery()
    pack_end = func.coalesce(end, 0)
    number, is_over = t.games.c.next_number, t.games.c.status == Status.OVER
    ripe = or_(number - pack_end > STEPS_IN_A_PACK, and_(is_over, number > pack_end))
    for game, start, status, after in connection.execute(
        select(t.games.c.id, pack_end, t.games.c.status, number).where(ripe).order_by(t.games.c.id)
    ):
        until = min(start + STEPS_IN_A_PACK, _find_limit(connection, game, after))
        is_enough = until > start if status == Status.OVER else until - start == STEPS_IN_A_PACK
        if is_enough:
            return _Span(game, start, until)
    return None


def _find_end(connection: Connection, game: str) -> int:
    query = select(func.max(t.packs.c.until)).where(t.packs.c.game == game)
    return connection.execute(query).scalar_one() or 0


def _find_limit(connection: Connection, game: str, after: int) -> int:
    """Find the first step that is still needed: the one that the open one goes on from."""
    steps = t.steps.c
    is_open = and_(steps.game == game, steps.closed.is_(None), steps.void.is_(False))
    query = select(func.min(func.coalesce(steps.predecessor, steps.number))).where(is_open)
    first = connection.execute(query).scalar_one()
    return after if first is None else first


def _list_cells(connection: Connection, span: _Span, part: str) -> Iterator[_Cell]:
    """List the documents of these steps that are worth packing, like beside like."""
    for table in _PARTS[part]:
        columns = [column for column in table.c if column.info.get(t.PACKABLE)]
        keys = list(table.primary_key.columns)
        query = select(*keys, *columns).where(table.c.game == span.game, _lies_in(table, span))
        rows = connection.execute(query).mappings().all()
        for column in columns:
            for row in rows:
                key = {f"key_{one.name}": row[one.name] for one in keys}
                if len(row[column.name] or "") >= _WORTH_PACKING:
                    yield _Cell(column, key, row[column.name])


def _lies_in(table: Table, span: _Span) -> ColumnElement[bool]:
    """Require that a row is of these steps."""
    if table is t.links:  # the last one is read at every look at the game
        last = select(func.max(t.links.c.number)).where(t.links.c.game == span.game)
        steps = t.steps.c
        names = select(cast(steps.number, Text) + "-" + steps.phase).where(
            steps.game == span.game, steps.number >= span.start, steps.number < span.until
        )
        return and_(t.links.c.step.in_(names), t.links.c.number < last.scalar_subquery())
    number = t.steps.c.number if table is t.steps else table.c.step
    return and_(number >= span.start, number < span.until)


def _refer(table: Table, column: Column[Any]) -> Prepared:
    """Put a reference in the place of a document that is still there."""
    keys = " AND ".join(f"{one.name} = :key_{one.name}" for one in table.primary_key.columns)
    text = f"UPDATE {table.name} SET {column.name} = :new WHERE {keys} AND {column.name} = :old"
    return Prepared(text)


_PARTS: Final[Mapping[str, Sequence[Table]]] = {
    "play": (t.steps, t.orders, t.links),
    "letters": (t.papers, t.outbox),
}
"""What is read together: how the game was played is read often, and is a tenth of the whole."""
_REFER: Final = {
    (table.name, column.name): _refer(table, column)
    for table in chain(*_PARTS.values())
    for column in table.c
    if column.info.get(t.PACKABLE)
}


# retention


def _drop_letters(store: SqlStore, before: datetime, at: datetime) -> Freed | None:
    """Drop the bytes of the next old letters, keeping their digests; None if there are none."""
    with for_reading(store.engine).connect() as connection:
        last = _read_mark(connection)
        letters = _list_letters(connection, last, before)
        if not letters:
            return None
        content = select(t.outbox.c.id, t.outbox.c.content).where(
            t.outbox.c.id.in_(letters), t.outbox.c.content.is_not(None), _is_settled
        )
        rows = connection.execute(content).all()
    with store.engine.begin() as connection:
        size, transaction = 0, share(connection)
        for letter, data in rows:
            row = {"letter": letter, "made": digest(unsqueeze(data))}
            size += _DROP.write(transaction, [row]) * (len(data) - len(row["made"]))
        mark = Heartbeat(name=VACUUM, at=at, facts={"letter": letters[-1]})
        SAVE[Heartbeat].write(transaction, [asdict(mark)])
    return Freed(letters=len(rows), size=size)


def _read_mark(connection: Connection) -> int:
    """Read the number of the last letter that was looked at."""
    query = select(t.heartbeats.c.facts).where(t.heartbeats.c.name == VACUUM)
    facts = connection.execute(query).scalar_one_or_none()
    return int(read_document(facts)["letter"]) if facts else 0


def _list_letters(connection: Connection, last: int, before: datetime) -> list[int]:
    """List the next letters that are old enough; their numbers rise with their age."""
    box = t.outbox.c
    following = select(box.id, box.made).where(box.id > last).order_by(box.id).limit(_LETTERS)
    rows = connection.execute(following).all()
    return [letter for letter, _ in takewhile(lambda row: row[1] < before, rows)]


_is_settled = t.outbox.c.status != "queued"
_DROP: Final = Prepared(
    "UPDATE outbox SET content = NULL, digest = :made"
    " WHERE id = :letter AND content IS NOT NULL AND status <> 'queued'"
)
