"""Selectors by tag, class, id and attributes, also one inside the other.

Other selectors, such as those by position or by what a mouse does, are not read.
"""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from msgspec import Struct

from adjudicator.adapters.mail.inbound.html.styles import read_attributes, unescape_style

_TEXT = r"""\"[^"]*"|'[^']*'"""
_TEST = rf"\[\s*([\w-]+)\s*(?:([~|^$*]?=)\s*({_TEXT}|[^\s\]\"']+)(?:\s*([is]))?\s*)?\]"
_PART = re.compile(rf"([.#][\w-]+)|{_TEST}", re.IGNORECASE)
_COMPOUND = re.compile(rf"(\*|[a-z][a-z0-9-]*)?((?:{_PART.pattern})*)", re.IGNORECASE)
_PIECE = re.compile(
    rf"\[(?:{_TEXT}|[^\]\"'])*\]|\((?:{_TEXT}|[^)\"'])*\)|\s*([>,])\s*|(\s+)|[^\[(\s>,]+|."
)
_ALIKE_NAMES = """
align alink axis bgcolor charset clear color dir direction face frame lang language link nowrap
rel rev rules scope target text type valign valuetype vlink
"""
_ALWAYS_ALIKE = frozenset(_ALIKE_NAMES.split())
"""Attributes of HTML that say the same in small and in capital letters."""

TagNames = frozenset[str]
"""Of a tag, its id and its classes: div, #top, .note; and `*`."""


class Tag(Struct, frozen=True):
    """What a selector may ask of a tag."""

    names: TagNames = frozenset()
    attributes: Mapping[str, str] = {}


class AttributeTest(Struct, frozen=True):
    """What stands between square brackets."""

    name: str
    operator: str
    value: str
    ignores_case: bool

    def holds(self, tag: Tag) -> bool:
        """Whether the tag has such an attribute."""
        given = tag.attributes.get(self.name)
        if given is None or not self.operator:
            return given is not None
        wanted = self.value
        if self.ignores_case:
            given, wanted = given.lower(), wanted.lower()
        match self.operator:
            case "=":
                return given == wanted
            case "|=":
                return given == wanted or given.startswith(f"{wanted}-")
            case "~=":
                return wanted in given.split()
        if not wanted:
            return False
        if self.operator == "^=":
            return given.startswith(wanted)
        return given.endswith(wanted) if self.operator == "$=" else wanted in given


class Compound(Struct, frozen=True):
    """All that is asked of one tag."""

    names: TagNames
    tests: tuple[AttributeTest, ...] = ()

    def fits(self, tag: Tag) -> bool:
        """Whether it is asked of this tag."""
        return self.names <= tag.names and all(test.holds(tag) for test in self.tests)


class Selector(Struct, frozen=True):
    """A tag, and what it stands in."""

    last: Compound
    around: tuple[tuple[Compound, bool], ...]
    """What it stands in, the nearest first; whether immediately."""
    weight: tuple[int, int, int]
    """Ids, classes with attributes, and tags: the highest counts."""


@lru_cache(maxsize=512)
def name_tag(tag: str, attributes: str) -> Tag:
    """Collect what selectors may ask of a tag."""
    given = read_attributes(attributes)
    names = [f".{one}" for one in given.get("class", "").split()]
    ids = [f"#{given['id']}"] if given.get("id") else []
    return Tag(frozenset(("*", tag, *names, *ids)), given)


def read_selectors(text: str) -> Iterator[Selector]:
    """Read those of a list that we can read."""
    steps, marks, step = [], [], ""
    for piece in (*_PIECE.finditer(unescape_style(text).strip()), None):
        mark = "," if piece is None else (piece[1] or piece[2])
        if mark is None and piece is not None:
            step += piece.group()
            continue
        steps.append(step)
        step = ""
        if mark != ",":
            marks.append(mark == ">")
            continue
        selector = _join(steps, marks)
        if selector is not None:
            yield selector
        steps, marks = [], []


def _join(steps: list[str], marks: list[bool]) -> Selector | None:
    compounds: list[Compound] = []
    ids = classes = tags = 0
    for step in steps:
        found = _COMPOUND.fullmatch(step)
        if found is None or not step:
            return None
        parts = list(_PART.finditer(found[2]))
        names = [part[1] for part in parts if part[1]]
        few = sum(name[0] == "#" for name in names)
        ids, classes = ids + few, classes + len(parts) - few
        tags += bool(found[1] and found[1] != "*")
        tests = tuple(_read_test(part) for part in parts if not part[1])
        compounds.append(Compound(frozenset((*names, (found[1] or "*").lower())), tests))
    around = zip(reversed(compounds[:-1]), reversed(marks), strict=True)
    return Selector(compounds[-1], tuple(around), (ids, classes, tags))


def _read_test(part: "re.Match[str]") -> AttributeTest:
    name, value = part[2].lower(), part[4] or ""
    plain = value[1:-1] if value[:1] in ("'", '"') else value
    flag = (part[5] or "").lower()
    return AttributeTest(name, part[3] or "", plain, flag == "i" or name in _ALWAYS_ALIKE)
