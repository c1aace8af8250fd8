"""Finding order blocks in the lines of a text: fenced, plain, and the same in quotations."""

import re
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.adapters.letter import mend
from adjudicator.adapters.letter.quoting import Line
from adjudicator.core.complaints import shortened

MOST = 20
"""More blocks are not read in one letter."""
_LONGEST = 70 * 1024
"""A little more than YAML may have, so that the parser says that it is too long."""

_FENCE = re.compile(r" {0,3}(`{3,40}|~{3,40})([^`~]{0,60})$")
_OPENER = re.compile(
    r"([ ]{0,60})[*_]{0,2}\"?(game|join|ask|gm)\"?[*_]{0,2} {0,3}[:\uff1a\ufe55\ufe13]",
    re.IGNORECASE,
)
_KEY = re.compile(r"(\"?[^\W\d]\w{0,30}(?:[ -]\w{1,20}){0,2}\"?) {0,3}:(?= |$)")
_TIGHT = re.compile(r"([A-Za-z_][A-Za-z0-9_]{0,30}):(?=[^\s:/])")
_ENTRY = re.compile(r"-(?= |$)")
_TIGHT_ENTRY = re.compile(r"-(?=[A-Za-z0-9\"'{\[])")
END = re.compile(r"[ ]{0,60}#? {0,3}end of orders\b.{0,20}", re.IGNORECASE)
_SIGNATURE = re.compile(r"-{2,3} ?|_{2,90}|-{4,90}|={4,90}|\*{4,90}")
_WRAPPED_AT = 60
"""A line that would have got longer than this with the next word was probably wrapped."""


class Found(Struct, frozen=True):
    """A candidate, not yet understood."""

    kind: str
    """attachment | fenced | text"""
    quoted: bool
    source: str
    stopped: str | None = None
    lost: bool = False
    """The form went on behind the place where reading stopped."""


def find(lines: Sequence[Line]) -> list[Found]:
    """The candidates of a text in the order of its lines."""
    found: list[Found] = []
    at = 0
    while at < len(lines) and len(found) <= MOST:
        if _FENCE.match(lines[at].text[:200]):
            one, onward = _fenced(lines, at)
            if one is None:
                at = onward
                continue
        elif _OPENER.match(lines[at].text[:200]):
            one, onward = _plain(lines, at)
        else:
            at += 1
            continue
        found.append(one)
        at = max(onward, at + 1)
    return found


def _quoted(line: Line) -> bool:
    return line.copied or bool(line.depth)


def _fenced(lines: Sequence[Line], start: int) -> tuple[Found | None, int]:
    """The block between two fences, and where to go on; None when it holds no keys."""
    fence = _FENCE.match(lines[start].text[:200])
    assert fence is not None
    depth = lines[start].depth
    body: list[Line] = []
    for number in range(start + 1, len(lines)):
        line = lines[number]
        if line.depth == depth and _closes(line.text, fence.group(1)):
            found = _found_in(body, fence.group(2).strip(), quoted=_quoted(lines[start]))
            return found, number + 1
        if line.depth > depth or line.divides:
            break
        body.append(line)
    # never closed: read what follows as if it stood in the text
    opener = next((n for n, line in enumerate(body) if line.text.strip()), None)
    if opener is None or not _OPENER.match(body[opener].text[:200]):
        return None, start + 1
    found, onward = _plain(lines, start + 1 + opener)
    return replace(found, kind="fenced"), onward


def _closes(text: str, fence: str) -> bool:
    bare = text.strip()
    return len(bare) >= len(fence) and not bare.strip(fence[0])


def _found_in(body: Sequence[Line], language: str, *, quoted: bool) -> Found | None:
    kept: list[str] = []
    for line in body:
        if END.fullmatch(line.text[:100]):
            break
        kept.append(mend.line(line.text))
    keyed = any(_OPENER.match(text[:200]) for text in kept)
    if not keyed and not any(_KEY.match(text[:200].lstrip()) for text in kept):
        return None
    if not keyed and language.lower() not in ("", "yaml", "yml", "text", "orders"):
        return None  # somebody's program, or something else in a fence
    first = next((text for text in kept if text.strip()), "")
    base = _indent(first)
    return Found("fenced", quoted, "\n".join(_tidied(text, base)[0] for text in kept))


def _plain(lines: Sequence[Line], start: int) -> tuple[Found, int]:
    """The block that begins with this line, and where to go on."""
    gatherer = _Gatherer(lines[start])
    number = start
    size = 0
    while number < len(lines):
        line = lines[number]
        after = lines[number + 1] if number + 1 < len(lines) else None
        if not gatherer.take(line, after):
            break
        size += len(line.text) + 1
        number += 1
        if size > _LONGEST:
            break
    stopped, lost = None, False
    if gatherer.stopped_at is not None:
        stopped = f'reading stopped before "{shortened(gatherer.stopped_at)}"'
        lost = _goes_on(lines, number + 1, lines[start].depth)
        if gatherer.at_end_mark:
            stopped = None
    found = Found("text", _quoted(lines[start]), gatherer.source(), stopped, lost)
    return found, max(number, start + 1)


def _goes_on(lines: Sequence[Line], start: int, depth: int) -> bool:
    """Whether the end of the form comes below, so that a part of it was not read."""
    for line in lines[start : start + 200]:
        if line.depth == depth and END.fullmatch(line.text[:100]):
            return True
        if _OPENER.match(line.text[:200]):
            return False
    return False


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip(" "))


def _tidied(text: str, base: int) -> tuple[str, int]:
    """The line moved to the left by as much as the block is indented; its indentation."""
    indent = _indent(text)
    moved = text[min(indent, base) :]
    indent = max(indent - base, 0)
    if indent == 0:
        moved = _TIGHT.sub(r"\1: ", moved, count=1) if _TIGHT.match(moved) else moved
        moved = "- " + moved[1:] if _TIGHT_ENTRY.match(moved) else moved
    return moved, indent


class _Gatherer:
    """Takes lines as long as they can belong to the mapping that has begun."""

    def __init__(self, first: Line) -> None:
        opener = _OPENER.match(first.text[:200])
        self._base = len(opener.group(1)) if opener else 0
        self._depth = first.depth
        self._kept: list[str] = []
        self._seen: set[str] = set()
        self._brackets = _Brackets()
        self._literal = False
        """A text of several lines is being written (| or >)."""
        self.stopped_at: str | None = None
        """The line that could not go on with the block."""
        self.at_end_mark = False

    def source(self) -> str:
        return "\n".join(self._kept).rstrip() + "\n"

    def take(self, line: Line, after: Line | None) -> bool:
        """Add the line; False when the block has ended before it."""
        raw = line.text
        if not raw.strip():
            self._kept.append("")
            return True
        if self._ended(line, after):
            return False
        own = self._base if line.depth == self._depth else 0
        text, indent = _tidied(mend.line(raw), own)
        if self._brackets.open or (indent and self._kept):
            return self._keep(text, indent)
        if self._again(text):
            return False
        if text.startswith("#") or _ENTRY.match(text) or _KEY.match(text[:120]):
            return self._keep(text, 0)
        if self._was_wrapped(text, line):
            self._join(text)
            return True
        if not (after is not None and after.divides):
            self.stopped_at = raw
        return False

    def _ended(self, line: Line, after: Line | None) -> bool:
        """At the end mark, a signature, a fence, a deeper quotation, a letter copied below."""
        bare = line.text.strip()
        if END.fullmatch(bare[:100]):
            self.at_end_mark = True
            return True
        if line.depth > self._depth or (line.divides and not self._literal):
            return True
        if bare == "-" and not (after and _indent(after.text) > _indent(line.text)):
            return True  # two dashes above a signature, which a telephone made one long one
        if bare == "..." or _SIGNATURE.fullmatch(bare[:100]):
            return True
        return bool(_FENCE.match(line.text[:200]))

    def _again(self, text: str) -> bool:
        """Whether a key that begins blocks comes a second time: the next block."""
        opener = _OPENER.match(text[:200])
        if opener is None:
            return False
        key = opener.group(2).lower()
        if key in self._seen:
            return True
        self._seen.add(key)
        return False

    def _keep(self, text: str, indent: int) -> bool:
        if not self._brackets.open and not indent:
            self._literal = False
        if not self._literal:
            self._brackets.read(text)
            self._literal = not self._brackets.open and bool(_LITERAL.search(text[-60:]))
        self._kept.append(text)
        return True

    def _was_wrapped(self, text: str, line: Line) -> bool:
        before = self._kept[-1] if self._kept else ""
        room = _WRAPPED_AT - 3 * self._depth
        word = text.split(" ", 1)[0]
        return bool(before) and not line.divides and len(before) + 1 + len(word) > room

    def _join(self, text: str) -> None:
        self._kept[-1] += " " + text
        if not self._kept[-1].lstrip().startswith("#") and not self._literal:
            self._brackets.read(text)


_LITERAL = re.compile(r"(?:: |- |^)[|>][+-]?\d?[+-]?$")


class _Brackets:
    """How many brackets are open, as far as YAML reads them as such."""

    def __init__(self) -> None:
        self.open = 0

    def read(self, text: str) -> None:
        """Count those of a line."""
        if not self.open:
            start = _VALUE.match(text[:200])
            if start is None:
                return
            text = text[start.end() - 1 :]
        quote = before = ""
        for sign in text:
            if quote:
                quote = "" if sign == quote else quote
            elif sign in "\"'" and before in _AHEAD:
                quote = sign
            elif sign == "#" and before == " ":
                return
            elif sign in "[{":
                self.open += 1
            elif sign in "]}":
                self.open = max(self.open - 1, 0)
            if sign != " " or before not in _AHEAD:
                before = sign


_VALUE = re.compile(r" {0,60}(?:- {1,4}){0,4}(?:\"?[\w -]{1,60}\"?: {1,4}){0,2}[\[{]")
_AHEAD = ("", ",", "[", "{", ":", " ")
