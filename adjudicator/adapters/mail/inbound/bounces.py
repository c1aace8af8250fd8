"""Delivery reports: which letters came back (RFC 3464), also from servers that just write text.

flufl.bounce names the right addresses in 40 of our 70 reports, knows no language but English, and
needs the standard library's parser, which takes 20 seconds for 1 MB of empty lines.
"""

import re
from collections.abc import Iterator, Sequence

from adjudicator.adapters.mail.inbound.headers import Headers, split_header
from adjudicator.adapters.mail.inbound.parts import STATUS_TYPES, MailPart
from adjudicator.adapters.mail.inbound.phrases import BOUNCE_SUBJECT, BOUNCE_TEXT, ONLY_LATE

_ADDRESS = re.compile(
    r"[^\s@<>()\[\],;:\"'\\]{1,64}@[A-Za-z0-9\u0080-\uffff](?:[^\s@<>()\[\],;:\"'\\]{0,254})"
)
_LEADING = re.compile(
    r"[ \t>*\u2022-]{0,20}(?:to: ?|(?:\w{1,20} )?(?:recipient|address): {0,8})?[<(\"']{0,2}"
    r"(?=[^\s@]{1,64}@)",
    re.IGNORECASE,
)
_XTEXT = re.compile(r"\+([0-9A-F]{2})")
_DAEMON = re.compile(
    r"(?:mailer-?daemon|mail-?daemon|postmaster|microsoftexchange[0-9a-f]{0,40})@.{1,255}"
)
_ANSWER = re.compile(r"[^\W\d]{1,6}(?:\[\d\])? ?[:\uff1a]")
"""Re:, AW:, Odp: ... - so a person answers; servers write no such subjects."""
_COPY = re.compile(
    r"[-| ]{0,60}(?:below this line is a copy|this is a copy of|the header (?:of the original|and)"
    r"|original message|message (?:headers|text) follows?"
    r"|unsent message follows|diagnostic information"
    r"|the body of the message|included is a copy|forwarded message|undelivered message)"
    r"|(?:received|return-path|reporting-mta|x-original-to):",
    re.IGNORECASE,
)
_HELP = re.compile(
    "postmaster|mailer-daemon|helpdesk|support|contact|kontakt|assistance|message-id", re.IGNORECASE
)
_MOST = 200


def list_own_parts(top: MailPart) -> Iterator[MailPart]:
    """The leaves that belong to the letter itself, not to one it carries along."""
    waiting = [top]
    while waiting:
        part = waiting.pop(0)
        if not part.children:
            yield part
        elif part.kind.startswith("multipart/"):
            waiting = [*part.children, *waiting]


def is_delivery_report(
    top: MailPart, *, sender: str | None, subject: str, opening: str, orders: bool
) -> bool:
    """Whether a mail server tells what became of another letter."""
    if top.kind == "multipart/report" or top.headers.get("x-failed-recipients") is not None:
        return True
    if any(part.kind in STATUS_TYPES for part in list_own_parts(top)):
        return True
    from_server = bool(sender and _DAEMON.fullmatch(sender)) or top.headers.has_no_sender
    if orders and not from_server:
        return False
    named = BOUNCE_SUBJECT.search(subject.lower()) and (from_server or not _ANSWER.match(subject))
    return bool(named or BOUNCE_TEXT.search(opening.lower()))


def find_failed_addresses(
    top: MailPart, text: str, *, subject: str, own: Sequence[str]
) -> tuple[str, ...]:
    """The addresses that a report names as failed; `own` are those it went to itself."""
    statuses = [part for part in list_own_parts(top) if part.kind in STATUS_TYPES]
    if statuses:
        found = [one for part in statuses for one in _read_status(part)]
    elif top.headers.get("x-failed-recipients") is not None:
        fields = top.headers.all("x-failed-recipients")
        found = [one for value in fields for one in _ADDRESS.findall(value[:8000])]
    else:
        found = _search_text(text[:20_000], subject, own)
    return tuple(dict.fromkeys(one.lower().rstrip(".") for one in found))[:_MOST]


def _read_status(part: MailPart) -> Iterator[str]:
    """RFC 3464: a group of lines for the report, then one for each recipient."""
    for group in part.text.split("\n\n")[: _MOST + 1]:
        read = split_header(group.strip("\n").encode("utf-8", "replace"))
        if read is None or not _has_failed(read[0]):
            continue
        for name in ("final-recipient", "original-recipient"):
            _, _, address = (read[0].get(name) or "").partition(";")
            plain = _XTEXT.sub(lambda code: chr(int(code.group(1), 16)), address[:2000])
            yield from _ADDRESS.findall(plain if name.startswith("orig") else address[:2000])[:1]


def _has_failed(headers: Headers) -> bool:
    action = (headers.get("action") or "").strip().lower()
    status = (headers.get("status") or "").strip()
    return action.startswith("failed") or (not action and status.startswith("5"))


def _search_text(text: str, subject: str, own: Sequence[str]) -> list[str]:
    if ONLY_LATE.search(subject.lower()) or ONLY_LATE.search(text[:3000].lower()):
        return []
    told: list[str] = []
    for line in text.split("\n"):
        if _COPY.match(line[:200]) and told:
            break
        told.append(line[:1000])
    leading = [one for line in told if _LEADING.match(line) for one in _ADDRESS.findall(line)[:1]]
    anywhere = [one for line in told if not _HELP.search(line) for one in _ADDRESS.findall(line)]
    kept = [one for one in leading or anywhere if one.lower() not in own]
    return [one for one in kept if not _DAEMON.fullmatch(one.lower())][:20]
