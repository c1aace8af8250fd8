"""What the style sheets of a page say of its tags, as far as it can hide text.

Rules count that a computer's screen would show; what rules hide whose selector or condition is
not read, is read.
"""

import re
from collections.abc import Iterator

from msgspec import Struct

from adjudicator.adapters.mail.inbound.html.media import fits_screen
from adjudicator.adapters.mail.inbound.html.nesting import LayerRank, SheetSplitter
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
)
from adjudicator.adapters.mail.inbound.html.tags import Tag

_BEGIN = re.compile(r"<!--|<style(?=[\s>/])", re.IGNORECASE)
_END = re.compile(r"</style", re.IGNORECASE)
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
    rank: LayerRank
    said: tuple[Declaration, ...]


class StyleSheets:
    """All rules of a page."""

    def __init__(self, page: str) -> None:
        self._rules: dict[str, list[_Rule]] = {}
        self._budget = LookBudget(_MOST_LOOKS)
        self.look_ahead = False
        """Whether rules ask for what comes after the beginning of a tag."""
        number, splitter = 0, SheetSplitter()
        for rule in (rule for sheet in _find_sheets(page) for rule in splitter.split(sheet)):
            said = read_declarations(rule.declarations)
            if not said:
                continue
            self.look_ahead |= looks_ahead(rule.selectors)
            for selector in read_selectors(rule.selectors):
                number += 1
                self._add(_Rule(selector, (selector.weight, number), rule.rank, said))
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
        found.sort(key=lambda rule: (rule.rank, rule.weight))
        usual = [one for rule in found for one in rule.said if not one[2]]
        found.sort(key=lambda rule: rule.rank, reverse=True)  # what is !important counts in first
        return (*usual, *(one for rule in found for one in rule.said if one[2]))


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
