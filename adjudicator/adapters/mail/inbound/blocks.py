"""Find order blocks in the lines of a text: fenced, plain, and the same in quotations."""

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
from adjudicator.adapters.mail.inbound.writing.block_lines import (
    END_OF_ORDERS,
    FENCE,
    KEY_LINE,
    OPENER,
    Gatherer,
    drop_doubled_lines,
    unindent_line,
)
from adjudicator.core.forms.fault_messages import shorten

MAX_BLOCKS = 20
"""More blocks are not read in one letter."""
_SEEN = 3 * MAX_BLOCKS
"""Among so many those are looked for that hold a key: a quoted guide is full of examples."""
_LONGEST = 70 * 1024
"""A little more than YAML may have, so that the parser says that it is too long."""

_PROVEN = re.compile(r"^[ \"]{0,60}key\"? {0,3}:", re.IGNORECASE | re.MULTILINE)


class FoundBlock(Struct, frozen=True):
    """A candidate, not yet understood."""

    kind: str
    """attachment | fenced | text"""
    quoted: bool
    source: str
    stopped: str | None = None
    lost: bool = False
    """The form went on behind the place where reading stopped."""
    lines: range = range(0)
    """Where it stands in the text."""
    sections: tuple[tuple[str, str], ...] = ()
    """Messages in sections of their own: to whom, and the text."""


def find_blocks(lines: Sequence[QuotedLine]) -> list[FoundBlock]:
    """Find the blocks of a text in the order of its lines; of too many, prefer those with a key."""
    blocks: list[FoundBlock] = []
    fences = _Fences(lines)
    at = 0
    while at < len(lines) and len(blocks) < _SEEN:
        one: FoundBlock | None = None
        onward = at + 1
        if FENCE.match(lines[at].text[:200]):
            one, onward = fences.at(at)
        elif OPENER.match(lines[at].text[:200]):
            one, onward = _gather_block(lines, at)
        if one is not None:
            blocks.append(replace(one, lines=range(at, onward)))
        at = onward
    return blocks if len(blocks) <= MAX_BLOCKS else _prefer_keyed(blocks)


def _prefer_keyed(blocks: Sequence[FoundBlock]) -> list[FoundBlock]:
    """Keep as many blocks as are read, preferring a key, then add one that is not read."""
    keyless = {at: not _PROVEN.search(one.source) for at, one in enumerate(blocks)}
    order = sorted(keyless, key=lambda at: (keyless[at], at))
    return [blocks[at] for at in (*sorted(order[:MAX_BLOCKS]), order[MAX_BLOCKS])]


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
        fence = FENCE.match(lines[start].text[:200])
        assert fence is not None
        end = self._find_fence_end(start, fence.group(1))
        if end is not None:
            body = lines[start + 1 : end]
            block = _find_in_fence(body, fence.group(2).strip(), is_quoted=_is_quoted(lines[start]))
            return block, end + 1
        # never closed: read what follows as if there were no fence
        first = lines[start + 1 : start + 4]
        opener = next((n for n, line in enumerate(first, start + 1) if line.text.strip()), start)
        if opener == start or not OPENER.match(lines[opener].text[:200]):
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


def _find_in_fence(
    body: Sequence[QuotedLine], language: str, *, is_quoted: bool
) -> FoundBlock | None:
    """Find a block in a fence, if any."""
    opener = next((n for n, line in enumerate(body) if OPENER.match(line.text[:200])), None)
    keyed = next((n for n, line in enumerate(body) if _may_begin(line.text)), None)
    if keyed is None:
        return None
    if opener is None and language.lower() not in ("", "yaml", "yml", "text", "orders"):
        return None  # somebody's program, or something else in a fence
    start = next(n for n, line in enumerate(body) if line.text.strip())
    if opener is not None and start < keyed:
        block, _ = _gather_block(body, opener)  # there is a whole letter in the fence
        return replace(block, kind="fenced", quoted=is_quoted)
    return FoundBlock("fenced", is_quoted, _join_lines(line.text for line in body))


def read_attached_block(text: str, *, is_quoted: bool) -> FoundBlock:
    """Read a block that is a file of its own."""
    return FoundBlock("attachment", is_quoted, _join_lines(text[:_LONGEST].split("\n")))


def _may_begin(text: str) -> bool:
    """Whether a block may begin with this line."""
    bare = mend_line(text[:200]).lstrip()
    return bare[:1] == "#" or bare == "---" or bool(KEY_LINE.match(bare) or OPENER.match(bare))


def _join_lines(lines: Iterable[str]) -> str:
    """Join all lines up to the end mark, without their indentation."""
    texts: list[str] = []
    for text in lines:
        if END_OF_ORDERS.fullmatch(text[:100]):
            break
        texts.append(mend_line(text))
    base = measure_indent(next((text for text in texts if text.strip()), ""))
    return "\n".join(drop_doubled_lines([unindent_line(text, base)[0] for text in texts]))


def _gather_block(lines: Sequence[QuotedLine], start: int) -> tuple[FoundBlock, int]:
    """Gather the block that begins with this line, and return the next line."""
    gatherer = Gatherer(lines[start])
    number = start
    size = 0
    while number < len(lines):
        line = lines[number]
        after = lines[number + 1] if number + 1 < len(lines) else None
        if not gatherer.take(line, after):
            if not (gatherer.in_press and _continues_below(lines, number + 1, line.depth)):
                break
            gatherer.take_text(line)
        size += len(line.text) + 1
        number += 1
        if size > _LONGEST:
            break
    stopped = None
    before, quotation = gatherer.stopped_at, gatherer.quoted_at
    loses_lines = (before or quotation) is not None and _continues_below(
        lines, number + 1, lines[start].depth
    )
    if before is not None or (quotation is not None and loses_lines):
        stopped = f'reading stopped before "{shorten(before or quotation or "")}"'
    quoted_block = _is_quoted(lines[start])
    sections = gatherer.sections()
    block = FoundBlock(
        "text", quoted_block, gatherer.source(), stopped, loses_lines, sections=sections
    )
    return block, max(number, start + 1)


def _continues_below(lines: Sequence[QuotedLine], start: int, depth: int) -> bool:
    """Whether the end of the form comes further down, so that part of it was not read."""
    for line in lines[start : start + 200]:
        if line.depth == depth and END_OF_ORDERS.fullmatch(line.text[:100]):
            return True
        if OPENER.match(line.text[:200]):
            return False
    return False
