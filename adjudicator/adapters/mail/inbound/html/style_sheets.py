"""What the style sheets of a page say of its tags, as far as it can hide text.

Rules count that a computer's screen would show; what rules hide whose selector or condition is
not read, is read.
"""

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

from adjudicator.adapters.mail.inbound.html.media import fits_screen
from adjudicator.adapters.mail.inbound.html.selectors import Compound, Selector, Tag, read_selectors
from adjudicator.adapters.mail.inbound.html.styles import (
    Declaration,
    read_attributes,
    read_declarations,
    without_comments,
)

_BEGIN = re.compile(r"<!--|<style(?=[\s>/])", re.IGNORECASE)
_END = re.compile(r"</style", re.IGNORECASE)
_TOKEN = re.compile(r""""[^"]*"?|'[^']*'?|<!--|-->|[{};]|[^{};"'<-]+|.""", re.DOTALL)
_CONDITION = re.compile(r"@(media|supports)\b(.*)", re.IGNORECASE | re.DOTALL)
_UNSURE = re.compile(r"\bnot\b|\bselector\b", re.IGNORECASE)
_RAREST = {"#": 0, ".": 1}
_MOST_SIGNS = 200_000
_MOST_RULES = 1_000
_MOST_LOOKS = 500_000
"""How often a tag is compared with a selector; who asks for more than that hides nothing more."""

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
        self._looks = 0
        for count, rule in enumerate(_read_rules(page)):
            names = rule.selector.last.names
            key = min(names, key=lambda name: (_RAREST.get(name[0], 2), name))
            self._rules.setdefault(key, []).append(rule)
            if count > _MOST_RULES:
                break

    def __bool__(self) -> bool:
        """Whether the style sheets declare anything."""
        return bool(self._rules)

    def find(self, tag: Tag, around: Iterable[Tag]) -> tuple[Declaration, ...]:
        """Find what is declared for a tag inside these others, nearest first."""
        found = [rule for name in tag.names for rule in self._rules.get(name, ())]
        self._looks += len(found)
        if self._looks > _MOST_LOOKS:
            return ()
        found = [rule for rule in found if rule.selector.last.fits(tag)]
        if any(rule.selector.around for rule in found):
            tags = list(around)
            found = [rule for rule in found if self._stands_in(rule.selector.around, tags)]
        found.sort(key=lambda rule: rule.weight)
        return tuple(one for rule in found for one in rule.said)

    def _stands_in(self, around: Iterable[tuple[Compound, bool]], tags: list[Tag]) -> bool:
        at = 0
        for compound, immediately in around:
            while at < len(tags) and self._looks < _MOST_LOOKS:
                self._looks += 1
                at += 1
                if compound.fits(tags[at - 1]):
                    break
                if immediately:
                    return False
            else:
                return False
        return True


def _read_rules(page: str) -> Iterator[_Rule]:
    number = 0
    for sheet in _find_sheets(page):
        for selectors, block in _split_sheet(sheet):
            said = read_declarations(block)
            for selector in read_selectors(selectors) if said else ():
                number += 1
                yield _Rule(selector, (selector.weight, number), said)


def _find_sheets(page: str) -> Iterator[str]:
    """Find the style sheets; those in comments are for Outlook alone."""
    at, left = 0, _MOST_SIGNS
    while left > 0 and (begin := _BEGIN.search(page, at)):
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
            yield page[opened + 1 : closed.start()][:left]
            left -= closed.start() - opened
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
