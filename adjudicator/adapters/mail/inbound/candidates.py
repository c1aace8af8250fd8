"""The order blocks that a letter or a pasted text offers, each read as YAML, best first."""

from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.adapters.mail.inbound.blocks import (
    MAX_BLOCKS,
    FoundBlock,
    find_blocks,
    read_attached_block,
)
from adjudicator.adapters.mail.inbound.parts import MailPart
from adjudicator.adapters.mail.inbound.text import (
    align_envelope,
    is_flowed,
    mend_characters,
    read_lines,
    read_plain_text,
    straighten_quotes,
)
from adjudicator.adapters.mail.inbound.writing.as_typed import TypedWords
from adjudicator.adapters.mail.inbound.writing.own_lines import write_lines
from adjudicator.adapters.mail.inbound.writing.press_text import quote_press
from adjudicator.adapters.yaml.faults import make_yaml_fault
from adjudicator.adapters.yaml.reader import try_parse_yaml
from adjudicator.core.finding import Finding, Grade
from adjudicator.core.forms.reading import Text, WrittenLine
from adjudicator.desk.model.mail import Block

_RANK = ("attachment", "fenced", "text")
_Ranked = tuple[int, Block]
_Parsed = Text | tuple[Finding, ...]
_OPENING = 40_000
"""So much of the text says what kind of letter it is."""
_MOST_SIGNS = 128 * 1024
"""All blocks of a letter together; more is not read, so that no letter takes long."""


class Candidates(Struct, frozen=True):
    """What a letter offers as order blocks."""

    blocks: tuple[Block, ...] = ()
    problems: tuple[Finding, ...] = ()
    text: str = ""
    """The beginning of the letter's own words."""
    lines: tuple[WrittenLine, ...] = ()
    """What its writer wrote outside the blocks."""


def find_candidates(top: MailPart) -> Candidates:
    """Find everything in the letter that could be orders, best first."""
    reader = _Reader()
    candidates = [*reader.attached(top, forwarded=False), *reader.below(top, forwarded=False)]
    candidates.sort(key=lambda candidate: candidate[0])
    own = tuple(block for _, block in candidates)
    return Candidates(own, tuple(reader.problems), reader.text, reader.lines)


class _Reader:
    """Goes through the parts and keeps count of how much was read."""

    def __init__(self) -> None:
        self.problems: list[Finding] = []
        self.text = ""
        self.lines: tuple[WrittenLine, ...] = ()
        self._typed: TypedWords | None = None
        """The text at hand before its characters were mended, if that made a difference."""
        self._left = _MOST_SIGNS
        self._blocks = 0

    def attached(self, part: MailPart, *, forwarded: bool) -> Iterator[_Ranked]:
        """Find forms attached as files, in any of the alternatives."""
        for child in part.children:
            yield from self.attached(child, forwarded=forwarded or _carries_letter(part))
        if part.is_yaml and part.text.strip():
            self._typed = None if part.text.isascii() else TypedWords(part.text)
            plain = mend_characters(part.text)
            yield from self._read_block(read_attached_block(plain, is_quoted=forwarded))

    def below(self, part: MailPart, *, forwarded: bool) -> Iterator[_Ranked]:
        if part.kind == "multipart/alternative":
            yield from self._read_alternatives(part, forwarded=forwarded)
        elif part.children:
            for child in part.children:
                yield from self.below(child, forwarded=forwarded or _carries_letter(part))
        elif part.is_text and not part.is_yaml:
            yield from self._read_text(part, forwarded=forwarded)

    def _read_alternatives(self, part: MailPart, *, forwarded: bool) -> Iterator[_Ranked]:
        """Prefer a plain part with a block; many programs leave it empty or break its lines."""
        plain = [child for child in part.children if _is_plain(child)]
        rich = [child for child in part.children if not _is_plain(child)]
        unreadable: list[_Ranked] = []
        before, first = self.lines, self.lines
        for child in (*plain, *reversed(rich)):
            self.lines = before
            candidates = list(self.below(child, forwarded=forwarded))
            first = first or self.lines
            if any(_is_readable(one) for one in candidates):
                yield from candidates
                return
            unreadable = unreadable or candidates
        self.lines = first
        yield from unreadable

    def _read_text(self, part: MailPart, *, forwarded: bool) -> Iterator[_Ranked]:
        page = read_plain_text(part)
        if page.cut:
            self._add_problem(
                "the letter's HTML is too long, or has too many styles, to be read to its end"
            )
        text = mend_characters(page.text)
        self._typed = None if page.text.isascii() else TypedWords(page.text)
        if not (self.text or forwarded):
            self.text = text.strip()[:_OPENING]
        blocks = list(self._read_blocks(text, forwarded=forwarded))
        if is_flowed(part) and not all(_is_readable(one) for one in blocks):
            text = mend_characters(read_plain_text(part, stuffed=False).text)
            again = list(self._read_blocks(text, forwarded=forwarded))
            blocks = max(blocks, again, key=lambda each: sum(map(_is_readable, each)))
        yield from blocks

    def _read_blocks(self, text: str, *, forwarded: bool) -> Iterator[_Ranked]:
        lines = read_lines(text)
        blocks = find_blocks(lines)
        for one in blocks:
            yield from self._read_block(replace(one, quoted=True) if forwarded else one)
        if not (forwarded or self.lines):
            self.lines = write_lines(lines, {at for one in blocks for at in one.lines})
            if self._typed is not None:
                self.lines = tuple(map(self._typed.restore_line, self.lines))

    def _read_block(self, block: FoundBlock) -> Iterator[_Ranked]:
        self._left -= len(block.source)
        self._blocks += 1
        if self._blocks > MAX_BLOCKS or self._left < 0:
            self._add_problem("there are too many blocks in this letter; the last were not read")
            return
        as_written = quote_press(block.source)
        straight = straighten_quotes(as_written)
        tries = (straight, as_written, align_envelope(straight))
        text, source = _first_readable(tries, _parse_block)
        if block.lost and isinstance(text, Text):
            line = source.rstrip().count("\n") + 2
            self._add_finding(
                make_yaml_fault(line, 1, f"{block.stopped}: this line belongs to no order")
            )
        sections = block.sections
        if self._typed is not None:
            text = self._typed.restore_block(text) if isinstance(text, Text) else text
            sections = tuple((to, self._typed.restore(words)) for to, words in sections)
        origin = "quoted" if block.quoted else block.kind
        rank = _RANK.index(block.kind) + len(_RANK) * block.quoted
        yield (
            rank,
            Block(
                origin=origin,
                source=source,
                text=text,
                stopped=block.stopped,
                sections=sections,
            ),
        )

    def _add_problem(self, message: str) -> None:
        self._add_finding(make_problem(message))

    def _add_finding(self, one: Finding) -> None:
        if one not in self.problems:
            self.problems.append(one)


def _is_readable(candidate: _Ranked) -> bool:
    return isinstance(candidate[1].text, Text)


def make_problem(message: str) -> Finding:
    """Make a finding about the letter as a whole."""
    return Finding(grade=Grade.UNREADABLE, rule="", message=message)


def _carries_letter(part: MailPart) -> bool:
    """Whether the part is another letter attached to this one."""
    return bool(part.children) and not part.kind.startswith("multipart/")


def _is_plain(part: MailPart) -> bool:
    if part.children:
        return all(_is_plain(child) for child in part.children)
    return part.kind != "text/html"


def _first_readable(sources: Iterable[str], parse: Callable[[str], _Parsed]) -> tuple[_Parsed, str]:
    """Parse the first source that is valid YAML, else report the fault of the very first."""
    attempts: list[tuple[_Parsed, str]] = []
    for source in dict.fromkeys(sources):
        attempts.append((parse(source), source))
        if isinstance(attempts[-1][0], Text):
            return attempts[-1]
    return attempts[0]


def _parse_block(source: str) -> _Parsed:
    text = try_parse_yaml(source, small_keys=True)
    if not isinstance(text, Text) or isinstance(text.value, dict):
        return text
    words = "these are not orders: a block is written line by line as key: value"
    return (make_yaml_fault(1, 1, words),)


_WHOLE = 64 * 1024
"""What is longer is not a form."""


def parse_pasted(text: str) -> tuple[_Parsed, str]:
    """Parse a pasted form or whole letter; returns the lines that hold the form, too."""
    if len(text) > _WHOLE:
        return try_parse_yaml(text), text
    reading, source = _read_block(
        read_attached_block(mend_characters(text), is_quoted=False).source
    )
    if isinstance(reading, Text) and not isinstance(reading.value, str):
        return reading, source
    inside = find_blocks(read_lines(mend_characters(text)))
    return _read_block(inside[0].source) if len(inside) == 1 else (reading, source)


def _read_block(source: str) -> tuple[_Parsed, str]:
    as_written = quote_press(source)
    return _first_readable((straighten_quotes(as_written), as_written), try_parse_yaml)
