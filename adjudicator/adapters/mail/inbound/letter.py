"""An incoming letter, from its bytes to its value: envelope, parts, text, blocks."""

from collections.abc import Iterator
from hashlib import sha256

from msgspec import structs

from adjudicator.adapters.mail.inbound.automatic import judge_letter
from adjudicator.adapters.mail.inbound.candidates import Candidates, find_candidates, make_problem
from adjudicator.adapters.mail.inbound.envelope import read_mail_envelope
from adjudicator.adapters.mail.inbound.parts import MailPart, find_header, open_letter
from adjudicator.adapters.mail.inbound.writing.own_lines import ORDER_SIGN
from adjudicator.core.finding import Finding
from adjudicator.core.forms.reading import Text
from adjudicator.desk.model.mail import MAX_HEADER_BYTES, MAX_LETTER_BYTES, IncomingLetter

_TOO_BIG = "the letter is larger than 1 MB and was not read"
_LONG_HEADER = "the letter's header is longer than 64 KB and was not read"
_KNOWN_BY = ("from", "to", "date", "subject", "content-type")


def parse_letter(content: bytes, size: int = 0) -> IncomingLetter:
    """Parse a letter; never raises, whatever the letter contains.

    `size` is the size of the whole letter if only its beginning is available.
    """
    size = max(size, len(content))
    if size > MAX_LETTER_BYTES:
        return _make_too_big(content[:MAX_HEADER_BYTES], size)
    letter = open_letter(content)
    if letter is None:
        return _make_unread(content, _LONG_HEADER)
    candidates = find_candidates(letter.top)
    doubts = () if any(isinstance(one.text, Text) for one in candidates.blocks) else letter.doubts
    return _make_letter(
        letter.top, candidates, tuple(make_problem(one) for one in (*letter.problems, *doubts))
    )


def _make_letter(
    top: MailPart, candidates: Candidates, problems: tuple[Finding, ...]
) -> IncomingLetter:
    envelope = read_mail_envelope(top.headers)
    orders = any(block.origin != "quoted" for block in candidates.blocks)
    verdict = judge_letter(top, envelope, candidates.text, orders=orders)
    return IncomingLetter(
        **structs.asdict(envelope),
        digest=_digest_parts(top),
        automatic=verdict.reason,
        bulk=verdict.bulk,
        worded=verdict.worded,
        bounced=verdict.bounced,
        returned=verdict.returned,
        # a report encloses our own letter: its orders are nobody's
        blocks=() if verdict.report else candidates.blocks,
        lines=() if verdict.report else candidates.lines,
        hints=any(ORDER_SIGN.search(one.text) for one in candidates.lines),
        attached=tuple(_list_attached(top)),
        problems=(*problems, *(() if verdict.report else candidates.problems)),
    )


def _list_attached(top: MailPart) -> Iterator[str]:
    """List the files of a letter that nobody reads, but for the pictures of a signature."""
    for part in top.children:
        yield from _list_attached(part)
    inline = top.headers.get("content-id") is not None
    if top.filename and not (top.children or top.is_text or inline):
        yield " ".join(top.filename.split())[:60]


def _make_unread(content: bytes, why: str) -> IncomingLetter:
    return IncomingLetter(
        message_id=None,
        digest=sha256(content).hexdigest(),
        sender=None,
        problems=(make_problem(why),),
    )


def _make_too_big(start: bytes, size: int) -> IncomingLetter:
    """Describe only the sender of a letter that is too big, enough to say that it was not read."""
    top = find_header(start)
    if top is None:
        return structs.replace(_make_unread(start, _TOO_BIG), too_big=size)
    letter = _make_letter(top, Candidates(), (make_problem(_TOO_BIG),))
    fields = "\0".join(value for name in _KNOWN_BY for value in top.headers.all(name))
    known_by = sha256(fields.encode("utf-8", "surrogatepass")).hexdigest()
    return structs.replace(letter, digest=known_by, too_big=size)


def _digest_parts(top: MailPart) -> str:
    """Digest the decoded parts, so that the digest does not depend on how the letter was sent."""
    total = sha256()
    waiting = [top]
    while waiting:
        part = waiting.pop()
        waiting += reversed(part.children)
        body = part.text.encode() if part.kind.startswith("text/") else part.body
        body = body.rstrip(b"\n")
        total.update(f"{part.kind}\0{len(body)}\0".encode("utf-8", "replace") + body)
    return total.hexdigest()
