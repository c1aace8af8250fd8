"""What the YAML parser complains about, in words for somebody who never heard of YAML."""

import re
from collections.abc import Sequence

from adjudicator.core.finding import Finding, Grade
from adjudicator.core.forms.fault_messages import shorten

UNPRINTABLE = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""The signs that YAML does not allow."""

_ENTRY = re.compile(r"^(\s*)- ")
_OPENER = re.compile(r"^(\s*)(\S.*?):\s*$")

_BRACKET = "the bracket opened here is never closed"
_ENDS = "the text ends here before a bracket is closed"
_QUOTE = "the quotation mark opened here is never closed"
_BACKSLASH = "a backslash inside double quotation marks must be doubled"
_COLON = (
    "a second colon: a line is written key: value; put text with a colon in quotation "
    "marks, and several keys on one line in braces, {key: value, key: value}"
)
_INDENTED = "this line is indented differently from the lines it belongs to"
_QUOTED = 'this line begins with ">", the mark of a quotation: remove all of them'
_STAR = 'a value that begins with "*" or "&" needs quotation marks'

AT_CONTEXT: Sequence[tuple[str, str]] = (
    ("expected ',' or ']'", _BRACKET),
    ("expected ',' or '}'", _BRACKET),
    ("found unexpected end of stream", _QUOTE),
    ("found unexpected document indicator", _QUOTE),
    ("alphabetic or numeric character", _STAR),
    (
        "expected whitespace or line break",
        'a value that begins with "!" needs quotation marks',
    ),
)
"""Part of the parser's problem to our sentence; the place is where the thing began."""

AT_PROBLEM: Sequence[tuple[str, str]] = (
    (
        "sequence entries are not allowed",
        "a list begins on a line of its own under its key, each entry after a dash",
    ),
    ("expected '-' indicator", 'this line is inside a list but does not begin with "- "'),
    ("unknown escape character", _BACKSLASH),
    ("hexdecimal number", _BACKSLASH),
    ("mapping keys are not allowed", 'a value that begins with "?" needs quotation marks'),
    ("undefined tag handle", 'a value that begins with "!" needs quotation marks'),
    ("directive", 'a line must not begin with "%"'),
    ("expected comment or line break", 'nothing may follow "|" or ">" on its line'),
    ("tab character", "a tab character: indent with spaces"),
)
"""Part of the parser's problem to our sentence; the place is where the parser stopped."""


def make_yaml_fault(line: int, column: int, message: str) -> Finding:
    """A fault of the writing itself; it breaks no rule of a game, so it names none."""
    return Finding(grade=Grade.UNREADABLE, rule="", message=message, line=line, column=column)


def explain_yaml_fault(
    lines: Sequence[str], problem: str, at: tuple[int, int], context: tuple[int, int] | None
) -> Finding:
    """The parser's problem as a finding; places come counted from 0."""
    start = context or at
    if "could not find expected ':'" in problem:
        return make_yaml_fault(start[0] + 1, start[1] + 1, _explain_missing_colon(lines, start[0]))
    if "expected comment or line break" in problem and _is_quoted(
        _line_at(lines, start[0]), start[1]
    ):
        return make_yaml_fault(start[0] + 1, start[1] + 1, _QUOTED)
    if "mapping values are not allowed" in problem:
        return _explain_colon(lines, at)
    for part, words in AT_CONTEXT:
        if part in problem:
            return make_yaml_fault(start[0] + 1, start[1] + 1, words)
    if "expected node content" in problem and at[0] >= len(lines) > 0:
        return make_yaml_fault(len(lines), len(lines[-1]) + 1, _ENDS)
    return make_yaml_fault(at[0] + 1, at[1] + 1, _explain_stop(lines, problem, at))


def _explain_stop(lines: Sequence[str], problem: str, at: tuple[int, int]) -> str:
    for part, words in AT_PROBLEM:
        if part in problem:
            return words
    line = _line_at(lines, at[0])
    sign = line[at[1] : at[1] + 1]
    if "cannot start any token" in problem:
        return _explain_start(sign)
    if "expected node content" in problem:
        return _explain_value(sign)
    if "<document start>" in problem:
        return _explain_rest(lines[: at[0]])
    if "expected key" in problem:
        return _explain_key(line, at[1])
    return "this line cannot be read: a line is written key: value, a list entry begins with a dash"


def _explain_start(sign: str) -> str:
    if sign == "\t":
        return "a tab character: indent with spaces"
    return f'a value that begins with "{sign}" needs quotation marks'


def _explain_value(sign: str) -> str:
    if sign == "-":
        return "inside brackets, entries are separated by commas and have no dashes"
    return "expected a value, found a bracket, brace or comma"


def _explain_rest(before: Sequence[str]) -> str:
    if any(line.rstrip() == "..." for line in before):
        return 'something is left over after the end mark "..."'
    return "something is left over after the closing bracket"


def _is_quoted(line: str, column: int) -> bool:
    """Whether a sign of quotation stands here, before everything else in the line."""
    return line[column : column + 1] == ">" and not line[:column].strip()


def _explain_colon(lines: Sequence[str], at: tuple[int, int]) -> Finding:
    """A colon too many in its line; or the first one, in a line that belongs to none above it."""
    before = _line_at(lines, at[0])[: at[1]]
    above = _line_at(lines, at[0] - 1)
    if ": " in before or not (before[:1] == " " or above):
        return make_yaml_fault(at[0] + 1, at[1] + 1, _COLON)
    if before[:1] == " ":
        return make_yaml_fault(at[0] + 1, len(before) - len(before.lstrip()) + 1, _INDENTED)
    return make_yaml_fault(
        at[0], len(above) - len(above.lstrip()) + 1, _explain_missing_colon(lines, at[0] - 1)
    )


def _explain_key(line: str, column: int) -> str:
    if line[:column].strip():
        return f'"{shorten(line[column:].strip())}" is left over after the value has ended'
    if line.lstrip().startswith("- "):
        return "this list entry is not indented like the entries above it, or is not under a key"
    if line[column : column + 1] == ":":
        return "a key is missing before the colon: a line is written key: value"
    return _INDENTED


def _explain_missing_colon(lines: Sequence[str], row: int) -> str:
    """A line without colon: below a list, it is an entry that lost its dash."""
    above = row - 1
    while above >= 0 and not _line_at(lines, above).strip():
        above -= 1
    if above >= 0 and _ENTRY.match(_line_at(lines, above)):
        while above >= 0:
            opener = _OPENER.match(_line_at(lines, above))
            if opener:
                key = shorten(opener.group(2).strip())
                return f'this list entry belongs under "{key}:", beginning with "- "'
            above -= 1
        return 'this list entry must begin with "- "'
    opener = _OPENER.match(_line_at(lines, above)) if above >= 0 else None
    if opener:
        key = shorten(opener.group(2).strip())
        return f'this belongs after "{key}:", or below it beginning with "- "'
    return "a colon is missing: a line is written key: value"


def _line_at(lines: Sequence[str], row: int) -> str:
    return lines[row] if 0 <= row < len(lines) else ""
