"""Read selectors as style sheets write them.

One that we do not know chooses nothing.
"""

import re
from collections.abc import Iterator, Sequence

from adjudicator.adapters.mail.inbound.html.selectors import (
    AttributeTest,
    Compound,
    HoldsTest,
    ListTest,
    PlaceTest,
    Selector,
    StateTest,
    Steps,
    TagTest,
)
from adjudicator.adapters.mail.inbound.html.styles import unescape_style

_TEXT = r"""\"[^"]*"|'[^']*'"""
_TOKEN = re.compile(
    rf"\[\s*(?P<attribute>[\w-]+)\s*"
    rf"(?:(?P<operator>[~|^$*]?=)\s*(?P<value>{_TEXT}|[^\s\]\"']+)(?:\s*(?P<flag>[is]))?\s*)?\]"
    r"|(?P<name>[.#][\w-]+|\*|[a-z][\w-]*)"
    r"|:(?P<state>[a-z-]+)(?P<opens>\(\s*)?"
    r"|\s*(?P<end>,\s*|\)|$)"
    r"|\s*(?P<joint>[>+~])\s*"
    r"|(?P<gap>\s+)",
    re.IGNORECASE,
)
_JOINT = re.compile(r"\s*([>+~])\s*")
_OPEN_TEXT = r"""\"[^"]*\"?|'[^']*'?"""
_SKIPPED = re.compile(rf"\[(?:{_OPEN_TEXT}|[^\]\"'])*+\]?|{_OPEN_TEXT}|[()]|,\s*")
"""What is not closed ends with the text: nobody searches twice for what is missing."""
_NTH = re.compile(
    r"(?:(even|odd)|([+-]?\d{0,6})n(?:\s*([+-])\s*(\d{1,6}))?|([+-]?\d{1,6}))\s*(\)|of\s+)",
    re.IGNORECASE,
)
_PLACES: dict[str, tuple[PlaceTest, ...]] = {
    "first-child": (PlaceTest(0, 1),),
    "last-child": (PlaceTest(0, 1, from_end=True),),
    "first-of-type": (PlaceTest(0, 1, of_kind=True),),
    "last-of-type": (PlaceTest(0, 1, of_kind=True, from_end=True),),
}
_PLACES |= {
    f"only-{what}": _PLACES[f"first-{what}"] + _PLACES[f"last-{what}"]
    for what in ("child", "of-type")
}
_STATE_NAMES = """
active any-link empty focus focus-visible focus-within hover link root target visited
"""
_STATES = frozenset(_STATE_NAMES.split())
_LISTS = frozenset(("is", "where", "not", "has", "matches", "-webkit-any"))
_AHEAD = re.compile(r":(?:last|only|nth-last|has|empty)\b", re.IGNORECASE)
_DEEPEST = 12
_ALIKE_NAMES = """
align alink axis bgcolor charset clear color dir direction face frame lang language link nowrap
rel rev rules scope target text type valign valuetype vlink
"""
_ALWAYS_ALIKE = frozenset(_ALIKE_NAMES.split())
"""Attributes of HTML that say the same in small and in capital letters."""
_NO_WEIGHT, _CLASS_WEIGHT = (0, 0, 0), (0, 1, 0)
_Weight = tuple[int, int, int]


class _UnreadableError(Exception):
    """A selector, or a part of it, that we do not know."""


def read_selectors(text: str) -> Iterator[Selector]:
    """Read those of a list that we can read."""
    reader = _Reader(unescape_style(text).strip())
    while True:
        selector = reader.selector(depth=0)
        if selector is not None:
            yield selector
        if reader.ended_with != ",":
            return


def looks_ahead(text: str) -> bool:
    """Whether these selectors ask for what stands in or behind a tag."""
    return bool(_AHEAD.search(unescape_style(text)))


class _Reader:
    """Reads selectors one after the other."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self.ended_with = ""
        """The comma or parenthesis behind the last selector."""

    def selector(self, *, depth: int, scope: bool = False) -> Selector | None:
        """Read the next selector; None if it is not known to us, after skipping it."""
        start = self._at
        try:
            return self._selector(depth, scope=scope)
        except _UnreadableError:
            self._at = start
            self._skip()
            return None

    def _selector(self, depth: int, *, scope: bool) -> Selector:
        joints: list[str] = []
        compounds: list[Compound] = [Compound(is_scope=True)] if scope else []
        weights: list[_Weight] = []
        if scope:
            match = _JOINT.match(self._text, self._at)
            joints.append(match[1] if match else " ")
            self._at = match.end() if match else self._at
        while True:
            compound, weight = self._compound(depth)
            compounds.append(compound)
            weights.append(weight)
            joint = self._joint()
            if not joint:
                break
            joints.append(joint)
        before: Steps = tuple(zip(reversed(joints), reversed(compounds[:-1]), strict=True))
        return Selector(compounds[-1], before, _add(weights))

    def _joint(self) -> str:
        """Read what stands between two compounds, or the end of the selector."""
        match = _TOKEN.match(self._text, self._at)
        assert match is not None, "a compound ends where something else was found"
        self._at = match.end()
        if match["end"] is not None:
            self.ended_with = match["end"][:1]
            return ""
        return match["joint"] or " "

    def _compound(self, depth: int) -> tuple[Compound, _Weight]:
        names: list[str] = []
        tests: list[TagTest] = []
        weights: list[_Weight] = []
        while match := _TOKEN.match(self._text, self._at):
            if name := match["name"]:
                if name[0] not in ".#" and (names or tests):
                    raise _UnreadableError
                names.append(name if name[0] in ".#" else name.lower())
                weights.append((name[0] == "#", name[0] == ".", name[0] not in "#.*"))
            elif match["attribute"]:
                tests.append(_read_attribute(match))
                weights.append(_CLASS_WEIGHT)
            elif not match["state"]:
                break
            self._at = match.end()
            if match["state"]:
                state_tests, weight = self._state(match["state"].lower(), match["opens"], depth)
                tests += state_tests
                weights.append(weight)
        if match is None or not (names or tests):
            raise _UnreadableError
        if not names or names[0][0] in ".#":
            names.append("*")
        return Compound(frozenset(names), tuple(tests)), _add(weights)

    def _state(self, name: str, opens: str | None, depth: int) -> tuple[Sequence[TagTest], _Weight]:
        if not opens and name in _PLACES:
            return _PLACES[name], _CLASS_WEIGHT
        if not opens and name in _STATES:
            return (StateTest(name),), _CLASS_WEIGHT
        if not opens or depth >= _DEEPEST:
            raise _UnreadableError
        if name in _LISTS:
            selectors = self._list(depth, scope=name == "has", forgives=name not in ("not", "has"))
            weight = _NO_WEIGHT if name == "where" else _heaviest(selectors)
            if name == "has":
                return (HoldsTest(selectors),), weight
            return (ListTest(selectors, expected=name != "not"),), weight
        return self._nth(name, depth)

    def _list(
        self, depth: int, *, scope: bool = False, forgives: bool = False
    ) -> tuple[Selector, ...]:
        """Read the selectors up to the parenthesis that ends them."""
        selectors = []
        while True:
            selector = self.selector(depth=depth + 1, scope=scope)
            if selector is not None:
                selectors.append(selector)
            elif not forgives:
                raise _UnreadableError
            if self.ended_with != ",":
                return tuple(selectors)

    def _nth(self, name: str, depth: int) -> tuple[Sequence[TagTest], _Weight]:
        match = _NTH.match(self._text, self._at)
        kinds = ("nth-child", "nth-last-child", "nth-of-type", "nth-last-of-type")
        if match is None or name not in kinds:
            raise _UnreadableError
        self._at = match.end()
        among = self._list(depth) if match[6] != ")" else ()
        step, first = _read_steps(match)
        of_kind = name.endswith("type")
        test = PlaceTest(step, first, of_kind, "last" in name, among)
        return (test,), _add((_CLASS_WEIGHT, _heaviest(among)))

    def _skip(self) -> None:
        """Go to the end of a selector, over all that stands in parentheses and brackets."""
        open_ones = 0
        for match in _SKIPPED.finditer(self._text, self._at):
            sign = match.group()[:1]
            if open_ones == 0 and sign in ",)":
                self._at, self.ended_with = match.end(), sign
                return
            open_ones += (sign == "(") - (sign == ")")
        self._at, self.ended_with = len(self._text), ""


def _read_steps(match: "re.Match[str]") -> tuple[int, int]:
    if match[1]:
        return 2, int(match[1].lower() == "odd")
    if match[5]:
        return 0, int(match[5])
    step = int(match[2]) if match[2].strip("+-") else int(f"{match[2]}1")
    return step, int(f"{match[3] or ''}{match[4] or 0}")


def _read_attribute(match: "re.Match[str]") -> AttributeTest:
    name, value = match["attribute"].lower(), match["value"] or ""
    plain = value[1:-1] if value[:1] in ("'", '"') else value
    flag = (match["flag"] or "").lower()
    ignores_case = flag == "i" or (name in _ALWAYS_ALIKE and flag != "s")
    return AttributeTest(name, match["operator"] or "", plain, ignores_case)


def _add(weights: Sequence[_Weight]) -> _Weight:
    ids, classes, tags = (sum(one) for one in zip(_NO_WEIGHT, *weights, strict=True))
    return ids, classes, tags


def _heaviest(selectors: Sequence[Selector]) -> _Weight:
    return max((one.weight for one in selectors), default=_NO_WEIGHT)
