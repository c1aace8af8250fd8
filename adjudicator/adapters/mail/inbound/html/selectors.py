"""Selectors of style sheets, and which tags they choose."""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from adjudicator.adapters.mail.inbound.html.tags import Tag, TagNames


class TooMuchStyleError(Exception):
    """A page asks for more comparisons of tags with selectors than anybody needs."""


class LookBudget:
    """How often tags are still compared with selectors."""

    def __init__(self, looks: int) -> None:
        self._left = looks

    def spend(self) -> None:
        """Count a comparison."""
        self._left -= 1
        if self._left < 0:
            raise TooMuchStyleError


class AttributeTest(Struct, frozen=True):
    """What stands between square brackets."""

    name: str
    operator: str
    value: str
    ignores_case: bool

    def holds(self, tag: Tag, _: LookBudget) -> bool:
        """Whether the tag has such an attribute."""
        actual = tag.attributes.get(self.name)
        if actual is None or not self.operator:
            return actual is not None
        expected = self.value
        if self.ignores_case:
            actual, expected = actual.lower(), expected.lower()
        match self.operator:
            case "=":
                return actual == expected
            case "|=":
                return actual == expected or actual.startswith(f"{expected}-")
            case "~=":
                return expected in actual.split()
        if not expected:
            return False
        if self.operator == "^=":
            return actual.startswith(expected)
        return actual.endswith(expected) if self.operator == "$=" else expected in actual


class PlaceTest(Struct, frozen=True):
    """The place among all that the parent holds: each `step`-th from the `first` on."""

    step: int
    first: int
    of_kind: bool = False
    from_end: bool = False
    among: tuple["Selector", ...] = ()

    def holds(self, tag: Tag, budget: LookBudget) -> bool:
        """Whether the tag stands there."""
        siblings = tag.parent.children if tag.parent else [tag]
        if self.among:
            others = siblings[tag.place - 1 :] if self.from_end else siblings[: tag.place]
            peers = [one for one in others if fits_any(self.among, one, budget)]
            place = len(peers) if tag in peers else 0
        elif self.of_kind:
            count = tag.parent.counts[tag.kind] if tag.parent else 1
            place = count + 1 - tag.place_of_kind if self.from_end else tag.place_of_kind
        else:
            place = len(siblings) + 1 - tag.place if self.from_end else tag.place
        beyond = place - self.first
        if self.step == 0 or place == 0:
            return place > 0 and beyond == 0
        return beyond % self.step == 0 and beyond // self.step >= 0


class ListTest(Struct, frozen=True):
    """`:is`, `:where` and `:not`."""

    selectors: tuple["Selector", ...]
    expected: bool = True

    def holds(self, tag: Tag, budget: LookBudget) -> bool:
        """Whether one of the selectors chooses the tag, or none."""
        return fits_any(self.selectors, tag, budget) is self.expected


class HoldsTest(Struct, frozen=True):
    """`:has`: the selectors begin at the tag."""

    selectors: tuple["Selector", ...]

    def holds(self, tag: Tag, budget: LookBudget) -> bool:
        """Whether one of the selectors chooses something in or behind the tag."""
        behind = tag.parent.children[tag.place :] if tag.parent else []
        for one in self.selectors:
            joint = one.before[-1][0]
            inside = tag.below() if joint in " >" else _with_all_below(behind)
            if any(one.fits(other, budget, scope=tag) for other in inside):
                return True
        return False


class StateTest(Struct, frozen=True):
    """What a page says of a tag by itself; a mouse is never over it."""

    name: str

    def holds(self, tag: Tag, _: LookBudget) -> bool:
        """Whether the tag is so."""
        match self.name:
            case "root":
                return tag.parent is None
            case "empty":
                return not (tag.children or tag.has_text)
            case "link" | "any-link":
                return tag.kind in ("a", "area") and "href" in tag.attributes
        return False


TagTest = AttributeTest | PlaceTest | ListTest | HoldsTest | StateTest


class Compound(Struct, frozen=True):
    """All that is asked of one tag; nothing, where it is the tag at which `:has` begins."""

    names: TagNames = frozenset()
    tests: tuple[TagTest, ...] = ()
    is_scope: bool = False

    def fits(self, tag: Tag, budget: LookBudget, scope: Tag | None) -> bool:
        """Whether it is asked of this tag."""
        budget.spend()
        if self.is_scope:
            return tag is scope
        return self.names <= tag.names and all(one.holds(tag, budget) for one in self.tests)


Steps = tuple[tuple[str, Compound], ...]
"""What a tag stands in or behind, the nearest first, each after its sign."""


class Selector(Struct, frozen=True):
    """A tag, and what it stands in or behind."""

    last: Compound
    before: Steps
    weight: tuple[int, int, int]
    """Ids, classes with attributes, and tags: the highest counts."""

    def fits(self, tag: Tag, budget: LookBudget, *, scope: Tag | None = None) -> bool:
        """Whether it chooses this tag."""
        if not self.last.fits(tag, budget, scope):
            return False
        return _stands(tag, self.before, budget, scope) is True


def fits_any(selectors: Iterable[Selector], tag: Tag, budget: LookBudget) -> bool:
    """Whether one of these selectors chooses the tag."""
    return any(one.fits(tag, budget) for one in selectors)


def _stands(tag: Tag, steps: Steps, budget: LookBudget, scope: Tag | None) -> bool | None:
    """Whether a tag stands so; None if no tag around it does either."""
    if not steps:
        return True
    joint, compound = steps[0]
    for one in _find_before(tag, joint):
        if compound.fits(one, budget, scope):
            stands = _stands(one, steps[1:], budget, scope)
            if stands is not False:
                return stands
    return None if joint == " " or tag.parent is None else False


def _find_before(tag: Tag, joint: str) -> Iterator[Tag]:
    """Find what a tag stands in or behind, the nearest first."""
    if joint in " >":
        while tag.parent is not None:
            tag = tag.parent
            yield tag
            if joint == ">":
                return
    elif tag.parent is not None:
        for place in range(tag.place - 2, -1 if joint == "~" else max(tag.place - 3, -1), -1):
            yield tag.parent.children[place]


def _with_all_below(tags: Iterable[Tag]) -> Iterator[Tag]:
    for one in tags:
        yield one
        yield from one.below()
