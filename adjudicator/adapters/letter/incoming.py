"""A letter as it came, bytes to value: everything about it, and nothing but it."""

from hashlib import sha256

from adjudicator.adapters.letter.candidates import candidates, problem
from adjudicator.adapters.letter.headers import addresses, date, message_id, message_ids, words
from adjudicator.adapters.letter.parts import Part, opened
from adjudicator.desk.mail import Incoming

MOST = 1024 * 1024
"""Bigger letters are refused unread."""
_RECIPIENTS = ("delivered-to", "x-original-to", "envelope-to", "to", "cc")
_MOST_RECIPIENTS = 200


def read(content: bytes) -> Incoming:
    """The letter; nothing that anybody may send raises."""
    if len(content) > MOST:
        return _unread(content, "the letter is bigger than 1 MB, which is more than is read")
    taken = opened(content)
    if taken is None:
        return _unread(content, "the letter's header is longer than 64 KB and was not read")
    headers = taken.top.headers
    found = candidates(taken.top)
    sender = next(iter(addresses(headers.all("from"), most=2000)), None)
    return Incoming(
        message_id=message_id(headers.get("message-id")),
        digest=_digest(taken.top),
        sender=sender[1] if sender else None,
        name=(sender[0] or None) if sender else None,
        recipients=_recipients(taken.top),
        subject=words(headers.get("subject")),
        date=date(headers.get("date")),
        references=_references(taken.top),
        authentication=headers.all("authentication-results"),
        blocks=found.blocks,
        problems=(*(problem(one) for one in taken.problems), *found.problems),
    )


def _unread(content: bytes, why: str) -> Incoming:
    return Incoming(
        message_id=None,
        digest=sha256(content).hexdigest(),
        sender=None,
        problems=(problem(why),),
    )


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
