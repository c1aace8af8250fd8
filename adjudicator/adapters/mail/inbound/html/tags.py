"""The tags of a page, each with its place among the others: what selectors may ask of them."""

from collections.abc import Iterator, Mapping
from functools import lru_cache

from msgspec import Struct

from adjudicator.adapters.mail.inbound.html.styles import read_attributes

_OF_HEAD = frozenset(("base", "link", "meta", "noscript", "script", "style", "template", "title"))

TagNames = frozenset[str]
"""Of a tag, its id and its classes: div, #top, .note; and `*`."""


class Tag(Struct, eq=False):
    """A tag, and what stands around and in it."""

    kind: str
    attributes: Mapping[str, str] = {}
    names: TagNames = frozenset()
    parent: "Tag | None" = None
    place: int = 1
    """Among all that its parent holds."""
    place_of_kind: int = 1
    """Among the tags of its kind there."""
    children: list["Tag"] = []
    counts: dict[str, int] = {}
    """How many children of each kind it has."""
    has_text: bool = False

    def below(self) -> Iterator["Tag"]:
        """All that stands in it, in the order of the page."""
        rest = self.children[::-1]
        while rest:
            one = rest.pop()
            yield one
            rest += one.children[::-1]


class TagTree:
    """The tags of a page; read a second time, each is found where it was."""

    def __init__(self) -> None:
        self._html = _describe(Tag("html"), "")
        self._head = self._add("head", "", self._html)
        self.body = self._add("body", "", self._html)
        self._is_in_head = True
        self._tags: dict[tuple[int, str], Tag] = {}

    def take(self, at: int, kind: str, attributes: str, parent: Tag) -> Tag:
        """Take in the tag that begins at this position of the page."""
        self._is_in_head &= kind != "body" or at < 0
        if (at, kind) not in self._tags:
            self._tags[at, kind] = self._place(kind, attributes, parent)
        return self._tags[at, kind]

    def _place(self, kind: str, attributes: str, parent: Tag) -> Tag:
        for one in (self._html, self._head, self.body):  # each is there once, named or not
            if one.kind == kind:
                return one if one.attributes else _describe(one, attributes)
        if parent is self._html:
            parent = self.body
        self._is_in_head &= parent is not self.body or (kind in _OF_HEAD and not self.body.has_text)
        if parent is self.body and self._is_in_head:
            parent = self._head
        return self._add(kind, attributes, parent)

    def _add(self, kind: str, attributes: str, parent: Tag) -> Tag:
        tag = _describe(Tag(kind, parent=parent), attributes)
        parent.children.append(tag)
        parent.counts[kind] = parent.counts.get(kind, 0) + 1
        tag.place, tag.place_of_kind = len(parent.children), parent.counts[kind]
        return tag


def _describe(tag: Tag, attributes: str) -> Tag:
    tag.attributes, tag.names = _read_names(tag.kind, attributes)
    return tag


@lru_cache(maxsize=512)  # pages say the same in each line
def _read_names(kind: str, attributes: str) -> tuple[Mapping[str, str], TagNames]:
    values = read_attributes(attributes)
    names = [f".{one}" for one in values.get("class", "").split()]
    ids = [f"#{values['id']}"] if values.get("id") else []
    return values, frozenset(("*", kind, *names, *ids))
