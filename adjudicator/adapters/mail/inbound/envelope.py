"""The header of a letter or of a part, and the envelope that a letter's header makes.

Everything is read so that no header can take long or raise.
"""

import binascii
import re
from collections.abc import Iterable
from datetime import UTC, datetime
from email.utils import getaddresses, parsedate_to_datetime
from urllib.parse import unquote_to_bytes

from msgspec import Struct

from adjudicator.adapters.mail.inbound.charsets import decode_text
from adjudicator.desk.model.mail import MAX_HEADER_BYTES

_FIELD = re.compile(rb"([!-9;-~]{1,200})[ \t]{0,20}:")
_WORD = re.compile(r"=\?([^?\s]{1,60})\?([bBqQ])\?([^?]{0,2000})\?=")
_BETWEEN = re.compile(r"(\?=)\s{1,200}(?==\?)")
_ID = re.compile(r"<[^<>\s]{1,900}>")
_ADDRESS = re.compile(r"[^\s@<>()\[\],;:\"\\]{1,64}@[^\s@<>()\[\],;:\"\\]{1,255}")
_PARAMETER = re.compile(
    r";\s*([^\s=;*\"]{1,60})(?:\*(\d{1,2}))?(\*)?\s*=\s*(\"(?:[^\"\\]|\\.)*\"|[^;]*)"
)

_MOST_DECODED = 2000
_NO_FIELDS = (b"game", b"join", b"ask", b"gm")
"""No header has such fields: somebody forgot the empty line above the orders."""


class Headers(Struct, frozen=True):
    """The fields of a header in their order, unfolded, not yet decoded."""

    fields: tuple[tuple[str, str], ...] = ()

    def all(self, name: str) -> tuple[str, ...]:
        """List every value of a field, topmost first."""
        return tuple(value for key, value in self.fields if key == name)

    def get(self, name: str) -> str | None:
        """Return the topmost value of a field."""
        return next((value for key, value in self.fields if key == name), None)

    @property
    def has_no_sender(self) -> bool:
        """Whether the Return-Path is empty, as in reports that must not be answered."""
        path = self.get("return-path")
        return path is not None and not path.strip("<> \t")


def split_header(content: bytes) -> tuple[Headers, bytes] | None:
    """Split the header from the rest, line ends unified; None if the header is too long."""
    fields: list[tuple[str, list[bytes]]] = []
    at = 0
    while at < len(content):
        if at > MAX_HEADER_BYTES:
            return None
        end = content.find(b"\n", at)
        end = len(content) if end < 0 else end
        if end - at > MAX_HEADER_BYTES:
            return None
        line = content[at:end]
        if not line.strip():
            at = end + 1
            break
        if not _take_line(fields, line, first=at == 0):
            break
        at = end + 1
    texts = ((name, decode_text(b" ".join(lines)).replace("\0", "")) for name, lines in fields)
    return Headers(tuple(texts)), content[at:]


def _take_line(fields: list[tuple[str, list[bytes]]], line: bytes, *, first: bool) -> bool:
    """Add the line to the header; returns False at the first line of the text."""
    if line[:1] in b" \t":
        if fields:
            fields[-1][1].append(line.strip())
        return bool(fields)
    field = _FIELD.match(line)
    if field and field.group(1).lower() not in _NO_FIELDS:
        fields.append((field.group(1).decode("ascii").lower(), [line[field.end() :].strip()]))
        return True
    # a mailbox file's own first line
    return first and line.startswith((b"From ", b">From "))


def decode_words(value: str | None) -> str:
    """Decode a value as its writer sees it: encoded words decoded, on one line."""
    if not value:
        return ""
    text = _BETWEEN.sub(r"\1", value[:_MOST_DECODED])
    pieces: list[str] = []
    run, label, at = b"", "", 0
    for word in _WORD.finditer(text):
        plain, own = text[at : word.start()], word.group(1).partition("*")[0].lower()
        if run and (plain or own != label):  # a character may be split between two words
            pieces.append(decode_text(run, label))
            run = b""
        pieces.append(plain)
        raw = word.group(3).encode("utf-8", "replace")
        is_printable = word.group(2) in "qQ"
        run += binascii.a2b_qp(raw, header=True) if is_printable else decode_base64(raw)
        label, at = own, word.end()
    pieces += [decode_text(run, label) if run else "", text[at:]]
    return " ".join("".join(pieces).split())


def decode_base64(raw: bytes) -> bytes:
    """Decode base64 as far as it is readable."""
    signs = re.sub(rb"[^A-Za-z0-9+/]", b"", raw)
    signs = signs[: len(signs) - (len(signs) % 4 == 1)]
    return binascii.a2b_base64(signs + b"=" * (-len(signs) % 4))


def read_parameters(value: str | None) -> tuple[str, dict[str, str]]:
    """Split a value such as `text/plain; charset=x` into its word and parameters (RFC 2231)."""
    text = (value or "")[:1000]
    first, _, _ = text.partition(";")
    pieces: dict[str, list[tuple[int, bool, str]]] = {}
    for match in _PARAMETER.finditer(text):
        name, number, starred, raw = match.groups()
        if raw.startswith('"'):
            raw = re.sub(r"\\(.)", r"\1", raw.strip()[1:-1])
        piece = (int(number or 0), bool(starred), raw.strip())
        pieces.setdefault(name.lower(), []).append(piece)
    return first.strip().lower(), {name: _join_pieces(all_) for name, all_ in pieces.items()}


def _join_pieces(pieces: list[tuple[int, bool, str]]) -> str:
    label: str | None = None
    raw = b""
    for number, starred, value in sorted(pieces, key=lambda piece: piece[0]):
        text = value
        if starred:
            if number == 0 and text.count("'") >= 2:
                label, _, text = text.split("'", 2)
            raw += unquote_to_bytes(text.encode("utf-8", "replace"))
        else:
            raw += decode_words(text).encode("utf-8", "replace")
    return decode_text(raw, label)


def read_addresses(values: Iterable[str], most: int = 8000) -> list[tuple[str, str]]:
    """Read names and bare addresses in lower case, leaving out what is not an address."""
    addresses: list[tuple[str, str]] = []
    for value in values:
        text = value[:most]
        try:
            pairs = getaddresses([text])
        except (RecursionError, ValueError, IndexError):  # nested comments and groups
            continue
        # the library joins separate pieces: only what was written in one piece is an address
        real_pairs = [(name, one) for name, one in pairs if one in text and _ADDRESS.fullmatch(one)]
        addresses += [(decode_words(name), one.lower()) for name, one in real_pairs]
    return addresses


def read_message_id(value: str | None) -> str | None:
    """Read the Message-ID, with its angle brackets."""
    text = (value or "").strip()[:1000]
    match = _ID.search(text)
    if match:
        return match.group()
    bare = text.strip("<>").split()
    return f"<{bare[0]}>" if bare else None


def read_date(value: str | None) -> datetime | None:
    """Read the instant of a Date header; None if it has none."""
    try:
        instant = parsedate_to_datetime((value or "")[:200])
    except (TypeError, ValueError, OverflowError, IndexError):
        return None
    if not 1971 <= instant.year <= 9000:
        return None
    return instant if instant.tzinfo else instant.replace(tzinfo=UTC)


_RECIPIENTS = ("delivered-to", "x-original-to", "envelope-to", "to", "cc")
_MOST_RECIPIENTS = 200
_MOST_REFERENCES = 100


class MailEnvelope(Struct, frozen=True, kw_only=True):
    """Who wrote to whom, and which letters are answered; nothing in it is proof of anything."""

    message_id: str | None
    sender: str | None
    name: str | None
    recipients: tuple[str, ...]
    subject: str
    date: datetime | None
    references: tuple[str, ...]
    """Oldest first, as References lists them."""
    authentication: tuple[str, ...]


def read_mail_envelope(headers: Headers) -> MailEnvelope:
    """Read the envelope of a letter."""
    # of two From fields that differ one is forged, so neither counts
    fields = headers.all("from")[:10]
    writers = [next(iter(read_addresses((value,), most=2000)), ("", None)) for value in fields]
    one_writer = len({address for _, address in writers}) == 1
    name, sender = writers[0] if one_writer else ("", None)
    sent_to = read_addresses(value for name in _RECIPIENTS for value in headers.all(name))
    answered = (*headers.all("references"), *headers.all("in-reply-to"))
    chain = (one for value in answered for one in _ID.findall(value[:16000]))
    return MailEnvelope(
        message_id=read_message_id(headers.get("message-id")),
        sender=sender,
        name=name or None,
        recipients=tuple(dict.fromkeys(one for _, one in sent_to))[:_MOST_RECIPIENTS],
        subject=decode_words(headers.get("subject")),
        date=read_date(headers.get("date")),
        references=tuple(dict.fromkeys(chain))[-_MOST_REFERENCES:],
        authentication=headers.all("authentication-results"),
    )
