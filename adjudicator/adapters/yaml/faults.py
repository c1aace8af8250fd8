"""Explain the YAML parser's complaints to somebody who does not know YAML."""

import re
from collections.abc import Sequence

from adjudicator.core.finding import Finding, Grade
from adjudicator.core.forms.fault_messages import shorten

# the few signs are named, not the many that are left: a tenth of the time to compile
UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
"""The signs that YAML does not allow."""

_Place = tuple[int, int]
"""Row and column, counted from 0."""

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
_TAB = "a tab character: indent with spaces"
_DASH = "inside brackets, entries are separated by commas and have no dashes"
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
    ("tab character", _TAB),
)
"""Part of the parser's problem to our sentence; the place is where the parser stopped."""


def make_yaml_fault(line: int, column: int, message: str) -> Finding:
    """Make a finding for a fault in YAML itself; it names no rule, since it breaks none."""
    return Finding(grade=Grade.UNREADABLE, rule="", message=message, line=line, column=column)


def explain_yaml_fault(
    lines: Sequence[str], problem: str, at: _Place, context: _Place | None
) -> Finding:
    """Explain the parser's problem as a finding; its places count from 0."""
    row, column, words = _explain(lines, problem, at, context or at)
    return make_yaml_fault(row + 1, column + 1, words)


def _explain(lines: Sequence[str], problem: str, at: _Place, start: _Place) -> tuple[int, int, str]:
    """Explain where the fault is, and what; `start` is where the unfinished part began."""
    if "could not find expected ':'" in problem:
        return *start, _explain_missing_colon(lines, start[0])
    if "expected comment or line break" in problem and _is_quoted(lines, start):
        return *start, _QUOTED
    if "mapping values are not allowed" in problem:
        return _explain_colon(lines, at)
    for part, words in AT_CONTEXT:
        if part in problem:
            return *start, words
    if "expected node content" in problem and at[0] >= len(lines) > 0:
        return len(lines) - 1, len(lines[-1]), _ENDS
    return *at, _explain_stop(lines, problem, at)


def _explain_stop(lines: Sequence[str], problem: str, at: _Place) -> str:
    for part, words in AT_PROBLEM:
        if part in problem:
            return words
    line = _line_at(lines, at[0])
    sign = line[at[1] : at[1] + 1]
    if "cannot start any token" in problem:
        return _TAB if sign == "\t" else f'a value that begins with "{sign}" needs quotation marks'
    if "expected node content" in problem:
        return _DASH if sign == "-" else "expected a value, found a bracket, brace or comma"
    if "<document start>" in problem:
        has_end = any(line.rstrip() == "..." for line in lines[: at[0]])
        end = 'end mark "..."' if has_end else "closing bracket"
        return f"something is left over after the {end}"
    if "expected key" in problem:
        return _explain_key(line, at[1])
    return "this line cannot be read: a line is written key: value, a list entry begins with a dash"


def _is_quoted(lines: Sequence[str], at: _Place) -> bool:
    """Whether a quotation mark is the first character of the line here."""
    line, column = _line_at(lines, at[0]), at[1]
    return line[column : column + 1] == ">" and not line[:column].strip()


def _explain_colon(lines: Sequence[str], at: _Place) -> tuple[int, int, str]:
    """Explain a superfluous colon, or the first one in a line that belongs to no key above it."""
    before = _line_at(lines, at[0])[: at[1]]
    above = _line_at(lines, at[0] - 1)
    if ": " in before or not (before[:1] == " " or above):
        return *at, _COLON
    if before[:1] == " ":
        return at[0], _measure_indent(before), _INDENTED
    return at[0] - 1, _measure_indent(above), _explain_missing_colon(lines, at[0] - 1)


def _measure_indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _explain_key(line: str, column: int) -> str:
    if line[:column].strip():
        return f'"{shorten(line[column:].strip())}" is left over after the value has ended'
    if line.lstrip().startswith("- "):
        return "this list entry is not indented like the entries above it, or is not under a key"
    if line[column : column + 1] == ":":
        return "a key is missing before the colon: a line is written key: value"
    return _INDENTED


def _explain_missing_colon(lines: Sequence[str], row: int) -> str:
    """Explain a line without a colon: below a list, it is an entry that lost its dash."""
    above = [line for line in reversed(lines[:row]) if line.strip()]
    in_list = bool(above and _ENTRY.match(above[0]))
    opener = next(filter(None, map(_OPENER.match, above if in_list else above[:1])), None)
    key = shorten(opener[2].strip()) if opener else ""
    if in_list and opener:
        return f'this list entry belongs under "{key}:", beginning with "- "'
    if in_list:
        return 'this list entry must begin with "- "'
    if opener:
        return f'this belongs after "{key}:", or below it beginning with "- "'
    return "a colon is missing: a line is written key: value"


def _line_at(lines: Sequence[str], row: int) -> str:
    return lines[row] if 0 <= row < len(lines) else ""
