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
    declarations: tuple[Declaration, ...]


class StyleSheets:
    """All rules of a page."""

    def __init__(self, page: str) -> None:
        self._rules: dict[str, list[_Rule]] = {}
        self._budget = LookBudget(_MOST_LOOKS)
        self.look_ahead = False
        """Whether rules ask for what comes after the beginning of a tag."""
        number, splitter = 0, SheetSplitter()
        for rule in (rule for sheet in _find_sheets(page) for rule in splitter.split(sheet)):
            declarations = read_declarations(rule.declarations)
            if not declarations:
                continue
            self.look_ahead |= looks_ahead(rule.selectors)
            for selector in read_selectors(rule.selectors):
                number += 1
                self._add(_Rule(selector, (selector.weight, number), rule.rank, declarations))
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
        rules = [rule for name in tag.names for rule in self._rules.get(name, ())]
        rules = [rule for rule in rules if rule.selector.fits(tag, self._budget)]
        rules.sort(key=lambda rule: (rule.rank, rule.weight))
        usual = [one for rule in rules for one in rule.declarations if not one[2]]
        rules.sort(key=lambda rule: rule.rank, reverse=True)  # what is !important counts in first
        return (*usual, *(one for rule in rules for one in rule.declarations if one[2]))


def _find_sheets(page: str) -> Iterator[str]:
    """Find the style sheets; those in comments are for Outlook alone."""
    at, room = 0, _MOST_SIGNS
    while opening := _BEGIN.search(page, at):
        if opening.group() == "<!--":
            end = page.find("-->", opening.end())
            at = end + 3 if end >= 0 else len(page)
            continue
        start = page.find(">", opening.end())
        closing = _END.search(page, start) if start >= 0 else None
        if closing is None:
            return
        media = read_attributes(page[opening.end() : start]).get("media", "").strip()
        if fits_screen(media or "all"):
            room -= closing.start() - start
            if room < 0:
                raise TooMuchStyleError
            yield page[start + 1 : closing.start()]
        at = closing.end()
