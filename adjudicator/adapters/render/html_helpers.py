"""Helpers for templates of pages: tables, passages, links to replies and to pages of turns."""

import re
from collections.abc import Iterable, Mapping, Sequence
from textwrap import dedent
from typing import Any
from urllib.parse import quote

from msgspec import Struct

from adjudicator.adapters.render.text_layout import are_numbers, format_form_block

LONGEST_REPLY_LINK = 1900
"""So much of a link mail programs and the systems below them take at least."""


def find_numeric_columns(rows: Iterable[Sequence[object]]) -> list[bool]:
    """Find out for each column of a table whether it holds numbers, which are right-aligned."""
    cells = [["" if cell is None else str(cell) for cell in row] for row in rows]
    return [are_numbers(column) for column in zip(*cells, strict=True)]


_ROOM = 4
"""So many signs a space of a map has in a line on a phone."""
_SIGNS = re.compile(r"\D(?=\D\d{3})|\D*\d+|\D+")


def draw_signs(cell: str) -> list[str]:
    """Split the signs in a space of a map into lines, stack by stack."""
    return _SIGNS.findall(cell) if len(cell) > _ROOM else [cell]


_TYPED = re.compile(r"[`*]((?<=`)[^`]+(?=`)|(?<=\*)yes(?=\*))[`*]")


def split_typed(text: object) -> list[str]:
    """Split a text at its marks, `build: max` or *yes*: every other piece is to be typed."""
    return _TYPED.split(str(text))


_MANY = 100
_SHORT = 8


def is_grid(rows: Sequence[Sequence[object]]) -> bool:
    """Whether a table consists of many short cells, so that it is read as a whole, not by row."""
    cells = [cell for row in rows for cell in row]
    return len(cells) > _MANY and all(cell is None or len(str(cell)) <= _SHORT for cell in cells)


class Passage(Struct, frozen=True):
    """A piece of a plain text."""

    kind: str
    """heading | words | lines for typing | said of such lines | pair of a word and what it does |
    item of a list"""
    text: str
    word: str = ""
    """Of a pair."""


def split_passages(text: str) -> list[Passage]:
    """Split a plain-text guide into its pieces; an indent of four marks text to be typed."""
    passages: list[Passage] = []
    for line in str(text).splitlines():
        one = _read_piece(line, len(line) - len(line.lstrip()), passages[-1] if passages else None)
        last = passages[-1].kind if passages else ""
        if one.text and (last, one.kind) in _JOINED:
            passages[-1] = Passage(last, f"{passages[-1].text}{_JOINED[last, one.kind]}{one.text}")
        elif one.text or (passages and passages[-1].text):
            passages.append(one)
    return [Passage(one.kind, dedent(one.text), one.word) for one in passages if one.text]


_JOINED = {
    ("words", "words"): " ",
    ("said", "said"): " ",
    ("lines", "lines"): "\n",
    ("item", "words"): " ",
}
"""What stands between a passage and a line that continues it."""
_PAIR = re.compile(r"\s*(\S.*?) {2,}(\S.*)")
_KEY = re.compile(r"[a-z_]+:( |$)")
_NAMES = ("GM", "VP", "RT")
_LOUD = re.compile(r"\b[A-Z]+(?:'[A-Z])?\b(?!-)")


def _read_piece(line: str, inside: int, before: Passage | None) -> Passage:
    words = line.strip()
    if words and words == words.upper() and not inside:
        return Passage("heading", calm_heading(words))
    if inside < 4 and words.startswith("- "):
        return Passage("item", words[2:])
    if inside < 4:
        pair = _PAIR.fullmatch(line)
        return Passage("pair", pair[2], pair[1]) if pair else Passage("words", words)
    if inside == 6 and not (_KEY.match(words) and _is_in_list(before)):
        return Passage("said", words)
    return Passage("lines", line.rstrip())


def _is_in_list(before: Passage | None) -> bool:
    """Whether the text to be typed just before ends in a list entry."""
    if before is None or before.kind != "lines":
        return False
    last = before.text.splitlines()[-1]
    return last.startswith(("    - ", "      "))


def calm_heading(text: object) -> str:
    """Write a heading in capitals with normal case, since a page has larger letters instead."""
    calm = _LOUD.sub(lambda word: _lower_word(word[0]), str(text))
    return calm[:1].upper() + calm[1:]


def _lower_word(word: str) -> str:
    name, _, rest = word.partition("'")
    name = name if name in _NAMES else name.lower()
    return f"{name}'{rest.lower()}" if rest else name


def make_reply_link(form: Mapping[str, Any], address: str, subject: str) -> str:
    """Make a link that opens a reply with the form in it; empty if it would be too long.

    Help and examples are dropped before the whole link is.
    """
    answer = subject if subject.lower().startswith("re:") else f"Re: {subject}"
    for variant in (form, {**form, "comments": ()}, {**form, "comments": (), "example": {}}):
        body = format_form_block(variant).replace("\n", "\r\n") + "\r\n"
        link = f"mailto:{quote(address, safe='@')}?subject={_escape(answer)}&body={_escape(body)}"
        if len(link) <= LONGEST_REPLY_LINK:
            return link
    return ""


def _escape(text: str) -> str:
    """Escape everything that could have a meaning in a link (RFC 6068)."""
    return quote(text, safe="")


_TURN = re.compile(r"\d+")


def locate_turn_page(document: Mapping[str, Any]) -> str:
    """Return the path of a report's turn below the top of a site: `jump-wars/ember/turn/17.html`.

    What comes before the first turn is turn 0.
    """
    match, game = _TURN.search(str(document["turn"])), document["game"]
    return f"{game['kind']}/{game['id']}/turn/{int(match[0]) if match else 0}.html"


def link_turn_page(document: Mapping[str, Any], site: str) -> str:
    """Make the address of a report's turn on the web, at its step; empty without a site."""
    return f"{site}/{locate_turn_page(document)}#{document['step']}" if site else ""
