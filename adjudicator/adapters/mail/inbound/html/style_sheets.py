"""What the style sheets of a page say of its tags, as far as it can hide text.

Selectors by tag, class and id are read, also one inside the other; other selectors, and rules for
print or for some screens only, are left out, so that what they hide is read.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from msgspec import Struct

from adjudicator.adapters.mail.inbound.html.styles import (
    Declaration,
    read_attributes,
    read_declarations,
    unescape_style,
    without_comments,
)

_BEGIN = re.compile(r"<!--|<style(?=[\s>/])", re.IGNORECASE)
_END = re.compile(r"</style", re.IGNORECASE)
_TOKEN = re.compile(r""""[^"]*"?|'[^']*'?|<!--|-->|[{};]|[^{};"'<-]+|.""", re.DOTALL)
_EVERYWHERE = re.compile(r"@media\s+(?:only\s+)?(?:screen|all)\s*", re.IGNORECASE)
_COMPOUND = re.compile(r"(\*|[a-z][a-z0-9-]*)?((?:[.#][\w-]+)*)", re.IGNORECASE)
_NAME = re.compile(r"[.#][\w-]+")
_STEPS = re.compile(r"\s*(>)\s*|\s+")
_RAREST = {"#": 0, ".": 1}
_MOST_SIGNS = 200_000
_MOST_RULES = 1_000
_MOST_LOOKS = 500_000
"""How often a tag is compared with a selector; who asks for more than that hides nothing more."""

TagNames = frozenset[str]
"""Of a tag, its id and its classes: div, #top, .note; and `*`."""
_Weight = tuple[int, int, int, int]
"""Ids, classes and tags of a selector, and which rule it is in: the highest counts."""


class _Rule(Struct, frozen=True):
    """One selector with what it declares."""

    names: TagNames
    around: tuple[tuple[TagNames, bool], ...]
    """What it stands in, the nearest first; whether immediately."""
    weight: _Weight
    said: tuple[Declaration, ...]


class StyleSheets:
    """All rules of a page."""

    def __init__(self, page: str) -> None:
        self._rules: dict[str, list[_Rule]] = {}
        self._looks = 0
        for count, rule in enumerate(_read_rules(page)):
            key = min(rule.names, key=lambda name: (_RAREST.get(name[0], 2), name))
            self._rules.setdefault(key, []).append(rule)
            if count > _MOST_RULES:
                break

    def __bool__(self) -> bool:
        """Whether the style sheets declare anything."""
        return bool(self._rules)

    def find(self, names: TagNames, around: Iterable[TagNames]) -> tuple[Declaration, ...]:
        """Find what is declared for a tag with these names inside these others, nearest first."""
        found = [rule for name in names for rule in self._rules.get(name, ())]
        self._looks += len(found)
        if self._looks > _MOST_LOOKS:
            return ()
        found = [rule for rule in found if rule.names <= names]
        if any(rule.around for rule in found):
            tags = list(around)
            found = [rule for rule in found if self._stands_in(rule, tags)]
        found.sort(key=lambda rule: rule.weight)
        return tuple(one for rule in found for one in rule.said)

    def _stands_in(self, rule: _Rule, tags: list[TagNames]) -> bool:
        at = 0
        for names, immediately in rule.around:
            while at < len(tags) and self._looks < _MOST_LOOKS:
                self._looks += 1
                at += 1
                if names <= tags[at - 1]:
                    break
                if immediately:
                    return False
            else:
                return False
        return True


@lru_cache(maxsize=512)
def name_tag(tag: str, attributes: str) -> TagNames:
    """List the names that a selector may use for a tag."""
    given = read_attributes(attributes)
    names = [f".{one}" for one in given.get("class", "").split()]
    return frozenset(("*", tag, *names, *([f"#{given['id']}"] if given.get("id") else [])))


def _read_rules(page: str) -> Iterator[_Rule]:
    number = 0
    for sheet in _find_sheets(page):
        for selectors, block in _split_sheet(sheet):
            said = read_declarations(block)
            for selector in selectors.split(",") if said else ():
                number += 1
                rule = _read_selector(selector.strip(), number, said)
                if rule is not None:
                    yield rule


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
        media = read_attributes(page[begin.end() : opened]).get("media", "all")
        if _EVERYWHERE.fullmatch(f"@media {media}"):
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
            if not head.startswith("@") and all(map(_EVERYWHERE.fullmatch, heads)):
                yield head, text
            text = ""
        elif piece == ";" and (not heads or heads[-1].startswith("@")):
            text = ""  # the end of an @import and the like
        elif piece not in ("<!--", "-->"):
            text += piece


def _read_selector(selector: str, number: int, said: tuple[Declaration, ...]) -> _Rule | None:
    """Read the rule of one selector; None if it is not one we read."""
    parts = [one or "" for one in _STEPS.split(unescape_style(selector))]
    compounds = [_COMPOUND.fullmatch(one) for one in parts[::2]]
    steps: list[TagNames] = []
    ids = classes = tags = 0
    for found in compounds:
        if found is None or not found.group():
            return None
        names = _NAME.findall(found[2])
        ids += sum(name[0] == "#" for name in names)
        classes += sum(name[0] == "." for name in names)
        tags += bool(found[1] and found[1] != "*")
        steps.append(frozenset((*names, (found[1] or "*").lower())))
    around = zip(reversed(steps[:-1]), (mark == ">" for mark in reversed(parts[1::2])), strict=True)
    return _Rule(steps[-1], tuple(around), (ids, classes, tags, number), said)
