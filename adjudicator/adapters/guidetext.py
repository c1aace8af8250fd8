"""Guides on narrow paper: their paragraphs are set anew, what is for typing stays YAML."""

import re
from collections.abc import Iterator
from itertools import groupby

from adjudicator.adapters.layout import WIDTH, drawn, wrapped

_TYPED = 4
"""So far what is for typing is indented in a guide."""
_WITHIN = re.compile(r"(?<![,\s]) (?=\S)")
_TIE = "\ue000"
_COLUMNS = re.compile(r"(?<=\S) {2,}(?=\S)")


def reflowed(text: str, width: int = WIDTH) -> str:
    """The guide with no line wider than this; pieces that fit stay as they are."""
    return "\n".join(
        line
        for (indent, columns), own in groupby(str(text).splitlines(), _manner)
        for line in _fitted(list(own), indent, width, columns=columns)
    )


def _manner(line: str) -> tuple[int, bool]:
    """How far a line is indented (an empty one less than all), and whether it has columns."""
    return len(line) - len(line.lstrip()) if line.strip() else -1, drawn([line])


def _fitted(lines: list[str], indent: int, width: int, *, columns: bool) -> Iterator[str]:
    lead = " " * indent
    if all(len(line) <= width for line in lines):
        yield from lines
    elif columns:
        for line in lines:
            yield wrapped(_COLUMNS.sub(": ", line.strip()), lead, indent + 4, width)
    elif indent == _TYPED:
        for line in lines:
            yield line if len(line) <= width else _typed(line.strip(), indent, width)
    else:
        yield wrapped(" ".join(lines), lead, width=width)


def _typed(line: str, indent: int, width: int) -> str:
    """Lines of YAML, broken behind a comma; only what is too long even so within its words."""
    lead, tied = " " * indent, _WITHIN.sub(_TIE, line)
    made = wrapped(tied, lead, indent + 4, width)
    if made.split() != tied.split():
        return wrapped(line, lead, indent + 4, width)
    return made.replace(_TIE, " ")
