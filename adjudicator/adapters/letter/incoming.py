"""A letter as it came, bytes to value: everything about it, and nothing but it."""

from hashlib import sha256

from msgspec.structs import replace

from adjudicator.adapters.letter.automatic import verdict
from adjudicator.adapters.letter.bounces import failed, is_report
from adjudicator.adapters.letter.candidates import Candidates, candidates, problem
from adjudicator.adapters.letter.headers import MOST as LONGEST_HEADER
from adjudicator.adapters.letter.headers import addresses, date, message_id, message_ids, words
from adjudicator.adapters.letter.mend import straight
from adjudicator.adapters.letter.parts import Part, header_of, opened
from adjudicator.adapters.letter.quoting import lines
from adjudicator.core.finding import Finding
from adjudicator.core.reading import Text
from adjudicator.desk.mail import Incoming

MOST = 1024 * 1024
"""Of bigger letters only the header is read."""
_RECIPIENTS = ("delivered-to", "x-original-to", "envelope-to", "to", "cc")
_MOST_RECIPIENTS = 200
_TOO_BIG = "the letter is bigger than 1 MB, which is more than is read"
_LONG_HEADER = "the letter's header is longer than 64 KB and was not read"
_KNOWN_BY = ("from", "to", "date", "subject", "content-type")


def read(content: bytes, size: int = 0) -> Incoming:
    """The letter; nothing that anybody may send raises.

    `size` is the whole letter's, where only its beginning is at hand.
    """
    size = max(size, len(content))
    if size > MOST:
        return _too_big(content[:LONGEST_HEADER], size)
    taken = opened(content)
    if taken is None:
        return _unread(content, _LONG_HEADER)
    found = candidates(taken.top)
    doubts = () if any(isinstance(one.text, Text) for one in found.blocks) else taken.doubts
    return _whole(taken.top, found, tuple(problem(one) for one in (*taken.problems, *doubts)))


def _whole(top: Part, found: Candidates, problems: tuple[Finding, ...]) -> Incoming:
    headers = top.headers
    name, sender = _sender(top)
    subject = words(headers.get("subject"))
    recipients = _recipients(top)
    orders = any(block.origin != "quoted" for block in found.blocks)
    opening = _opening(found.text)
    report = is_report(top, sender=sender, subject=subject, opening=opening, orders=orders)
    told = verdict(
        headers,
        sender=sender,
        subject=straight(subject),
        report=report,
        orders=orders,
        opening=opening,
    )
    return Incoming(
        message_id=message_id(headers.get("message-id")),
        digest=_digest(top),
        sender=sender,
        name=name or None,
        recipients=recipients,
        subject=subject,
        date=date(headers.get("date")),
        references=_references(top),
        automatic=told.reason,
        bulk=told.bulk,
        bounced=failed(top, found.text, subject=subject, own=recipients) if report else (),
        authentication=headers.all("authentication-results"),
        # what a report carries along is our own letter: nobody ordered that
        blocks=() if report else found.blocks,
        problems=(*problems, *(() if report else found.problems)),
    )


def _sender(top: Part) -> tuple[str, str | None]:
    """Name and address; of two From fields that differ one is forged, so neither counts."""
    fields = top.headers.all("from")[:10]
    first = [next(iter(addresses((value,), most=2000)), ("", None)) for value in fields]
    return first[0] if first and len({address for _, address in first}) == 1 else ("", None)


def _opening(text: str) -> str:
    """The first lines that are not quoted."""
    own = (line for line in lines(text[:8000]) if not line.depth and not line.copied)
    return straight("\n".join(line.text for line in own if not line.divides)[:2000])


def _unread(content: bytes, why: str) -> Incoming:
    return Incoming(
        message_id=None,
        digest=sha256(content).hexdigest(),
        sender=None,
        problems=(problem(why),),
    )


def _too_big(start: bytes, size: int) -> Incoming:
    """Who wrote it, and whether a program did: enough to answer that it was not read."""
    top = header_of(start)
    if top is None:
        return replace(_unread(start, _TOO_BIG), too_big=size)
    found = _whole(top, Candidates(), (problem(_TOO_BIG),))
    fields = "\0".join(value for name in _KNOWN_BY for value in top.headers.all(name))
    known_by = sha256(fields.encode("utf-8", "surrogatepass")).hexdigest()
    return replace(found, digest=known_by, too_big=size)


def _digest(top: Part) -> str:
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


def _recipients(top: Part) -> tuple[str, ...]:
    found = addresses(tuple(value for name in _RECIPIENTS for value in top.headers.all(name)))
    return tuple(dict.fromkeys(one for _, one in found))[:_MOST_RECIPIENTS]


def _references(top: Part) -> tuple[str, ...]:
    """Oldest first, as References lists them."""
    chain = message_ids((*top.headers.all("references"), *top.headers.all("in-reply-to")))
    return tuple(dict.fromkeys(chain))[-100:]
