"""What the style sheets of a page say of its tags, as far as it can hide text.

Rules count that a computer's screen would show; what rules hide whose selector or condition is
not read, is read.
"""

import re
from collections.abc import Iterator

from msgspec import Struct

from adjudicator.adapters.mail.inbound.html.media import fits_screen
from adjudicator.adapters.mail.inbound.html.selector_text import looks_ahead, read_selectors
from adjudicator.adapters.mail.inbound.html.selectors import (
    LookBudget,
    Selector,
    TooMuchStyleError,
)
from adjudicator.adapters.mail.inbound.html.styles import (
    Declaration,
    read_attributes,
    read_declarations,
    without_comments,
)
from adjudicator.adapters.mail.inbound.html.tags import Tag

_BEGIN = re.compile(r"<!--|<style(?=[\s>/])", re.IGNORECASE)
_END = re.compile(r"</style", re.IGNORECASE)
_TOKEN = re.compile(r""""[^"]*"?|'[^']*'?|<!--|-->|[{};]|[^{};"'<-]+|.""", re.DOTALL)
_CONDITION = re.compile(r"@(media|supports)\b(.*)", re.IGNORECASE | re.DOTALL)
_UNSURE = re.compile(r"\bnot\b|\bselector\b", re.IGNORECASE)
_RAREST = {"#": 0, ".": 1}
_MOST_SIGNS = 200_000
_MOST_RULES = 3_000
_MOST_LOOKS = 500_000
"""How often a tag is compared with a selector; of a page that asks for more, nothing is read."""

_Weight = tuple[tuple[int, int, int], int]
"""Of a selector, and which rule it is in: the highest counts."""


class _Rule(Struct, frozen=True):
    """One selector with what it declares."""

    selector: Selector
    weight: _Weight
    said: tuple[Declaration, ...]


class StyleSheets:
    """All rules of a page."""

    def __init__(self, page: str) -> None:
        self._rules: dict[str, list[_Rule]] = {}
        self._budget = LookBudget(_MOST_LOOKS)
        self.look_ahead = False
        """Whether rules ask for what comes after the beginning of a tag."""
        number = 0
        for selectors, block in _read_rules(page):
            said = read_declarations(block)
            if not said:
                continue
            self.look_ahead |= looks_ahead(selectors)
            for selector in read_selectors(selectors):
                number += 1
                self._add(_Rule(selector, (selector.weight, number), said))
            if number > _MOST_RULES:
                raise TooMuchStyleError

    def __bool__(self) -> bool:
        """Whether the style sheets declare anything."""
        return bool(self._rules)

    def _add(self, rule: _Rule) -> None:
        names = rule.selector.last.names
        key = min(names, key=lambda name: (_RAREST.get(name[0], 2), name))
        self._rules.setdefault(key, []).append(rule)

    def find(self, tag: Tag) -> tuple[Declaration, ...]:
        """Find what is declared for a tag."""
        found = [rule for name in tag.names for rule in self._rules.get(name, ())]
        found = [rule for rule in found if rule.selector.fits(tag, self._budget)]
        found.sort(key=lambda rule: rule.weight)
        return tuple(one for rule in found for one in rule.said)


def _read_rules(page: str) -> Iterator[tuple[str, str]]:
    for sheet in _find_sheets(page):
        yield from _split_sheet(sheet)


def _find_sheets(page: str) -> Iterator[str]:
    """Find the style sheets; those in comments are for Outlook alone."""
    at, left = 0, _MOST_SIGNS
    while begin := _BEGIN.search(page, at):
        if begin.group() == "<!--":
            end = page.find("-->", begin.end())
            at = end + 3 if end >= 0 else len(page)
            continue
        opened = page.find(">", begin.end())
        closed = _END.search(page, opened) if opened >= 0 else None
        if closed is None:
            return
        media = read_attributes(page[begin.end() : opened]).get("media", "").strip()
        if fits_screen(media or "all"):
            left -= closed.start() - opened
            if left < 0:
                raise TooMuchStyleError
            yield page[opened + 1 : closed.start()]
        at = closed.end()


def _split_sheet(sheet: str) -> Iterator[tuple[str, str]]:
    """Split a sheet into rules of selectors and declarations; open ones end with the sheet."""
    heads: list[str] = []
    text = ""
    for piece in (*_TOKEN.findall(without_comments(sheet)), "}", "}"):
        if piece == "{":
            heads.append(text.strip())
            text = ""
        elif piece == "}":
            head = heads.pop() if heads else "@"
            if not head.startswith("@") and all(map(_applies, heads)):
                yield head, text
            text = ""
        elif piece == ";" and (not heads or heads[-1].startswith("@")):
            text = ""  # the end of an @import and the like
        elif piece not in ("<!--", "-->"):
            text += piece


def _applies(head: str) -> bool:
    """Whether what stands inside such a rule counts; a browser supports what a sheet asks for."""
    found = _CONDITION.fullmatch(head)
    if found is None:
        return False
    if found[1].lower() == "media":
        return fits_screen(found[2].strip() or "all")
    return not _UNSURE.search(found[2])
