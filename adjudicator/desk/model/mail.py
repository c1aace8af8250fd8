"""Incoming and outgoing letters as the desk sees them, without any mail program."""

from collections.abc import Sequence
from datetime import datetime

from msgspec import Struct

from adjudicator.core.finding import Finding
from adjudicator.core.forms.reading import Text, WrittenLine

MAX_LETTER_BYTES = 1024 * 1024
"""Of a bigger letter only the header is read."""
MAX_HEADER_BYTES = 64 * 1024
"""Longer headers are not read: decoding them can take seconds."""


class Block(Struct, frozen=True, kw_only=True):
    """One candidate for the order block of a letter."""

    origin: str
    """attachment | fenced | text | quoted"""
    source: str
    """The lines as they were read, mended but not understood."""
    text: Text | tuple[Finding, ...]
    """The YAML, or why it is not YAML."""
    stopped: str | None = None
    """Where reading stopped and why, when something was left over."""
    sections: tuple[tuple[str, str], ...] = ()
    """Messages in sections of their own: to whom, and the text."""


class IncomingLetter(Struct, frozen=True, kw_only=True):
    """One letter as it was read; nothing in it is proof of anything."""

    message_id: str | None
    digest: str
    """SHA-256 over its decoded parts: with the Message-ID it tells a repeat from a new letter."""
    sender: str | None
    """The bare address of From, lower case."""
    name: str | None = None
    """The name shown with it."""
    recipients: tuple[str, ...] = ()
    """Delivered-To, To and Cc, bare addresses."""
    subject: str = ""
    date: datetime | None = None
    """Of the Date header: what the writer's clock said."""
    references: tuple[str, ...] = ()
    """In-Reply-To and References, oldest first."""
    automatic: str | None = None
    """Why no program may answer it; None for a person's letter."""
    bulk: bool = False
    """Only `Precedence: list` or `bulk` marks it: executed with a valid key and a changed block."""
    worded: bool = False
    """Only its words mark it: a person who gives orders is away, too."""
    bounced: tuple[str, ...] = ()
    """The addresses that a delivery report names as failed."""
    returned: tuple[str, ...] = ()
    """The Message-IDs that such a report names, of the letter that came back among them."""
    authentication: tuple[str, ...] = ()
    """The Authentication-Results headers, topmost first."""
    blocks: tuple[Block, ...] = ()
    lines: tuple[WrittenLine, ...] = ()
    """What its writer wrote outside the blocks, without quotations and signatures."""
    hints: bool = False
    """Whether one of these lines has a sign that orders have: a value behind a colon, a number."""
    attached: tuple[str, ...] = ()
    """The names of files that came with it and are never read: documents, tables, pictures."""
    problems: tuple[Finding, ...] = ()
    """What was wrong with reading it, blocks apart."""
    too_big: int | None = None
    """The size in bytes of a letter that is too big, of which only the header is read."""


class Glance(Struct, frozen=True, kw_only=True):
    """What a quick look at a letter shows, before it is read; none of it proves anything."""

    sender: str | None
    references: tuple[str, ...] = ()
    """In-Reply-To and References."""
    keys: tuple[str, ...] = ()
    """Words in it that look like keys."""


class Parcel(Struct, frozen=True):
    """A letter in a postbox, unread."""

    id: str
    """The postbox's name for it, until it is processed."""
    arrived: datetime
    """When the mail server took it."""
    size: int
    content: bytes | None
    """None when it is too big to be read."""
    head: bytes = b""
    """The beginning of a letter that is too big: as much as a header may have."""

    @property
    def readable(self) -> bytes:
        """The whole letter, or the header of one that is too big."""
        return self.head if self.content is None else self.content


class Sent(Struct, frozen=True):
    """What a mail server said about one recipient of one letter."""

    recipient: str
    status: str
    """taken | later (4xx, or no connection) | never (5xx)"""
    reply: str = ""
    wait: int = 0
    """Seconds until the next attempt, where the server said so."""
    for_all: bool = False
    """Too much was sent: other letters have to wait as long."""


class Posting(Struct, frozen=True):
    """A letter as it is handed to the mail server."""

    sender: str
    recipients: Sequence[str]
    content: bytes


class Claim(Struct, frozen=True, kw_only=True):
    """What one daemon alone may do until it expires, such as reading a postbox."""

    name: str
    owner: str
    until: datetime


class Caller(Struct, frozen=True, kw_only=True):
    """The budget that a sender without a valid key has used; it limits addresses, never seats."""

    address: str
    day: str
    """2026-11-18, in UTC: counts begin again each day."""
    answers: int = 0
    wrong: int = 0
    """The number of wrong keys."""
    until: datetime | None = None
    """Until this instant keys from this address are not checked."""


class ReturnedLetter(Struct, frozen=True, kw_only=True):
    """An outgoing letter that came back from an address."""

    address: str
    message_id: str
    """The Message-ID that the outbox knows it by."""
    at: datetime
