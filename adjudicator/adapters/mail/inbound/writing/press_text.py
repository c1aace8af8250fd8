"""Messages in a form, written as people write: commas, colons, brackets and # are text in them.

What stands under `press:` is found by its own shape and put back as JSON, which YAML reads without
a second thought. Whatever has no such shape is left as it is.
"""

import json
import re
from collections.abc import Sequence
from typing import Any

from adjudicator.adapters.mail.inbound.text import straighten_quotes

_PRESS = re.compile(r"press[ \t]*:[ \t]*(.*)", re.IGNORECASE)
_KEY = re.compile(r"\"?[A-Za-z][\w-]*(?:[ -]\w+){0,2}\"?[ \t]*:(?=[ \t]|$)")
_FIELD = re.compile(r"[\s,]*[\"']?(to|as|text)[\"']?\s*:\s*", re.IGNORECASE)
_LIST = re.compile(r"\[([^\]]{0,300})\]")
_WORD = re.compile(r"[^,\n{}]{1,200}")
_LAST = re.compile(
    r",\s*[\"']?(?:(to)[\"']?\s*:\s*(\[[^\]]{0,300}\]|[\w -]{1,60})"
    r"|(as)[\"']?\s*:\s*[\"']?(anonymous)[\"']?)\s*$",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"\}\s*,\s*(?=\{\s*[\"']?(?:to|as|text)\b)", re.IGNORECASE)
_SEAT = re.compile(r"[\"']?([A-Za-z][\w-]{0,30}(?:,? [\w-]{1,30}){0,7})[\"']?\s*:\s+(?=\S)")
_SPARED = re.compile("[^\x20-\x7e\U00010000-\U0010ffff]")
_CURLY = "\u201c\u201d\u201e\u201f\u2018\u2019\u201a\u201b\u00ab\u00bb"
_CLOSERS = {"[": "]", "{": "}"}


def is_press(line: str) -> bool:
    """Whether messages begin on this line."""
    return _PRESS.fullmatch(line) is not None


def measure_press(lines: Sequence[str], start: int) -> int | None:
    """Count the lines that messages in brackets take, from the line of their key; None: no end.

    A bracket closes them where a line ends with it and the form, or nothing, goes on below.
    """
    match = _PRESS.fullmatch(lines[start])
    closer = _CLOSERS.get(match[1][:1]) if match else None
    if closer is None:
        return None
    for at in range(start, len(lines)):
        if lines[at].rstrip().endswith(closer):
            below = next((one for one in lines[at + 1 :] if one.strip()), "")
            if not below or below.lstrip().startswith("#") or _KEY.match(below):
                return at + 1 - start
    return None


def quote_press(source: str) -> str:
    """Quote the messages of a form, so that YAML takes every sign in them for text."""
    lines = source.split("\n")
    start = next((at for at, line in enumerate(lines) if _PRESS.fullmatch(line)), None)
    if start is None:
        return source
    first = _PRESS.fullmatch(lines[start])
    rest = first[1].strip() if first else ""
    length = measure_press(lines, start) if rest[:1] in _CLOSERS else _measure_list(lines, start)
    if length is None or (rest and rest[:1] not in _CLOSERS):
        return source
    body = [rest, *lines[start + 1 : start + length]]
    value = _read_flow(_fold(body)) if rest else _read_list(body[1:])
    if value is None:
        return source
    quotation = _SPARED.sub(_escape, json.dumps(value, ensure_ascii=False))
    return "\n".join(
        [*lines[:start], f"press: {quotation}", *["#"] * (length - 1), *lines[start + length :]]
    )


def _escape(sign: "re.Match[str]") -> str:
    return f"\\u{ord(sign.group()):04x}"


def _measure_list(lines: Sequence[str], start: int) -> int:
    """Count the lines of messages that are listed below their key."""
    at = start + 1
    while at < len(lines) and not (_KEY.match(lines[at]) or lines[at].startswith("#")):
        at += 1
    while at > start + 1 and not lines[at - 1].strip():
        at -= 1
    return at - start


def _fold(lines: Sequence[str]) -> str:
    """Join the lines of a text as YAML does: an empty line is a line break."""
    text = " ".join(line.strip() or "\n" for line in lines)
    return re.sub(r" *\n[ \n]*", "\n", text).strip()


def _read_flow(body: str) -> Any:
    """Read [{to: blue, text: Hi}, …], one message, or {blue: Hi}."""
    is_list = body[:1] == "["
    inside = body[1:-1].strip() if is_list else body
    if is_list and not inside.startswith("{"):
        inside = f"{{{inside}}}"
    if not (inside.startswith("{") and inside.endswith("}")):
        return None
    entries = [_read_entry(one.strip().removeprefix("{")) for one in _BETWEEN.split(inside[1:-1])]
    if all(entries):
        return entries
    return None if is_list else _read_seats(inside[1:-1].strip())


def _read_entry(body: str) -> dict[str, Any] | None:
    """Read one message: to, as and text in any order; the text goes to the end."""
    fields: dict[str, Any] = {}
    at = 0
    while field := _FIELD.match(body, at):
        key, at = field[1].lower(), field.end()
        if key in fields:
            return None
        if key == "text":
            text = body[at:].strip()
            while (last := _LAST.search(text)) and (last[1] or last[3]).lower() not in fields:
                fields[(last[1] or last[3]).lower()] = _read_word((last[2] or last[4]).strip())
                text = text[: last.start()].rstrip()
            fields[key] = _unquote(text)
            return None if fields[key] is None else fields
        value = _LIST.match(body, at) or _WORD.match(body, at)
        if value is None:
            return None
        fields[key], at = _read_word(value.group().strip()), value.end()
    return None


def _read_word(text: str) -> Any:
    if text.startswith("["):
        return [one.strip(" \"'") for one in text[1:-1].split(",") if one.strip(" \"'")]
    return text.strip(" \"'")


def _read_seats(body: str) -> dict[str, Any] | None:
    """Read {blue: Hi, green: Hello}; where the next message begins, only names of seats show."""
    first = _SEAT.match(body)
    if first is None:
        return None
    text = _unquote(body[first.end() :].strip())
    return None if text is None else {first[1]: text}


def _unquote(text: str) -> str | None:
    """Take the quotation marks away that stand around a whole text; None for YAML's own blocks."""
    if len(text) > 1 and text[0] in _CURLY and text[-1] in _CURLY:
        text = straighten_quotes(text)  # a program has bent the quotation marks of the form
    if text[:1] in ("|", ">") and (len(text) < 2 or text[1] in "\n-+ "):
        return None
    if len(text) < 2 or text[0] != text[-1] or text[0] not in "\"'":
        return text
    inside = text[1:-1]
    if text[0] == "'":
        return inside.replace("''", "'") if "'" not in inside.replace("''", "") else text
    if '"' in inside.replace('\\"', ""):
        return text
    try:
        return str(json.loads(text.replace("\n", "\\n").replace("\t", " ")))
    except ValueError:
        return inside


def _read_list(lines: Sequence[str]) -> Any:
    """Read messages in lines: a dash for each, or a seat and its text."""
    full_lines = [line for line in lines if line.strip()]
    if not full_lines:
        return None
    if full_lines[0].lstrip().startswith("- "):
        return _read_dashed(lines)
    seats: dict[str, list[str]] = {}
    base = len(full_lines[0]) - len(full_lines[0].lstrip())
    current: list[str] = []
    for line in lines:
        match = _SEAT.match(line.strip()) if len(line) - len(line.lstrip()) == base else None
        if match is not None:
            current = seats.setdefault(match[1], [])
            current.append(line.strip()[match.end() :])
        else:
            current.append(line)
    read = {to: _unquote(_fold(text)) for to, text in seats.items()}
    return read if read and None not in read.values() else None


def _read_dashed(lines: Sequence[str]) -> Any:
    base = len(lines[0]) - len(lines[0].lstrip()) if lines[0].strip() else 0
    entries: list[list[str]] = []
    for line in lines:
        indent = len(line) - len(line.lstrip())
        if line.lstrip().startswith("- ") and indent <= base:
            entries.append([line.lstrip()[2:]])
        elif entries:
            entries[-1].append(line)
    read = []
    for entry in entries:
        body = _fold_fields(entry)
        if body.startswith("{") and body.endswith("}"):
            body = body[1:-1]
        read.append(_read_entry(body))
    return read if all(read) else None


def _fold_fields(lines: Sequence[str]) -> str:
    """Join an entry's lines; a line that begins with a field of its own is not part of a text."""
    parts: list[str] = []
    for line in lines:
        field = _FIELD.match(line.strip())
        if field and parts:
            parts.append(f"\0{line.strip()}")
        else:
            parts.append(line)
    fields = _fold(parts).split("\0")
    ordered = sorted(
        (one.strip() for one in fields), key=lambda one: one.lower().startswith("text")
    )
    return ", ".join(ordered)
