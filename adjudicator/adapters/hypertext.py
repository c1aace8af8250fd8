"""What templates of pages need beside the words: which lines are drawings, links that reply."""

from collections.abc import Iterable, Mapping, Sequence
from textwrap import dedent
from typing import Any
from urllib.parse import quote

from msgspec import Struct

from adjudicator.adapters.layout import drawn, form_block, numbers

LONGEST = 1900
"""So much of a link mail programs and the systems below them take at least."""


def to_the_right(rows: Iterable[Sequence[object]]) -> list[bool]:
    """For each column of a table whether it holds numbers, which stand to the right."""
    cells = [["" if cell is None else str(cell) for cell in row] for row in rows]
    return [numbers(column) for column in zip(*cells, strict=True)]


class Passage(Struct, frozen=True):
    """A piece of a plain text: a heading, a paragraph, or lines that are shown as they are."""

    kind: str
    """heading | words | lines"""
    text: str


def passages(text: str) -> list[Passage]:
    """A guide in plain text, piece by piece; what is indented by four is for typing."""
    made: list[Passage] = []
    for line in str(text).splitlines():
        kind, said = _piece(line)
        if made and said and kind == made[-1].kind != "heading":
            between = "\n" if kind == "lines" else " "
            made[-1] = Passage(kind, f"{made[-1].text}{between}{said}")
        elif said or (made and made[-1].text):
            made.append(Passage(kind, said))
    return [Passage(one.kind, dedent(one.text)) for one in made if one.text]


def _piece(line: str) -> tuple[str, str]:
    if line and line == line.upper() and not line.startswith(" "):
        return "heading", line
    if line.startswith("    ") or drawn([line]):
        return "lines", line.rstrip()
    return "words", line.strip()


def reply_link(form: Mapping[str, Any], address: str, subject: str) -> str:
    """A link that opens a reply with the form in it; empty where it would be too long.

    Help and examples are left out before the whole link is.
    """
    answer = subject if subject.lower().startswith("re:") else f"Re: {subject}"
    for shown in (form, {**form, "comments": ()}, {**form, "comments": (), "example": {}}):
        body = form_block(shown).replace("\n", "\r\n") + "\r\n"
        link = f"mailto:{quote(address, safe='@')}?subject={_all(answer)}&body={_all(body)}"
        if len(link) <= LONGEST:
            return link
    return ""


def _all(text: str) -> str:
    """Everything that might mean something in a link is escaped (RFC 6068)."""
    return quote(text, safe="")
