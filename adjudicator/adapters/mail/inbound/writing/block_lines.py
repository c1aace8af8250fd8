"""The lines that can belong to the mapping that a form is, gathered one by one."""

import json
import re

from adjudicator.adapters.mail.inbound.text import QuotedLine, measure_indent, mend_line
from adjudicator.adapters.mail.inbound.writing.press_text import is_press

FENCE = re.compile(r" {0,3}(`{3,40}|~{3,40})([^`~]{0,60})$")
OPENER = re.compile(
    r"([ ]{0,60})[*_]{0,2}\"?(game|join|ask|gm)\"?[*_]{0,2} {0,3}[:\uff1a\ufe55\ufe13]",
    re.IGNORECASE,
)
KEY_LINE = re.compile(r"(\"?[^\W\d]\w{0,30}(?:[ -]\w{1,20}){0,2}\"?) {0,3}:(?= |$)")
_TIGHT = re.compile(r"([A-Za-z_][A-Za-z0-9_]{0,30}):(?=[^\s:/])")
_ENTRY = re.compile(r"-(?= |$)")
_TIGHT_ENTRY = re.compile(r"-(?=[A-Za-z0-9\"'{\[])")
END_OF_ORDERS = re.compile(r"[ ]{0,60}#? {0,3}end of orders\b.{0,20}", re.IGNORECASE)
_SIGNATURE = re.compile(r"-{2,3} ?|_{2,90}|-{4,90}|={4,90}|\*{4,90}")
_WRAPPED_AT = 60
"""A line that would have got longer than this with the next word was probably wrapped."""


def drop_doubled_lines(lines: list[str]) -> list[str]:
    """Drop the empty lines that a program has put after every line."""
    empty = [not text for text in lines]
    doubled = len(lines) > 4 and all(empty[1::2]) and not any(empty[:-1:2])
    return lines[::2] if doubled else lines


def unindent_line(text: str, base: int) -> tuple[str, int]:
    """Unindent the line by the block's indentation; returns its own indentation, too."""
    indent = measure_indent(text)
    rest = text[min(indent, base) :]
    indent = max(indent - base, 0)
    if indent == 0:
        rest = _TIGHT.sub(r"\1: ", rest, count=1) if _TIGHT.match(rest) else rest
        rest = "- " + rest[1:] if _TIGHT_ENTRY.match(rest) else rest
    return rest, indent


class Gatherer:
    """Takes lines as long as they can belong to the mapping that has begun."""

    def __init__(self, first: QuotedLine) -> None:
        opener = OPENER.match(first.text[:200])
        self._base = len(opener.group(1)) if opener else 0
        self._depth = first.depth
        self._lines: list[str] = []
        self._seen: set[str] = set()
        self._brackets = _Brackets()
        self._literal = False
        """A text of several lines is being written (| or >)."""
        self._sections: list[tuple[str, list[str]]] = []
        self._in_section = False
        self._is_message_wrapped = False
        self._listed_press = False
        self.in_press = False
        """Messages are being written, in which any line may follow."""
        self.stopped_at: str | None = None
        """The line that could not go on with the block."""
        self.quoted_at: str | None = None
        """The line of a deeper quotation that ended the block."""

    def source(self) -> str:
        return "\n".join(drop_doubled_lines(self._lines)).rstrip() + "\n"

    def sections(self) -> tuple[tuple[str, str], ...]:
        """List the messages that stand in sections of their own."""
        return tuple((to, "\n".join(text).strip("\n")) for to, text in self._sections)

    def take_text(self, line: QuotedLine) -> None:
        """Add a line of a message that looks like none of the form."""
        self.stopped_at = None
        self._lines.append(f"  {line.text.strip()}")

    def take(self, line: QuotedLine, after: QuotedLine | None) -> bool:
        """Add the line; returns False if the block ended before it."""
        raw = line.text
        if not raw.strip():
            self._take_empty()
            return True
        if self._is_end(line, after):
            return False
        if self._takes_section(raw):
            self._lines.append("#")
            return True
        return self._take_line(line, after)

    def _take_empty(self) -> None:
        self._lines.append("")
        self._is_message_wrapped = False
        if self._in_section:
            self._sections[-1][1].append("")

    def _take_line(self, line: QuotedLine, after: QuotedLine | None) -> bool:
        raw = line.text
        # a less deeply quoted line keeps at most the space behind the mark
        own = self._base if line.depth == self._depth else min(self._base, line.depth, 1)
        text, indent = unindent_line(mend_line(raw), own)
        if self._takes_press(text, indent):
            self._lines.append(" " * indent + text.lstrip() if indent else text)
            return True
        if self._brackets.quote:
            self._join(text.lstrip())
            return True
        if self._brackets.open or (indent and self._lines):
            return self._keep(text, indent)
        if self._joins_question(text):
            return True
        if self._is_next_block(text):
            return False
        if text.startswith("#") or _ENTRY.match(text) or KEY_LINE.match(text[:120]):
            return self._keep(text, 0)
        if self._is_wrapped(text, line):
            self._join(text)
            return True
        if not (after is not None and after.divides):
            self.stopped_at = raw
        return False

    def _takes_section(self, raw: str) -> bool:
        """Take a line of a message that stands below `to blue:`."""
        opener = SECTION.fullmatch(raw[:200])
        in_value = self._literal or self._brackets.open or self._brackets.quote
        if opener is None and not (self._in_section or self.in_press or in_value):
            return self._takes_message(raw)
        if opener is not None and not self.in_press:
            self._sections.append((opener[1], []))
            self._in_section = True
            return True
        if not self._in_section:
            return False
        if SECTION_END.fullmatch(raw[:60]):
            self._in_section = False
        elif not OPENER.match(raw[:200]):
            self._sections[-1][1].append(raw.rstrip())
        else:
            return False
        return True

    def _takes_message(self, raw: str) -> bool:
        """Take `to blue: Hi`, and what a program has wrapped of it."""
        is_wrapped, self._is_message_wrapped = self._is_message_wrapped, False
        opener = SECTION.match(raw[:200])
        if opener is not None:
            self._sections.append((opener[1], [raw[opener.end() :].rstrip()]))
        elif is_wrapped and not (KEY_LINE.match(raw[:120]) or _ENTRY.match(raw)):
            self._sections[-1][1][-1] += f" {raw.strip()}"
        else:
            return False
        self._is_message_wrapped = len(raw) > _WRAPPED_AT
        return True

    def _takes_press(self, text: str, indent: int) -> bool:
        """Take a line of the messages below `press:`, whatever it looks like."""
        if not indent and is_press(text) and not _OPEN_QUOTE.search(text):
            rest = text.partition(":")[2].strip()
            self._listed_press = not rest
            self.in_press = not rest or (rest[0] in "[{" and rest[-1] not in "]}")
            return True
        if _OPEN_QUOTE.search(text) or _LITERAL.search(text[-60:]):
            self.in_press = False  # from here on YAML says what belongs to the text
        if not self.in_press:
            return False
        if not indent and not text.startswith(("-", "#")) and not _in_a_message(text):
            self.in_press = False
            return False
        if not self._listed_press and text.rstrip()[-1:] in ("]", "}"):
            self.in_press = False
            return True
        return bool(indent) or text.startswith("-")

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
        return bool(FENCE.match(line.text[:200]))

    def _is_next_block(self, text: str) -> bool:
        """Whether a key that begins blocks appears again and starts the next block."""
        opener = OPENER.match(text[:200])
        if opener is None:
            return False
        key = opener.group(2).lower()
        if key in self._seen:
            return True
        self._seen.add(key)
        return False

    def _joins_question(self, text: str) -> bool:
        """Join a question to the one above it, since some write `ask:` twice."""
        more = _QUESTION.fullmatch(text[:300])
        if more is None:
            return False
        for at, line in enumerate(self._lines):
            if first := _QUESTION.fullmatch(line[:600]):
                self._lines[at] = f"ask: [{_list_inside(first[1])}, {_list_inside(more[1])}]"
                self._lines.append("#")
                return True
        return False

    def _keep(self, text: str, indent: int) -> bool:
        if not self._brackets.open and not indent:
            self._literal = False
        if not self._literal:
            self._brackets.read(text)
            self._literal = not self._brackets.open and bool(_LITERAL.search(text[-60:]))
        self._lines.append(text)
        return True

    def _is_wrapped(self, text: str, line: QuotedLine) -> bool:
        before = self._lines[-1] if self._lines else ""
        room = _WRAPPED_AT - 3 * self._depth
        word = text.split(" ", 1)[0]
        if line.divides or (before.endswith(_FINAL) and not before.lstrip().startswith("#")):
            return False
        return bool(before) and len(before) + 1 + len(word) > room

    def _join(self, text: str) -> None:
        self._lines[-1] += " " + text
        if not self._lines[-1].lstrip().startswith("#") and not self._literal:
            self._brackets.read(text)


SECTION = re.compile(
    r"\s{0,3}to[ \t]+([A-Za-z][\w-]{0,30}"
    r"(?:(?:[ \t]{0,3}[,&+][ \t]{0,3}|[ \t]{1,3})[A-Za-z][\w-]{0,30}){0,8})[ \t]{0,3}:\s*",
    re.IGNORECASE,
)
"""A message begins below: `to blue:` on a line of its own."""
SECTION_END = re.compile(r"\s{0,3}#?\s*end (?:of )?press\W*", re.IGNORECASE)


_OPEN_QUOTE = re.compile(r"text[\"']?\s*:\s*(?:\"[^\"]*|'[^']*)$", re.IGNORECASE)
"""A text in quotation marks goes on below, and is read as YAML is."""


_QUESTION = re.compile(r"ask: {0,3}((?![|>#]).*\S)\s*", re.IGNORECASE)
"""With what is asked on the same line."""


def _list_inside(question: str) -> str:
    """Write what is asked as entries of a list."""
    if question[0] + question[-1] in ("[]", '""', "''"):
        return question[1:-1] if question[0] == "[" else question
    return json.dumps(question, ensure_ascii=False)


def _in_a_message(text: str) -> bool:
    """Whether a line at the margin may be part of a message: it is no key of the form."""
    return not KEY_LINE.match(text[:120])


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
