"""A mail as those read it who find every fault: how it is built, how long its lines are, its parts.

Each check is a generator of faults in words; none is left out where another fails.
"""

import re
from collections.abc import Iterator
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from functools import lru_cache

from tests.adapters.pages.reading import MOST, parsed
from tests.adapters.pages.reading import faults as page_faults

LONGEST = 998
"""Octets of a line without its end (RFC 5322, 2.1.1)."""
FOLDED = 78
"""What a line of a header should have at most."""
PICTURE_MOST = 100 * 1024
BLOCK = re.compile(r"^(?:game|join): .*^# end of orders$", re.MULTILINE | re.DOTALL)
"""The form at the end."""
_OPENER = re.compile(r" {0,3}[\"*_]{0,2}(?:game|join|ask|gm)\b[\"*_]{0,2}:")
"""What begins a block; examples that are to be typed are indented more."""
_CID = re.compile(r'src="cid:([^"]+)"')
_MESSAGE_ID = re.compile(r"<[\x21-\x3b\x3d\x3f-\x7e]+@[A-Za-z0-9.-]+>")
_ONCE = ("From", "To", "Reply-To", "Subject", "Date", "Message-ID", "References", "In-Reply-To",
         "Auto-Submitted", "List-Id", "MIME-Version", "Content-Type")  # fmt: skip
_SHAPES = {
    "text/plain",
    "multipart/alternative(text/plain text/html)",
    "multipart/alternative(text/plain multipart/related(text/html PICTURES))",
}
"""What a letter may look like; where data is attached, a mixed one holds it beside one of these."""


_READING = default.clone(header_factory=lru_cache(maxsize=4096)(default.header_factory))
"""Python asks for a part's type again and again, and reads its header each time."""


def read(content: bytes) -> EmailMessage:
    """The mail as Python's parser finds it."""
    found = message_from_bytes(content, policy=_READING)
    assert isinstance(found, EmailMessage)
    return found


def text_of(mail: EmailMessage) -> str:
    """Its plain text, with line ends as text has them."""
    part = mail.get_body(("plain",))
    assert part is not None
    content: str = part.get_content()
    return content.replace("\r\n", "\n")


def page_of(mail: EmailMessage) -> str | None:
    """Its HTML, if it has any."""
    part = mail.get_body(("html",))
    return None if part is None else str(part.get_content())


def faults(content: bytes, width: int) -> list[str]:
    """Everything about a mail that is not as it must be; `width`: the columns of its reader."""
    mail = read(content)
    return [
        *_lines(content),
        *_headers(mail),
        *_shape(mail),
        *(fault for part in mail.walk() for fault in _part(part)),
        *_text(text_of(mail), width),
        *_pictures(mail),
        *([] if (page := page_of(mail)) is None else page_faults(page)),
    ]


def _lines(content: bytes) -> Iterator[str]:
    if re.search(rb"(?<!\r)\n|\r(?!\n)", content):
        yield "a line does not end as lines of mails do"
    if not content.isascii():
        yield "a sign that is not ASCII goes over the wire"
    longest = max(map(len, content.split(b"\r\n")))
    if longest > LONGEST:
        yield f"a line of {longest} octets"
    head = content.partition(b"\r\n\r\n")[0].split(b"\r\n")
    for line in head:
        whole = line.startswith((b"Message-ID: ", b"List-Unsubscribe: "))
        if len(line) > FOLDED and b" " in line.strip() and not whole:
            yield f"a header's line of {len(line)} octets: {line[:40]!r}"
        if not line.strip():
            yield "a header with an empty line"


def _headers(mail: EmailMessage) -> Iterator[str]:
    names = [name.lower() for name in mail]
    for name in _ONCE:
        if names.count(name.lower()) != 1:
            yield f"{name} stands there {names.count(name.lower())} times"
    for name in ("Message-ID", "In-Reply-To"):
        if not _MESSAGE_ID.fullmatch(str(mail[name])):
            yield f"{name}: {mail[name]}"
    if not all(map(_MESSAGE_ID.fullmatch, str(mail["References"]).split())):
        yield f"References: {mail['References']}"
    if mail["Auto-Submitted"] not in ("auto-generated", "auto-replied"):
        yield f"Auto-Submitted: {mail['Auto-Submitted']}"
    if not str(mail["Subject"]).strip() or len(mail["Subject"]) > 150:
        yield f"Subject: {mail['Subject']!r}"


def _shape(mail: EmailMessage) -> Iterator[str]:
    shape = _of(mail)
    inner = re.fullmatch(r"multipart/mixed\((.+) application/json\)", shape)
    if (inner[1] if inner else shape) not in _SHAPES:
        yield f"built as {shape}"
    bounds = [part.get_boundary() for part in mail.walk() if part.is_multipart()]
    if len(set(bounds)) != len(bounds):
        yield "two parts have the same boundary"


def _of(part: EmailMessage) -> str:
    if not part.is_multipart():
        return part.get_content_type()
    inside = " ".join(_of(one) for one in part.iter_parts() if isinstance(one, EmailMessage))
    inside = re.sub(r"image/png( image/png)*", "PICTURES", inside)
    return f"{part.get_content_type()}({inside})"


def _part(part: EmailMessage) -> Iterator[str]:
    for defect in part.defects:
        yield f"{part.get_content_type()}: {type(defect).__name__}"
    if part.is_multipart():
        return
    kind, coded = part.get_content_type(), part["Content-Transfer-Encoding"]
    if part.get_content_maintype() == "text":
        if part.get_content_charset() != "utf-8":
            yield f"{kind} is in {part.get_content_charset()}"
        if coded not in ("7bit", "quoted-printable", "base64"):
            yield f"{kind} is sent as {coded}"
        raw = part.get_payload(decode=True)
        assert isinstance(raw, bytes)
        raw.decode("utf-8")
    elif coded != "base64":
        yield f"{kind} is sent as {coded}"


def _text(text: str, width: int) -> Iterator[str]:
    for line in text.splitlines():
        if len(line) > width:
            yield f"{len(line)} columns: {line}"
        if line != line.rstrip():
            yield f"blanks at the end of: {line}"
    for line in BLOCK.sub("", text).splitlines():
        if (
            _OPENER.match(line) and line != "ask: resend"
        ):  # whoever quotes it would seem to write a block of orders
            yield f"begins as a block does: {line}"
    if "\n\n\n" in text:
        yield "two empty lines, one after the other"
    if re.search(r"[\x00-\x09\x0b-\x1f\x7f\ufffd]", text):
        yield "a sign in the text that cannot be read"


def _pictures(mail: EmailMessage) -> Iterator[str]:
    shown = _CID.findall(page_of(mail) or "")
    there = [one for one in mail.walk() if one.get_content_maintype() == "image"]
    names = [str(one["Content-ID"]) for one in there]
    if sorted(names) != sorted(f"<{name}>" for name in shown):
        yield f"shown are {shown}, there are {names}"
    if len(set(names)) != len(names):
        yield f"Content-IDs come twice: {names}"
    for one in there:
        content = one.get_content()
        if not content.startswith(b"\x89PNG\r\n"):
            yield f"{one.get_filename()} is no PNG"
        if len(content) > PICTURE_MOST:
            yield f"{one.get_filename()} has {len(content)} bytes"
        if one.get_content_disposition() != "inline" or not one.get_filename():
            yield f"{one['Content-ID']} is shown as {one['Content-Disposition']}"
    page = page_of(mail)
    for one in parsed(page).iter("img") if page else ():
        if not (one.get("alt") or "").strip():
            yield f"{one.get('src')} has no words"
    if page is not None and len(page.encode()) > MOST:
        yield f"the page has {len(page.encode())} bytes"
