"""How the fields of values are kept in the cells of rows, and read again: the same on both engines.

Documents of older steps lie in packs, compressed together (upkeep/vacuum.py). Where a document was
there is a reference, and whoever reads its row gets the document. The bytes of letters are
squeezed, each by itself.
"""

import zlib
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache, lru_cache
from hashlib import sha256
from types import NoneType
from typing import Any, Final, NamedTuple, Self, get_args

from msgspec import Struct
from msgspec.structs import fields

from adjudicator.core.chain import Link, LinkKind
from adjudicator.core.document import Seat, decode, encode
from adjudicator.core.game import Strength
from adjudicator.desk.model import values as v

Change = Callable[[Any], Any] | None

ELSEWHERE: Final[Mapping[type[Struct], Sequence[str]]] = {
    v.Game: ("seats",),
    v.Player: ("addresses",),
}
"""The fields of a value that have tables of their own."""
PACKED: Final[Mapping[type[Struct], Sequence[str]]] = {
    v.Step: ("state", "events"),
    v.OrderSet: ("orders",),
    v.Paper: ("document",),
    v.OutgoingLetter: ("document", "results"),
    Link: ("commitments",),
}
"""The fields of which documents go into packs in time."""
SQUEEZED: Final[Mapping[type[Struct], Sequence[str]]] = {v.OutgoingLetter: ("content",)}
"""The fields that take much room, and that no closing waits for."""


def list_kept(value: type[Struct]) -> Sequence[str]:
    """List the fields that the table of a value has columns for."""
    return [name for name in value.__struct_fields__ if name not in ELSEWHERE.get(value, ())]


def choose_writer(value: type[Struct] | None, name: str, engine: str) -> Change:
    """Choose what makes of a field's content, or of another parameter, what the driver takes."""
    codecs = _choose_codecs(value, engine) if value else {}
    other = _INSTANTS[engine].write if name in _INSTANT_PARAMETERS else replace_nul
    return codecs[name].write if name in codecs else other


def choose_reader(value: type[Struct], name: str, engine: str) -> Change:
    """Choose what makes a field's content of what the driver gives."""
    codecs = _choose_codecs(value, engine)
    return codecs[name].read if name in codecs else None


# texts, instants and documents

FINISHED, WITHOUT_DEADLINE = (f"{year}-01-01T00:00:00.000000+00:00" for year in (9999, 9998))
"""In place of a deadline, so that games sort last, and last but for those that are finished."""


def replace_nul(cell: Any) -> Any:
    """Replace what PostgreSQL refuses in a text, and mail may have."""
    return cell.replace("\0", "\ufffd") if isinstance(cell, str) else cell


def write_utc(value: datetime | None) -> datetime | None:
    """Convert an instant to UTC; one without a zone is a mistake of the caller."""
    if value is not None and value.tzinfo is None:
        raise ValueError(f"an instant needs a zone: expected an aware datetime, got {value}")
    return value and value.astimezone(UTC)


def write_iso(value: datetime | None) -> str | None:
    """Write an instant as text of one width, which sorts as instants do."""
    instant = write_utc(value)
    return None if instant is None else instant.isoformat(timespec="microseconds")


def read_iso(cell: str | None) -> datetime | None:
    """Read an instant."""
    return None if cell is None else datetime.fromisoformat(cell)


def write_document(document: Any) -> str | None:
    """Write a document as canonical JSON, readable with any database tool; None stays NULL."""
    return None if document is None else encode(document).decode()


def read_document(cell: str | None) -> Any:
    """Read a document, or the reference to a packed one."""
    if cell is not None and cell.startswith(REFERENCE_MARK):
        return Reference.parse(cell, is_document=True)
    return None if cell is None else decode(cell)


def write_seat(seat: str | None) -> str:
    """Write a seat, or the public: as the empty text, because NULL would be unlike itself."""
    return seat or ""


def read_seat(cell: str | None) -> str | None:
    """Read a seat, or the public as None."""
    return cell or None


# packed and squeezed bytes

REFERENCE_MARK: Final = "@"
"""What references to packed documents begin with, and no JSON does."""
SQUEEZED_MARK: Final = b"\x01"
"""What squeezed bytes begin with, and neither a document, a reference nor a letter does."""
SQUEEZED_HEAD = len(SQUEEZED_MARK) + sha256().digest_size
"""As many bytes at the beginning, the mark and the SHA-256 of the whole, tell two of them apart:
the rest differs from one release of zlib to the next."""
_MARKS: Final = (REFERENCE_MARK.encode(), SQUEEZED_MARK)
_WORTH_SQUEEZING = 512
_LEVEL = 1
"""Of compression; a higher one takes twice the time for a seventh of the bytes."""


class Reference(NamedTuple):
    """A reference in place of a packed document."""

    pack: int
    start: int
    length: int
    is_document: bool
    """Whether it is read as a document; else as its bytes."""

    @classmethod
    def parse(cls, text: str, *, is_document: bool) -> Self:
        """Parse what stands in the document's cell; raises ValueError."""
        pack, start, length = map(int, text.removeprefix(REFERENCE_MARK).split(","))
        return cls(pack, start, length, is_document)


def unpack_cells(
    rows: Sequence[dict[str, Any]], names: Sequence[str], read_pack: Callable[[int], bytes]
) -> None:
    """Replace the references in these columns by their documents; raises ValueError."""
    packs: dict[int, bytes] = {}
    for row, name in ((row, name) for row in rows for name in names):
        cell = row[name]
        if isinstance(cell, Reference):
            if cell.pack not in packs:
                packs[cell.pack] = read_pack(cell.pack)
            document = packs[cell.pack][cell.start : cell.start + cell.length]
            if len(document) != cell.length:
                raise ValueError(f"pack {cell.pack} does not hold what a row of it refers to")
            row[name] = decode(document) if cell.is_document else document


@lru_cache(maxsize=4)
def decompress_pack(content: bytes) -> bytes:
    """Decompress a pack; whoever reads one step often reads the next."""
    import lzma

    try:
        return lzma.decompress(content)
    except lzma.LZMAError as error:
        raise ValueError(f"a pack cannot be read: {error}") from error


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


def read_bytes(cell: bytes | None) -> bytes | Reference | None:
    """Read bytes that may be squeezed, or the reference to packed ones."""
    if cell is None or cell[:1] not in _MARKS:
        return cell
    is_reference = cell[:1] == _MARKS[0]
    return Reference.parse(cell.decode(), is_document=False) if is_reference else unsqueeze(cell)


# each field's


class _Codec(NamedTuple):
    write: Change
    read: Change


_TEXT, _AS_IS = _Codec(replace_nul, None), _Codec(None, None)
_DOCUMENT, _BYTES = _Codec(write_document, read_document), _Codec(None, read_bytes)
_BY_KIND: Final[Mapping[Any, _Codec]] = {
    **dict.fromkeys((str, Seat, v.Status, LinkKind, Strength), _TEXT),
    **dict.fromkeys((int, float, bytes), _AS_IS),
    bool: _Codec(None, bool),
}
"""By the kind of a field; whatever else it holds is kept as a document."""


_INSTANTS: Final[Mapping[str, _Codec]] = {
    "sqlite": _Codec(write_iso, read_iso),
    "postgresql": _Codec(write_utc, write_utc),  # whatever the session's zone is
}
_INSTANT_PARAMETERS = ("at", "since", "then", "until")
"""The instants among the parameters that are no fields."""


@cache
def _choose_codecs(value: type[Struct], engine: str) -> Mapping[str, _Codec]:
    kinds = {**_BY_KIND, datetime: _INSTANTS[engine]}
    codecs = {
        field.name: kinds.get(strip_optional(field.type), _DOCUMENT)
        for field in fields(value)
        if field.name not in ELSEWHERE.get(value, ())
    }
    for name in PACKED.get(value, ()):
        if codecs[name] is _AS_IS:
            codecs[name] = _BYTES
    if value is v.Paper:
        codecs["seat"] = _Codec(write_seat, read_seat)
    return codecs | dict.fromkeys(SQUEEZED.get(value, ()), _Codec(squeeze, read_bytes))


def strip_optional(kind: Any) -> Any:
    """Return the kind of a field's content where it has any."""
    return get_args(kind)[0] if NoneType in get_args(kind) else kind
