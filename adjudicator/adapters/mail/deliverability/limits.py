"""What a refusal says about limits: too many letters are no fault of the letter or its reader.

Providers say so with all sorts of codes (tests/adapters/postman/limits.yaml has theirs), so
that the words decide, and the code only where they leave it open.
"""

import re

from msgspec import Struct

_HOUR = 3600
_SHORT, _LONG = 5 * 60, _HOUR
"""Seconds to wait where nothing is said: for a rate that was too high, for a quota of a day."""
_LEAST, _MOST = 30, 2 * _HOUR
"""However long it says: one letter as a trial does no harm."""
_HINT = re.compile(
    r"\b(?:in|after|for|within|wait)\W{0,3}(?:about |at least )?(\d{1,5})\W?"
    r"(s(?:ec(?:ond)?s?)?|m(?:in(?:ute)?s?)?|h(?:ours?|rs?)?)?\b"
)
_NEVER = 500
_UNITS = {"s": 1, "m": 60, "h": _HOUR}
_READER = re.compile(
    r"gr[ae]y-?list|over ?quota|mailbox|account that you tried|receiving (?:mail|too)"
    r"|too many (?:recipients|invalid|errors|unknown|bad|hops)"
    r"|recipient(?:'s)? (?:thread|has exceeded|is receiving)|stor(?:e|age) (?:drv\.deliver|alloc)"
    r"|storedrv\.deliver|message (?:header )?size|too (?:big|large|long)\b|\bhop"
)
"""One reader's mailbox is slow or full, or the letter itself is at fault."""
_CONTENT = re.compile(r"spam|virus|malware|score|content")
"""What a letter holds is refused for good; servers that defer a flood speak of spam, too."""
_DAILY = re.compile(
    r"(?:dai?ly|\b(?:per|a|in one) day\b|24.?h(?:our)?).{0,60}(?:limit|quota|exceed|allow|reached)"
    r"|(?:limit|quota|exceed|allow|reached|only \d+ \w+).{0,60}(?:daily|\b(?:per|a) day\b|24.?h)"
    r"|(?:sending|send|submission|message|outbound|mail)[ -]?(?:quota|limit)\w* ?(?:is |was |has )?"
    r"(?:been )?(?:exceeded|reached)|submissionquotaexceeded|exceeded (?:your|its|the) \w* ?quota"
)
_RATE = re.compile(
    r"throttl|rate.?limit|(?:rate|limit) (?:has been |is |was |have been )?(?:exceeded|reached)"
    r"|(?:exceed|reach)\w* .{0,40}\b(?:limit|rate|threshold)|unusual rate|slow(?:ing)? (?:it )?down"
    r"|too (?:many|much) .{0,40}\b(?:messages?|e?-?mails?|letters?|connections?|logins?|requests?"
    r"|submissions?|sessions?|traffic|commands?)|too (?:fast|quickly|frequent)"
    r"|temporarily deferred|concurrent connection|server busy"
)


class ServerLimit(Struct, frozen=True):
    """What a server wants of whoever sends more than it takes."""

    wait: int = 0
    """Seconds until the next attempt, if it matters; 0 where nothing is said."""
    for_all: bool = False
    """Other letters would be refused for the same reason."""


def read_limit(code: int, message: str) -> ServerLimit:
    """Read whether a refusal is one because too much was sent, and how long to wait."""
    words = " ".join(message.lower().split())[:1000]
    hint = _read_hint(words)
    of_reader = _READER.search(words) or (code >= _NEVER and _CONTENT.search(words))
    for pattern, wait in ((_DAILY, _LONG), (_RATE, _SHORT)):
        if not of_reader and pattern.search(words):
            return ServerLimit(hint or wait, for_all=True)
    return ServerLimit(hint if code < _NEVER else 0)


def _read_hint(words: str) -> int:
    """Read `try again in 5 minutes`, in seconds; a bare number is one of seconds."""
    match = _HINT.search(words)
    if match is None:
        return 0
    seconds = int(match[1]) * _UNITS[(match[2] or "s")[0]]
    return min(max(seconds, _LEAST), _MOST) if seconds else 0
