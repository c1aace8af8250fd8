"""Requests in plain words, beside orders: a vote, days away, a question of one word."""

import re
from collections.abc import Iterator, Mapping
from datetime import date, timedelta

from adjudicator.core.document import Document

_VOTE = re.compile(r"(?:i )?vote(?: for)?(?: an?| the)? (draw|concede|none)", re.IGNORECASE)
_QUESTION = re.compile(
    r"(?:(?:show|send|give)(?: me)? )?(?:the |my )?(help|status|rules|map|example|words|players)",
    re.IGNORECASE,
)
_NUMBERED = re.compile(
    r"(?P<word>why|report)(?: event)? (?P<number>\d{1,3})"
    r"|(?:the )?rules? (?P<rule>[a-z]{1,4}-\d+[a-z]?)",
    re.IGNORECASE,
)
_WHO_PLAYS = re.compile(
    r"who (?:else )?(?:plays|is playing)(?: \w{1,20}| with (?:me|us))?", re.IGNORECASE
)
_TEXT_ONLY = re.compile(
    r"(?:(?:only )?plain text(?: only)?|text only|only text|no html)(?: letters| mails?)?",
    re.IGNORECASE,
)
_CLEAR = re.compile(
    r"(?:forget|withdraw|cancel|clear|take back|ignore|delete|drop)"
    r" (?:(?:all|the|my|of|earlier|last|previous) ?)+orders",
    re.IGNORECASE,
)
_ONLY_DUE = re.compile(
    r"(?:(?:can you |could you |i(?:'d| would) (?:like|prefer)(?: you)? to )?(?:only )?"
    r"(?:write|mail|e-?mail|send(?: me)?(?: letters| mails?| reports?)?|get(?: letters| mails?)?)"
    r"(?: (?:to )?me)?(?: letters| mails?| reports?)? )?only (?:when|if) (?:it(?:'s| is) my turn"
    r"|something is due(?: from me)?|i(?:'m| am) (?:due|on turn|up)"
    r"|i (?:have|need) to (?:do something|act|move|play))"
    r"|(?:only )?(?:write|mail|e-?mail)(?: to)? me (?:less|fewer mails?)|(?:fewer|less) mails?",
    re.IGNORECASE,
)
_RESIGN = re.compile(
    r"(?:i\b ?)?(?:(?:'m going to|am going to|'m|am|have to|must|need to|want to|'d like to"
    r"|would like to|'ll|will) )?"
    r"(?:resign(?:ing)?|quit(?:ting)?|give up|giving up|drop(?:ping)? out|stop(?:ping)? playing"
    r"|leav(?:e|ing) (?:the |this )?game)(?: (?:from |of )?(?:the |this )?game| now)?"
    r"|(?:remove|drop|take) me (?:from|out of) (?:the |this )?game",
    re.IGNORECASE,
)
_REASON = re.compile(
    r"^(?:(?:i'?m )?(?:very |so )?sorry|unfortunately|sadly)\b(?: (?:that|but))?[,.!: ]+"
    r"|[,.;:]*\s+(?:(?:i'?m )?(?:very |so )?sorry|because|due to|as i|since i|for (?:personal"
    r"|family))\b.*$",
    re.IGNORECASE,
)
"""Why somebody leaves, and that they are sorry."""
_SPANS = re.compile(
    r"(?:i(?:'m| am|'ll be| will be) |be )?(?:absent|away|gone|out|on (?:holiday|vacation|leave))"
    r"[:,]? (?:(?:for |all )?(?P<span>(?:the )?(?:whole )?(?:today|tomorrow|(?:this|next)"
    r" (?:week(?:end)?)))|for (?:the next )?(?P<count>\d{1,2}|an?|one|two|three|four)"
    r" (?P<unit>days?|weeks?)|(?:until|till) (?P<last>[^.!?]{3,30}))",
    re.IGNORECASE,
)
_COUNTS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4}
_AWAY = re.compile(
    r"(?:i(?:'m| am|'ll be| will be) )?(?:absent|away|gone|out|on (?:holiday|vacation|leave))"
    r"[:,]?(?: from| between)? (?P<span>[^.!?]{3,60}|[0-9. \u2013-]{8,40})",
    re.IGNORECASE,
)
_TO = re.compile(
    r"\s*(?:\b(?:to|until|till|through|and)\b|\u2013|(?<=\D)-|-(?=\D)"
    r"|-(?=\d{1,2}(?:st|nd|rd|th)? [a-z]{3,9}$))\s*",
    re.IGNORECASE,
)
_ENDS = re.compile(
    r"^(?:[\s,(]|please\b)+|[\s.!,]*(?:please|thanks|thank you)?[\s.!)]*$", re.IGNORECASE
)
_ISO = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_DOTTED = re.compile(r"(?P<day>\d{1,2})\.\s?(?P<month>\d{1,2})\.?(?:\s?(?P<year>\d{4}))?")
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th|\.)?"
_MONTH = r"(?P<month>[a-z]{3,9})\.?"
_YEAR = r"(?:,? (?P<year>\d{4}))?"
_NAMED = (
    re.compile(rf"(?:the )?{_DAY}(?: of)? {_MONTH}{_YEAR}", re.IGNORECASE),
    re.compile(rf"{_MONTH} (?:the )?{_DAY}{_YEAR}", re.IGNORECASE),
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


def find_request(text: str, today: date) -> Document | None:
    """Find the request that a sentence makes, as a letter writes it; None for other words."""
    words = _ENDS.sub("", text)
    if vote := _VOTE.fullmatch(words):
        return {"vote": vote[1].lower()}
    if question := _find_question(words.rstrip("? ")):
        return {"ask": question}
    if _CLEAR.fullmatch(words):
        return {"clear": "yes"}
    if _ONLY_DUE.fullmatch(words):
        return {"prefer": {"mails": "due"}}
    if _TEXT_ONLY.fullmatch(words):
        return {"prefer": {"format": "text"}}
    away = _AWAY.fullmatch(words)
    days = _find_days(away["span"], today) if away else None
    return {"absent": days} if days else None


def _find_question(words: str) -> str | None:
    """Find what a player asks in a word, or with the number of a rule, an event or a report."""
    if question := _QUESTION.fullmatch(words):
        return question[1].lower()
    if numbered := _NUMBERED.fullmatch(words):
        name, number = numbered["word"], numbered["number"]
        return f"{name} {number}" if name else f"rules {numbered['rule'].upper()}"
    return "players" if _WHO_PLAYS.fullmatch(words) else None


def guess_request(text: str, today: date) -> Document | None:
    """Guess a request that is asked back: to leave the game, or days that are not named."""
    words = _ENDS.sub("", text)
    if _RESIGN.fullmatch(_REASON.sub("", _REASON.sub("", words))):
        return {"resign": "yes"}
    away = _SPANS.fullmatch(words)
    days = _count_days(away.groupdict(), today) if away else None
    return {"absent": {"from": days[0].isoformat(), "until": days[1].isoformat()}} if days else None


def _count_days(parts: Mapping[str, str | None], today: date) -> tuple[date, date] | None:
    """Count the days of a week, a weekend or a number of days as people name them."""
    monday = today - timedelta(days=today.weekday())
    span, count, last = (str(parts[key] or "").lower() for key in ("span", "count", "last"))
    if last:
        end = next(_read_day(last, today), None)
        return (today, end) if end is not None and end >= today else None
    if count:
        number = _COUNTS.get(count) or int(count)
        days = number * (7 if str(parts["unit"]).lower().startswith("week") else 1)
        return (today, today + timedelta(days=days - 1)) if days else None
    if "today" in span or "tomorrow" in span:
        day = today + timedelta(days="tomorrow" in span)
        return day, day
    first = monday + timedelta(days=5 * ("weekend" in span) + 7 * ("next" in span))
    return max(first, today), monday + timedelta(days=6 + 7 * ("next" in span))


def _find_days(span: str, today: date) -> Document | None:
    """Find the first and the last day; without a year they are the next such days."""
    ends = [one for one in _TO.split(span.strip()) if one]
    if len(ends) != 2:
        return None
    if ends[0].isdigit():  # 24-31 December
        ends[0] = re.sub(r"\d{1,2}", ends[0], ends[1], count=1)
    first, last = (next(_read_day(one, today), None) for one in ends)
    if first is None or last is None:
        return None
    if last < first and not re.search(r"\d{4}", ends[1]):
        last = _move_years(last, 1)
    return {"from": first.isoformat(), "until": last.isoformat()}


def _read_day(text: str, today: date) -> Iterator[date]:
    iso = _ISO.fullmatch(text)
    if iso is not None:
        yield from _make_day(int(iso[1]), int(iso[2]), int(iso[3]))
    for pattern in (_DOTTED, *_NAMED):
        match = pattern.fullmatch(text)
        if match is None:
            continue
        month = match["month"].lower()
        number = int(month) if month.isdigit() else _find_month(month)
        days = list(_make_day(int(match["year"] or today.year), number, int(match["day"])))
        past = days and not match["year"] and days[0] < today - timedelta(days=1)
        yield from [_move_years(days[0], 1)] if past else days


def _find_month(name: str) -> int:
    """Find a month's number by its name or its first letters; 0 for another word."""
    return _MONTHS.index(name[:3]) + 1 if name[:3] in _MONTHS else 0


def _make_day(year: int, month: int, day: int) -> Iterator[date]:
    try:
        yield date(year, month, day)
    except ValueError:
        return


def _move_years(day: date, years: int) -> date:
    return next(_make_day(day.year + years, day.month, day.day), day + timedelta(days=366))
