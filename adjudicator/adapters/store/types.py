"""Column types that read back what was written, the same on both engines.

Documents of older steps lie in packs, compressed together (upkeep/vacuum.py). Where a document was
there is a reference, and whoever reads its row gets the document. Until then long ones are
squeezed, each by itself.
"""

import zlib
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from hashlib import sha256
from typing import Any, Final

from sqlalchemy import (
    Connection,
    DateTime,
    Dialect,
    Float,
    LargeBinary,
    Text,
    column,
    select,
    table,
)
from sqlalchemy.types import TypeDecorator, TypeEngine

from adjudicator.core.document import decode, encode

REFERENCE_MARK = "@"
"""What references to packed documents begin with, and no JSON does."""
SQUEEZED_MARK: Final = b"\x01"
"""What squeezed bytes begin with, and neither a document, a reference nor a letter does."""
SQUEEZED_HEAD = len(SQUEEZED_MARK) + sha256().digest_size
"""As many bytes at the beginning, the mark and the SHA-256 of the whole, tell two of them apart:
the rest differs from one release of zlib to the next."""
_WORTH_SQUEEZING = 512
_LEVEL = 1
"""Of compression; a higher one takes twice the time for a seventh of the bytes."""


class Reference(str):
    """A reference in place of a packed document: pack, offset and length."""

    __slots__ = ()


class Instant(TypeDecorator[datetime]):
    """An aware instant: timestamptz on PostgreSQL, ISO text of one width in UTC on SQLite."""

    impl = Text
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """Choose the type that the engine knows."""
        return DateTime(timezone=True) if dialect.name == "postgresql" else Text()

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> Any:
        """Convert an instant to UTC; one without a zone is a mistake of the caller."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"an instant needs a zone: expected an aware datetime, got {value}")
        instant = value.astimezone(UTC)
        if dialect.name == "postgresql":
            return instant
        return instant.isoformat(timespec="microseconds")

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:
        """Convert to UTC, whatever the session's zone is."""
        if value is None:
            return None
        if dialect.name == "postgresql":
            return value.astimezone(UTC)  # type: ignore[no-any-return]  # psycopg's datetime
        return datetime.fromisoformat(value)


class Real(TypeDecorator[float]):
    """A number with a fraction, as the driver gives it: SQLAlchemy would ask for more first."""

    impl = Float
    cache_ok = True

    def result_processor(self, dialect: Dialect, coltype: object) -> None:  # noqa: ARG002 - SQLAlchemy's
        """Convert nothing."""
        return


class Canonical(TypeDecorator[Any]):
    """A document as canonical JSON, readable with any database tool."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:  # noqa: ARG002 - SQLAlchemy's
        """Convert a document to canonical text; None stays NULL."""
        if isinstance(value, Reference):
            return str(value)
        return None if value is None else encode(value).decode()

    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:  # noqa: ARG002 - SQLAlchemy's
        """Parse the document."""
        if value is not None and value.startswith(REFERENCE_MARK):
            return Reference(value)
        return None if value is None else decode(value)


class SqueezedBytes(TypeDecorator[bytes]):
    """Bytes of letters, with their pictures, that take less than half of the room."""

    impl = LargeBinary
    cache_ok = True

    def bind_processor(self, dialect: Dialect) -> Callable[[bytes | None], bytes | None]:  # noqa: ARG002 - SQLAlchemy's
        """Squeeze what is long enough."""
        return squeeze

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> bytes | None:  # noqa: ARG002 - SQLAlchemy's
        """Return the bytes themselves."""
        return None if value is None else unsqueeze(value)


class OrPublic(TypeDecorator[str]):
    """A seat, or the public: kept as the empty text, because NULL would be unlike itself."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str:  # noqa: ARG002 - SQLAlchemy's
        """Store None as the public."""
        return value or ""

    def process_result_value(self, value: str | None, dialect: Dialect) -> str | None:  # noqa: ARG002 - SQLAlchemy's
        """Read the public as None."""
        return value or None


_PACKS: Any = select(column("id"), column("content")).select_from(table("packs"))
_EVERY_PACK: Any = select(column("game"), column("content")).select_from(table("packs"))


def unpack_cells(
    connection: Connection, rows: Sequence[dict[str, Any]], names: Sequence[str]
) -> None:
    """Replace the references in these columns by their documents; raises ValueError."""
    cells = [
        (row, name, *_parse_reference(row[name]))
        for row in rows
        for name in names
        if is_reference(row[name])
    ]
    pack_ids = {pack for _, _, pack, _, _ in cells}
    content = _PACKS.where(column("id").in_(pack_ids))
    packs = {pack: _decompress(data) for pack, data in connection.execute(content)}
    for row, name, pack, start, length in cells:
        document = packs.get(pack, b"")[start : start + length]
        if len(document) != length:
            raise ValueError(f"pack {pack} does not hold what a row of it refers to")
        row[name] = decode(document) if isinstance(row[name], Reference) else document


def squeeze(content: bytes | None) -> bytes | None:
    """Squeeze bytes that are worth it; None stays NULL."""
    if content is None or len(content) < _WORTH_SQUEEZING:
        return content
    return SQUEEZED_MARK + sha256(content).digest() + zlib.compress(content, _LEVEL)


def unsqueeze(stored: bytes) -> bytes:
    """Return the bytes themselves; raises ValueError where they are damaged."""
    if not stored.startswith(SQUEEZED_MARK):
        return stored
    try:
        return zlib.decompress(stored[SQUEEZED_HEAD:])
    except zlib.error as error:
        raise ValueError(f"squeezed bytes cannot be read: {error}") from error


def find_damaged_packs(connection: Connection) -> Sequence[str]:
    """List the games whose packs cannot be read, by name."""
    games = set()
    for game, content in connection.execution_options(yield_per=20).execute(_EVERY_PACK):
        try:
            _decompress(content)
        except ValueError:
            games.add(game)
    return sorted(games)


def is_reference(cell: object) -> bool:
    """Whether this is a reference instead of a document: JSON never begins like one."""
    if isinstance(cell, bytes):
        return cell.startswith(REFERENCE_MARK.encode())
    return isinstance(cell, Reference)


def _parse_reference(cell: bytes | Reference) -> tuple[int, int, int]:
    text = cell.decode() if isinstance(cell, bytes) else cell
    pack, start, length = map(int, text.removeprefix(REFERENCE_MARK).split(","))
    return pack, start, length


@lru_cache(maxsize=4)
def _decompress(content: bytes) -> bytes:
    """Decompress a pack; whoever reads one step often reads the next."""
    import lzma

    try:
        return lzma.decompress(content)
    except lzma.LZMAError as error:
        raise ValueError(f"a pack cannot be read: {error}") from error
