"""Finding order blocks in the lines of a text: fenced, plain, and the same in quotations."""

import re
from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.adapters.mail.inbound.text import (
    MOST_LINES,
    QuotedLine,
    measure_indent,
    mend_line,
)
from adjudicator.core.forms.fault_messages import shorten

MAX_BLOCKS = 20
"""More blocks are not read in one letter."""
_SEEN = 3 * MAX_BLOCKS
"""Among so many those are looked for that hold a key: a quoted guide is full of examples."""
_LONGEST = 70 * 1024
"""A little more than YAML may have, so that the parser says that it is too long."""

_FENCE = re.compile(r" {0,3}(`{3,40}|~{3,40})([^`~]{0,60})$")
_OPENER = re.compile(
    r"([ ]{0,60})[*_]{0,2}\"?(game|join|ask|gm)\"?[*_]{0,2} {0,3}[:\uff1a\ufe55\ufe13]",
    re.IGNORECASE,
)
_PROVEN = re.compile(r"^[ \"]{0,60}key\"? {0,3}:", re.IGNORECASE | re.MULTILINE)
_KEY = re.compile(r"(\"?[^\W\d]\w{0,30}(?:[ -]\w{1,20}){0,2}\"?) {0,3}:(?= |$)")
_TIGHT = re.compile(r"([A-Za-z_][A-Za-z0-9_]{0,30}):(?=[^\s:/])")
_ENTRY = re.compile(r"-(?= |$)")
_TIGHT_ENTRY = re.compile(r"-(?=[A-Za-z0-9\"'{\[])")
END_OF_ORDERS = re.compile(r"[ ]{0,60}#? {0,3}end of orders\b.{0,20}", re.IGNORECASE)
_SIGNATURE = re.compile(r"-{2,3} ?|_{2,90}|-{4,90}|={4,90}|\*{4,90}")
_WRAPPED_AT = 60
"""A line that would have got longer than this with the next word was probably wrapped."""


class FoundBlock(Struct, frozen=True):
    """A candidate, not yet understood."""

    kind: str
    """attachment | fenced | text"""
    quoted: bool
    source: str
    stopped: str | None = None
    lost: bool = False
    """The form went on behind the place where reading stopped."""


def find_blocks(lines: Sequence[QuotedLine]) -> list[FoundBlock]:
    """Find the blocks of a text in the order of its lines; of too many, prefer those with a key."""
    found: list[FoundBlock] = []
    fences = _Fences(lines)
    at = 0
    while at < len(lines) and len(found) < _SEEN:
        one: FoundBlock | None = None
        onward = at + 1
        if _FENCE.match(lines[at].text[:200]):
            one, onward = fences.at(at)
        elif _OPENER.match(lines[at].text[:200]):
            one, onward = _gather_block(lines, at)
        if one is not None:
            found.append(one)
        at = onward
    return found if len(found) <= MAX_BLOCKS else _prefer_keyed(found)


def _prefer_keyed(found: Sequence[FoundBlock]) -> list[FoundBlock]:
    """Keep as many blocks as are read, preferring a key, then add one that is not read."""
    keyless = {at: not _PROVEN.search(one.source) for at, one in enumerate(found)}
    ranked = sorted(keyless, key=lambda at: (keyless[at], at))
    return [found[at] for at in (*sorted(ranked[:MAX_BLOCKS]), ranked[MAX_BLOCKS])]


def _is_quoted(line: QuotedLine) -> bool:
    return line.copied or bool(line.depth)


class _Fences:
    """Reads what stands between fences, and does not look for ends for ever."""

    def __init__(self, lines: Sequence[QuotedLine]) -> None:
        self._lines = lines
        self._left = 5 * MOST_LINES

    def at(self, start: int) -> tuple[FoundBlock | None, int]:
        """Read the block in the fence that opens here, and the next line; None without keys."""
        lines = self._lines
        fence = _FENCE.match(lines[start].text[:200])
        assert fence is not None
        end = self._find_fence_end(start, fence.group(1))
        if end is not None:
            body = lines[start + 1 : end]
            found = _find_in_fence(body, fence.group(2).strip(), quoted=_is_quoted(lines[start]))
            return found, end + 1
        # never closed: read what follows as if there were no fence
        first = lines[start + 1 : start + 4]
        opener = next((n for n, line in enumerate(first, start + 1) if line.text.strip()), start)
        if opener == start or not _OPENER.match(lines[opener].text[:200]):
            return None, start + 1
        plain, onward = _gather_block(lines, opener)
        return replace(plain, kind="fenced"), onward

    def _find_fence_end(self, start: int, fence: str) -> int | None:
        depth = self._lines[start].depth
        for number in range(start + 1, len(self._lines)):
            line = self._lines[number]
            self._left -= 1
            if line.depth > depth or line.divides or self._left < 0:
                return None
            if line.depth == depth and _closes_fence(line.text, fence):
                return number
        return None


def _closes_fence(text: str, fence: str) -> bool:
    bare = text.strip()
    return len(bare) >= len(fence) and not bare.strip(fence[0])


def _find_in_fence(body: Sequence[QuotedLine], language: str, *, quoted: bool) -> FoundBlock | None:
    """Find a block in a fence, if any."""
    opener = next((n for n, line in enumerate(body) if _OPENER.match(line.text[:200])), None)
    keyed = next((n for n, line in enumerate(body) if _may_begin(line.text)), None)
    if keyed is None:
        return None
    if opener is None and language.lower() not in ("", "yaml", "yml", "text", "orders"):
        return None  # somebody's program, or something else in a fence
    start = next(n for n, line in enumerate(body) if line.text.strip())
    if opener is not None and start < keyed:
        found, _ = _gather_block(body, opener)  # there is a whole letter in the fence
        return replace(found, kind="fenced", quoted=quoted)
    return FoundBlock("fenced", quoted, _join_lines(line.text for line in body))


def read_attached_block(text: str, *, quoted: bool) -> FoundBlock:
    """Read a block that is a file of its own."""
    return FoundBlock("attachment", quoted, _join_lines(text[:_LONGEST].split("\n")))


def _may_begin(text: str) -> bool:
    """Whether a block may begin with this line."""
    bare = mend_line(text[:200]).lstrip()
    return bare[:1] == "#" or bare == "---" or bool(_KEY.match(bare) or _OPENER.match(bare))


def _join_lines(lines: Iterable[str]) -> str:
    """Join all lines up to the end mark, without their indentation."""
    kept: list[str] = []
    for text in lines:
        if END_OF_ORDERS.fullmatch(text[:100]):
            break
        kept.append(mend_line(text))
    base = measure_indent(next((text for text in kept if text.strip()), ""))
    return "\n".join(_drop_doubled([_unindent(text, base)[0] for text in kept]))


def _drop_doubled(kept: list[str]) -> list[str]:
    """Drop the empty lines that a program has put after every line."""
    empty = [not text for text in kept]
    doubled = len(kept) > 4 and all(empty[1::2]) and not any(empty[:-1:2])
    return kept[::2] if doubled else kept


def _gather_block(lines: Sequence[QuotedLine], start: int) -> tuple[FoundBlock, int]:
    """Gather the block that begins with this line, and return the next line."""
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
    stopped = None
    before, quoted = gatherer.stopped_at, gatherer.quoted_at
    lost = (before or quoted) is not None and _continues_below(
        lines, number + 1, lines[start].depth
    )
    if before is not None or (quoted is not None and lost):
        stopped = f'reading stopped before "{shorten(before or quoted or "")}"'
    found = FoundBlock("text", _is_quoted(lines[start]), gatherer.source(), stopped, lost)
    return found, max(number, start + 1)


def _continues_below(lines: Sequence[QuotedLine], start: int, depth: int) -> bool:
    """Whether the end of the form comes further down, so that part of it was not read."""
    for line in lines[start : start + 200]:
        if line.depth == depth and END_OF_ORDERS.fullmatch(line.text[:100]):
            return True
        if _OPENER.match(line.text[:200]):
            return False
    return False


def _unindent(text: str, base: int) -> tuple[str, int]:
    """Unindent the line by the block's indentation; returns its own indentation, too."""
    indent = measure_indent(text)
    moved = text[min(indent, base) :]
    indent = max(indent - base, 0)
    if indent == 0:
        moved = _TIGHT.sub(r"\1: ", moved, count=1) if _TIGHT.match(moved) else moved
        moved = "- " + moved[1:] if _TIGHT_ENTRY.match(moved) else moved
    return moved, indent


class _Gatherer:
    """Takes lines as long as they can belong to the mapping that has begun."""

    def __init__(self, first: QuotedLine) -> None:
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
        self.quoted_at: str | None = None
        """The line of a deeper quotation that ended the block."""

    def source(self) -> str:
        return "\n".join(_drop_doubled(self._kept)).rstrip() + "\n"

    def take(self, line: QuotedLine, after: QuotedLine | None) -> bool:
        """Add the line; returns False if the block ended before it."""
        raw = line.text
        if not raw.strip():
            self._kept.append("")
            return True
        if self._is_end(line, after):
            return False
        # a less deeply quoted line keeps at most the space behind the mark
        own = self._base if line.depth == self._depth else min(self._base, line.depth, 1)
        text, indent = _unindent(mend_line(raw), own)
        if self._brackets.quote:
            self._join(text.lstrip())
            return True
        if self._brackets.open or (indent and self._kept):
            return self._keep(text, indent)
        if self._is_next_block(text):
            return False
        if text.startswith("#") or _ENTRY.match(text) or _KEY.match(text[:120]):
            return self._keep(text, 0)
        if self._is_wrapped(text, line):
            self._join(text)
            return True
        if not (after is not None and after.divides):
            self.stopped_at = raw
        return False

    def _is_end(self, line: QuotedLine, after: QuotedLine | None) -> bool:
        """Whether this line is an end mark, signature, fence, deeper quotation or copied letter."""
        bare = line.text.strip()
        if END_OF_ORDERS.fullmatch(bare[:100]):
            return True
        if line.depth > self._depth:
            self.quoted_at = line.text
            return True
        if self._literal and measure_indent(line.text) > self._base:
            return False
        if line.divides:
            return True
        if bare == "-" and not (after and measure_indent(after.text) > measure_indent(line.text)):
            return True  # two dashes above a signature, joined into a long one by a telephone
        if bare == "..." or _SIGNATURE.fullmatch(bare[:100]):
            return True
        return bool(_FENCE.match(line.text[:200]))

    def _is_next_block(self, text: str) -> bool:
        """Whether a key that begins blocks appears again and starts the next block."""
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

    def _is_wrapped(self, text: str, line: QuotedLine) -> bool:
        before = self._kept[-1] if self._kept else ""
        room = _WRAPPED_AT - 3 * self._depth
        word = text.split(" ", 1)[0]
        if line.divides or (before.endswith(_FINAL) and not before.lstrip().startswith("#")):
            return False
        return bool(before) and len(before) + 1 + len(word) > room

    def _join(self, text: str) -> None:
        self._kept[-1] += " " + text
        if not self._kept[-1].lstrip().startswith("#") and not self._literal:
            self._brackets.read(text)


_LITERAL = re.compile(r"(?:: |- |^)[|>][+-]?\d?[+-]?$")


_FINAL = ("]", "}", '"')
"""Signs that end a value for good."""
_VALUE = re.compile(r" {0,60}(?:- {1,4}){0,4}(?:\"?[\w -]{1,60}\"?: {1,4}){0,2}[\[{\"']")
_AHEAD = ("", ",", "[", "{", ":", " ")


class _Brackets:
    """Which brackets and quotation marks are open, as far as YAML reads them as such."""

    def __init__(self) -> None:
        self.open = 0
        self.quote = ""

    def read(self, text: str) -> None:
        """Count the brackets of a line."""
        if not (self.open or self.quote):
            start = _VALUE.match(text[:200])
            if start is None:
                return
            text = text[start.end() - 1 :]
        before = ""
        for sign in text:
            if self.quote:
                self.quote = "" if sign == self.quote and before != "\\" else self.quote
                before = "" if before == "\\" else sign
                continue
            if sign == "#" and before == " ":
                return
            self._count(sign, before)
            if sign != " " or before not in _AHEAD:
                before = sign

    def _count(self, sign: str, before: str) -> None:
        if sign in "\"'" and before in _AHEAD:
            self.quote = sign
        elif sign in "[{":
            self.open += 1
        elif sign in "]}":
            self.open = max(self.open - 1, 0)
