"""Whether the text of a mail and its page say the same, section by section.

A section is what stands below a heading of the page. Every word and every number is counted:
fleets, cards, points, dates and hours.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from xml.etree.ElementTree import Element

from adjudicator.adapters.render.text_layout import are_numbers
from tests.adapters.pages.reading import hidden, parsed, said

_BEGIN = ""
_TO_REPLY = "to reply"
_TOKEN = re.compile(r"[^\W\d_]+|\d+")
_INLINE = ("span", "b", "strong", "em", "code", "a", "i", "wbr")
_BUTTON = "Write a reply with this form."
"""In the box that says what is due, or above the form."""
_WHOLE = "The whole stands below. See the whole on the web."
"""Below a part of a picture."""
_WELCOME = "Your first game of"
_OF_THE_PAGE = f"To reply. {_BUTTON}"
_IN_WORDS = "In words:"
_BROKEN = re.compile(r"([0-9a-f]{20,})\n *(?:: )?([0-9a-f]+)")
"""A digest or a seed that is longer than a narrow line."""


def tokens(text: str) -> list[str]:
    """Words and numbers, in order."""
    return [one.casefold() for one in _TOKEN.findall(text)]


class Section(NamedTuple):
    """What stands below a heading of a page."""

    title: str
    said: str
    drawn: bool
    """Whether it shows a picture, and no table."""
    by_row: str
    """The same, with its table told row by row, as it is where columns are few."""


def unlike(text: str, page: str, subject: str) -> list[str]:
    """What one says and the other does not.

    Two things stand on one side only: a drawing made of letters where the page shows a picture or
    a board, and "in words", which a page need not say of what is words anyway.
    """
    shown = _join_first(_draw_on_top(list(_sections(page))))
    told = _told(_BROKEN.sub(r"\1\2", text), shown)
    faults = []
    for section, own in zip(shown, told, strict=True):
        where = section.title or "at the top"
        if own is None:
            faults.append(f"{where}: no such heading in the text")
            continue
        forms = (section.said, section.by_row)
        found = [_differences(section, own, form, subject) for form in forms]
        faults += [f"{where}: {one}" for one in found[0] if all(found)]
    return faults


def _draw_on_top(sections: list[Section]) -> list[Section]:
    """A picture on top stands for the drawing of the section that says it in words."""
    drawn = sections[0].drawn
    return [one._replace(drawn=one.drawn or (drawn and _IN_WORDS in one.said)) for one in sections]


def _join_first(sections: list[Section]) -> list[Section]:
    """A text begins with how to play, a page with what is due, which a phone shows at once."""
    first, *others = sections
    if not others or tokens(others[0].title)[:4] != tokens(_WELCOME):
        return sections
    both = (first, others.pop(0))
    drawn = any(one.drawn for one in both)
    said, by_row = "".join(one.said for one in both), "".join(one.by_row for one in both)
    return [Section(_BEGIN, said, drawn, by_row), *others]


def _differences(section: Section, own: str, form: str, subject: str) -> list[str]:
    there, here = Counter(tokens(own)), Counter(tokens(form))
    kept = Counter(tokens(own.partition(_IN_WORDS)[2] or own)) if section.drawn else there
    label = "" if _IN_WORDS in own else _IN_WORDS  # where nothing is drawn, all is said in words
    more = here - there - _beside(section, subject) - Counter(tokens(label))
    lost = kept - here - Counter(tokens(_IN_WORDS * 9))
    return [
        *([f"only in the text {dict(lost)}"] if lost else []),
        *([f"only on the page {dict(more)}"] if more else []),
    ]


def _beside(section: Section, subject: str) -> Counter[str]:
    """What the page may say though its text does not: the subject, and how to reply."""
    if section.title == _TO_REPLY:
        return Counter(tokens(_OF_THE_PAGE))
    beside = f"{_BUTTON} {_WHOLE}" if section.drawn else _BUTTON
    return Counter(tokens(f"{subject} {beside}" if section.title == _BEGIN else beside))


def _told(text: str, shown: Sequence[Section]) -> list[str | None]:
    """The text of each section of the page."""
    lines = text.splitlines()
    begins: list[int | None] = []
    after = 0
    for section in shown:
        found = _reply(lines) if section.title == _TO_REPLY else _heading(lines, section, after)
        begins.append(found)
        after = after if found is None else found + (section.title != _BEGIN)
    ends = [*begins[1:], len(lines)]
    for at in reversed(range(len(ends))):  # a section that was not found has no lines
        if ends[at] is None:
            ends[at] = ends[at + 1]
    return [
        None if begin is None else "\n".join(lines[begin:end])
        for begin, end in zip(begins, ends, strict=True)
    ]


def _heading(lines: Sequence[str], section: Section, after: int) -> int | None:
    """The line, not indented, from which on the title stands; it may be wrapped."""
    if section.title == _BEGIN:
        return 0
    wanted = tokens(section.title)
    for at in range(after, len(lines)):
        here = tokens(" ".join(lines[at : at + 6]))
        if lines[at][:1].strip() and here[: len(wanted)] == wanted:
            return at
    return None


def _reply(lines: Sequence[str]) -> int | None:
    """The paragraph at the end in which the form is, with the one on questions before it."""
    heads = [n for n, line in enumerate(lines) if re.match(r"(game|join|ask|gm):", line)]
    if not heads:
        return None
    block = _begin(lines, heads[-1])
    above = _begin(lines, max(block - 2, 0))
    return above if lines[above].startswith("Questions?") else block


def _begin(lines: Sequence[str], at: int) -> int:
    """Where the paragraph begins that this line is in."""
    while at and lines[at - 1]:
        at -= 1
    return at


def _sections(page: str) -> Iterator[Section]:
    body = parsed(page).find("body")
    assert body is not None
    parts: list[tuple[str, list[_Piece]]] = [(_BEGIN, [])]
    for piece in _walk(body):
        if piece.what == "heading":
            parts.append((piece.text, []))
        parts[-1][1].append(piece)
    for title, pieces in parts:
        kinds = {piece.what for piece in pieces}
        yield Section(
            title,
            said="".join(piece.text for piece in pieces),
            drawn="picture" in kinds and "table" not in kinds,
            by_row="".join(piece.by_row or piece.text for piece in pieces),
        )


class _Piece(NamedTuple):
    text: str
    what: str = ""
    """heading | picture | table"""
    by_row: str = ""


def _walk(element: Element) -> Iterator[_Piece]:
    """Headings, and the words between them."""
    if not isinstance(element.tag, str) or hidden(element):
        return
    if element.tag == "h2":
        yield _Piece(" ".join("".join(element.itertext()).split()).casefold(), "heading")
        return
    if element.get("role") == "img" or element.tag == "img":
        yield _Piece(" ", "picture")
        return
    if (element.get("class") or "").split()[:1] == ["data"]:
        for heading in element.findall("caption"):
            yield from _walk(heading)
        yield _table(element)
        return
    gap = "" if element.tag in _INLINE else " "
    yield _Piece(gap + (element.text or ""))
    for child in element:
        yield from _walk(child)
        yield _Piece(child.tail or "")
    yield _Piece(gap)


def _table(table: Element) -> _Piece:
    heads = [said(one) for one in table.findall("thead/tr/th")]
    rows = [[said(cell) for cell in row] for row in table.findall("tbody/tr")]
    whole = [cell for row in (heads, *rows) for cell in row]
    counted = are_numbers([row[0] for row in rows])
    told = []
    for row in rows:
        told += [heads[0], row[0]] if counted else [row[0]]
        told += [f"{head} {cell}" for head, cell in zip(heads[1:], row[1:], strict=True) if cell]
    return _Piece(f" {' '.join(whole)} ", "table", f" {' '.join(told)} ")
