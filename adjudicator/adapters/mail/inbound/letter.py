"""An incoming letter, from its bytes to its value."""

from hashlib import sha256

from msgspec.structs import replace

from adjudicator.adapters.mail.inbound.automatic import judge_sender
from adjudicator.adapters.mail.inbound.bounces import find_failed_addresses, is_delivery_report
from adjudicator.adapters.mail.inbound.candidates import Candidates, find_candidates, make_problem
from adjudicator.adapters.mail.inbound.headers import (
    MAX_HEADER_BYTES,
    decode_words,
    read_addresses,
    read_date,
    read_message_id,
    read_message_ids,
)
from adjudicator.adapters.mail.inbound.parts import MailPart, find_header, open_letter
from adjudicator.adapters.mail.inbound.quotations import read_lines
from adjudicator.adapters.mail.inbound.repairs import straighten_quotes
from adjudicator.core.finding import Finding
from adjudicator.core.forms.reading import Text
from adjudicator.desk.model.mail import IncomingLetter

MAX_LETTER_BYTES = 1024 * 1024
"""Of bigger letters only the header is read."""
_RECIPIENTS = ("delivered-to", "x-original-to", "envelope-to", "to", "cc")
_MOST_RECIPIENTS = 200
_MOST_REFERENCES = 100
_TOO_BIG = "the letter is larger than 1 MB and was not read"
_LONG_HEADER = "the letter's header is longer than 64 KB and was not read"
_KNOWN_BY = ("from", "to", "date", "subject", "content-type")


def parse_letter(content: bytes, size: int = 0) -> IncomingLetter:
    """The letter; nothing that anybody may send raises.

    `size` is the whole letter's, where only its beginning is at hand.
    """
    size = max(size, len(content))
    if size > MAX_LETTER_BYTES:
        return _make_too_big(content[:MAX_HEADER_BYTES], size)
    taken = open_letter(content)
    if taken is None:
        return _make_unread(content, _LONG_HEADER)
    found = find_candidates(taken.top)
    doubts = () if any(isinstance(one.text, Text) for one in found.blocks) else taken.doubts
    return _make_letter(
        taken.top, found, tuple(make_problem(one) for one in (*taken.problems, *doubts))
    )


def _make_letter(top: MailPart, found: Candidates, problems: tuple[Finding, ...]) -> IncomingLetter:
    headers = top.headers
    name, sender = _find_sender(top)
    subject = decode_words(headers.get("subject"))
    sent_to = read_addresses(value for name in _RECIPIENTS for value in headers.all(name))
    recipients = tuple(dict.fromkeys(one for _, one in sent_to))[:_MOST_RECIPIENTS]
    # oldest first, as References lists them
    chain = read_message_ids((*headers.all("references"), *headers.all("in-reply-to")))
    orders = any(block.origin != "quoted" for block in found.blocks)
    opening = _find_opening(found.text)
    report = is_delivery_report(top, sender=sender, subject=subject, opening=opening, orders=orders)
    verdict = judge_sender(
        headers,
        sender=sender,
        subject=straighten_quotes(subject),
        report=report,
        orders=orders,
        opening=opening,
    )
    return IncomingLetter(
        message_id=read_message_id(headers.get("message-id")),
        digest=_digest_parts(top),
        sender=sender,
        name=name or None,
        recipients=recipients,
        subject=subject,
        date=read_date(headers.get("date")),
        references=tuple(dict.fromkeys(chain))[-_MOST_REFERENCES:],
        automatic=verdict.reason,
        bulk=verdict.bulk,
        bounced=find_failed_addresses(top, found.text, subject=subject, own=recipients)
        if report
        else (),
        authentication=headers.all("authentication-results"),
        # what a report carries along is our own letter: nobody ordered that
        blocks=() if report else found.blocks,
        problems=(*problems, *(() if report else found.problems)),
    )


def _find_sender(top: MailPart) -> tuple[str, str | None]:
    """Name and address; of two From fields that differ one is forged, so neither counts."""
    fields = top.headers.all("from")[:10]
    first = [next(iter(read_addresses((value,), most=2000)), ("", None)) for value in fields]
    return first[0] if first and len({address for _, address in first}) == 1 else ("", None)


def _find_opening(text: str) -> str:
    """The first lines that are not quoted."""
    own = (line for line in read_lines(text[:8000]) if not line.depth and not line.copied)
    return straighten_quotes("\n".join(line.text for line in own if not line.divides)[:2000])


def _make_unread(content: bytes, why: str) -> IncomingLetter:
    return IncomingLetter(
        message_id=None,
        digest=sha256(content).hexdigest(),
        sender=None,
        problems=(make_problem(why),),
    )


def _make_too_big(start: bytes, size: int) -> IncomingLetter:
    """Who wrote it, and whether a program did: enough to answer that it was not read."""
    top = find_header(start)
    if top is None:
        return replace(_make_unread(start, _TOO_BIG), too_big=size)
    found = _make_letter(top, Candidates(), (make_problem(_TOO_BIG),))
    fields = "\0".join(value for name in _KNOWN_BY for value in top.headers.all(name))
    known_by = sha256(fields.encode("utf-8", "surrogatepass")).hexdigest()
    return replace(found, digest=known_by, too_big=size)


def _digest_parts(top: MailPart) -> str:
    """Over the parts as they are decoded: the same letter by another way has the same digest."""
    total = sha256()
    waiting = [top]
    while waiting:
        part = waiting.pop()
        waiting += reversed(part.children)
        body = part.text.encode() if part.kind.startswith("text/") else part.body
        body = body.rstrip(b"\n")
        total.update(f"{part.kind}\0{len(body)}\0".encode("utf-8", "replace") + body)
    return total.hexdigest()
