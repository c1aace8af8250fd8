"""The MIME tree of a letter, walked with limits: depth, number of parts, no recursion in data.

The standard library's parser recurses (nested bombs raise RecursionError) and takes 14 seconds for
1 MB of empty parts; a boundary is found here by one search over the text of its part.
"""

import binascii
import re

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.adapters.mail.inbound.charsets import decode_text, find_html_charset
from adjudicator.adapters.mail.inbound.envelope import (
    Headers,
    decode_base64,
    decode_words,
    read_parameters,
    split_header,
)

_DEEPEST = 12
_MOST_PARTS = 100
_GUESS = re.compile(rb"^--([^\s]{1,200})[ \t]{0,20}\nContent-", re.IGNORECASE | re.MULTILINE)
_BASE64_LINE = re.compile(rb"[A-Za-z0-9+/]*={0,3}")
_PLAIN_ORDERS = re.compile(
    rb"^[ \t]{0,20}(?:game|join|ask|gm)[ \t]{0,20}:", re.IGNORECASE | re.MULTILINE
)
_YAML = frozenset(
    f"{family}/{name}"
    for family in ("text", "application")
    for name in ("yaml", "x-yaml", "vnd.yaml")
)
STATUS_TYPES = ("message/delivery-status", "message/global-delivery-status")
"""What a mail server tells about each recipient of a letter."""
_SECTIONS = ("message/rfc822", "message/global", "message/news")


class MailPart(Struct, frozen=True):
    """A letter or a part of one."""

    headers: Headers
    kind: str
    """As in text/plain."""
    parameters: dict[str, str]
    body: bytes
    """Of a leaf: decoded from its transfer encoding."""
    children: tuple["MailPart", ...] = ()
    text: str = ""
    """Of a leaf that is text: its lines, ended by \\n."""

    @property
    def filename(self) -> str:
        """The name that the part would be saved under."""
        _, parameters = read_parameters(self.headers.get("content-disposition"))
        return decode_words(parameters.get("filename") or self.parameters.get("name") or "").strip()

    @property
    def is_yaml(self) -> bool:
        """Whether the part looks like a form."""
        return self.kind in _YAML or self.filename.lower().endswith((".yaml", ".yml"))

    @property
    def is_text(self) -> bool:
        """Whether the part has lines of text."""
        textual = self.kind.startswith("text/") or self.kind in STATUS_TYPES
        return textual or self.is_yaml or self.filename.lower().endswith(".txt")


def _read_text(part: MailPart) -> str:
    label = part.parameters.get("charset")
    if label is None and part.kind == "text/html":
        label = find_html_charset(part.body)
    return decode_text(part.body, label).replace("\r\n", "\n").replace("\r", "\n")


class OpenedLetter(Struct, frozen=True):
    """A letter taken apart."""

    top: MailPart
    problems: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    """What is broken but may have done no harm."""


def open_letter(content: bytes) -> OpenedLetter | None:
    """Split the letter into parts; None if its header is too long."""
    halves = split_header(_unify_line_ends(content))
    if halves is None:
        return None
    walk = _Walk()
    top = walk.part(*halves, depth=0)
    if not top.headers.fields:
        walk.doubts.append("this is not a letter: it has no header")
    return OpenedLetter(top, tuple(walk.problems), tuple(dict.fromkeys(walk.doubts)))


def find_header(start: bytes) -> MailPart | None:
    """Read the header from the beginning of a letter; None if the header goes on beyond it."""
    lines = _unify_line_ends(start)
    halves = split_header(lines)
    if halves is None or not (halves[1] or lines.endswith(b"\n\n")):
        return None
    kind, parameters = read_parameters(halves[0].get("content-type"))
    return MailPart(halves[0], kind, parameters, b"")


def _unify_line_ends(content: bytes) -> bytes:
    """Unify the line ends of a letter."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        content = decode_text(content).encode()
    content = content.removeprefix(b"\xef\xbb\xbf")
    return content.replace(b"\r\n", b"\n").replace(b"\r", b"\n")


class _Walk:
    """Counts parts and says what was left out."""

    def __init__(self) -> None:
        self.problems: list[str] = []
        self.doubts: list[str] = []
        self._parts = 0

    def part(
        self, headers: Headers, body: bytes, *, depth: int, usual: str = "text/plain"
    ) -> MailPart:
        kind, parameters = read_parameters(headers.get("content-type"))
        if kind.count("/") != 1:
            kind = usual
        if kind.startswith("multipart/"):
            children = self._children(body, kind, parameters.get("boundary", ""), depth)
            if children is not None:
                return MailPart(headers, kind, parameters, b"", children)
            kind = "text/plain"
            self.doubts.append("the letter says that it has parts, but none could be found")
        body, sound = _decode_body(headers.get("content-transfer-encoding"), body)
        if not sound:
            self.doubts.append("a part of the letter is not encoded as it says")
        if kind in _SECTIONS:
            forwarded = self._read_piece(body.lstrip(b"\r\n"), depth + 1, "text/plain")
            return MailPart(headers, kind, parameters, b"", forwarded)
        leaf = MailPart(headers, kind, parameters, body)
        return replace(leaf, text=_read_text(leaf)) if leaf.is_text else leaf

    def _children(
        self, body: bytes, kind: str, boundary: str, depth: int
    ) -> tuple[MailPart, ...] | None:
        pieces = _split_pieces(body, boundary)
        if pieces is None:
            return None
        usual = "message/rfc822" if kind == "multipart/digest" else "text/plain"
        return tuple(part for piece in pieces for part in self._read_piece(piece, depth + 1, usual))

    def _read_piece(self, piece: bytes, depth: int, usual: str) -> tuple[MailPart, ...]:
        """Read one part; returns a tuple of one, or an empty one if the part is skipped."""
        self._parts += 1
        if self._parts > _MOST_PARTS:
            return self._leave_out(f"only the first {_MOST_PARTS} parts of the letter were read")
        if depth > _DEEPEST:
            return self._leave_out(f"parts nested more than {_DEEPEST} levels deep were not read")
        halves = split_header(piece)
        if halves is None:
            return self._leave_out("a part whose header is longer than 64 KB was not read")
        return (self.part(*halves, depth=depth, usual=usual),)

    def _leave_out(self, why: str) -> tuple[MailPart, ...]:
        if why not in self.problems:
            self.problems.append(why)
        return ()


def _split_pieces(body: bytes, boundary: str) -> list[bytes] | None:
    """Split the body at its boundaries; None if there are none."""
    body = b"\n" + body
    # the header may name no boundary, or not the one really used
    guess = _GUESS.search(body)
    header_mark = boundary.rstrip().encode("utf-8", "replace")[:200]
    for mark in (header_mark, guess.group(1) if guess else b""):
        if not mark:
            continue
        line = re.compile(rb"\n--" + re.escape(mark) + rb"(--)?[ \t]{0,200}(?=\n|\Z)")
        pieces: list[bytes] = []
        start: int | None = None
        for match in line.finditer(body):
            if start is not None:
                pieces.append(body[start : match.start()])
            start = None if match.group(1) else match.end() + 1
            if len(pieces) > _MOST_PARTS:
                break
        if start is not None:
            pieces.append(body[start:])
        if pieces:
            return pieces
    return None


def _decode_body(encoding: str | None, body: bytes) -> tuple[bytes, bool]:
    """Decode the body; returns whether its transfer encoding was as declared, too."""
    name = (encoding or "").partition(";")[0].strip().strip("\"'").lower()
    if name == "base64":
        return _decode_base64_lines(body)
    if name == "quoted-printable":
        # a mail server may have added spaces at the end of a line
        lines = (line.rstrip(b" \t") for line in body.split(b"\n"))
        return binascii.a2b_qp(b"\n".join(lines)), True
    return body, True


def _decode_base64_lines(body: bytes) -> tuple[bytes, bool]:
    """Decode the base64 lines only: mailing lists add plain footers, or label them wrongly."""
    lines = [line.strip() for line in body.split(b"\n")]
    end = next((n for n, line in enumerate(lines) if not _BASE64_LINE.fullmatch(line)), len(lines))
    if _PLAIN_ORDERS.search(b"\n".join(lines[end:])) or (not any(lines[:end]) and any(lines)):
        return body, False
    return decode_base64(b"".join(lines[:end])), True
