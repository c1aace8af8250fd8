"""A form's text with its places, the form as read, and what falls with a refused entry.

A form's schema says so: `x-stops` beside a list, with the keys that come after it; `x-whole` at
the top of a form that is put on file whole or not at all.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from adjudicator.core.document import Document
from adjudicator.core.finding import Finding, Path
from adjudicator.core.forms.schema import Node


class FallenEntries(Struct, frozen=True):
    """Entries that are not put on file although nothing is wrong with them."""

    paths: tuple[Path, ...] = ()
    """By their places in the orders; () is the whole form."""
    stopped: tuple[str, ...] = ()
    """The lists that were cut short. What is left of them counts at the deadline; until then a
    corrected letter is waited for."""

    @property
    def is_whole(self) -> bool:
        """Whether nothing of the form is put on file."""
        return () in self.paths


def find_fallen(root: Node, orders: Document, refused_paths: Sequence[Path]) -> FallenEntries:
    """Find what falls with these refused entries of the orders."""
    if not refused_paths:
        return FallenEntries()
    if root.is_whole or () in refused_paths:
        return FallenEntries(((),))
    paths: list[Path] = []
    stopped: list[str] = []
    for key, node in root.properties.items():
        first = _find_first_refused(key, refused_paths) if node.stops is not None else None
        if first is None:
            continue
        stopped.append(key)
        entries = orders.get(key) or ()
        paths += [
            (key, number)
            for number in range(first, len(entries))
            if (key, number) not in refused_paths
        ]
        paths += [(after,) for after in node.stops or () if after in orders]
    return FallenEntries(tuple(paths), tuple(stopped))


def _find_first_refused(key: str, refused_paths: Sequence[Path]) -> int | None:
    """Find the number of the list's first refused entry; 0 when the list itself is refused."""
    numbers = [path[1] if len(path) > 1 else 0 for path in refused_paths if path[:1] == (key,)]
    return min((number for number in numbers if isinstance(number, int)), default=None)


class Mark(Struct, frozen=True):
    """A place in somebody's own text, counted from 1."""

    line: int
    column: int


class Text(Struct, frozen=True):
    """A YAML document with every scalar as it was written (`no`, `010`, `12:30`)."""

    value: Any
    """Mappings, lists, strings; None for nothing."""
    marks: Mapping[Path, Mark] = {}
    """Where each value begins."""
    keys: Mapping[Path, Mark] = {}
    """Where each key begins, by the path of its value."""


class Reading(Struct, frozen=True):
    """A form as it was understood."""

    orders: Document | None
    """What can go on file: typed, names resolved, faulty entries left out; None: unreadable."""
    findings: tuple[Finding, ...] = ()
    marks: Mapping[Path, Mark] = {}
    """Where the values on file stood in the writer's text, by their path on file."""
    fallen: FallenEntries = FallenEntries()
    """The entries that fall with those that were left out."""


class WrittenLine(Struct, frozen=True):
    """A line that somebody wrote outside any form."""

    text: str
    """Mended, without the mark of a list."""
    number: int
    """Counted from 1 in the writer's own words."""
    raw: str = ""
    """As it was written."""
    value: Text | None = None
    """The mapping that begins here, where it can be read as YAML."""
    lines: int = 1
    """How many lines that mapping takes."""
    ends: bool = False
    """A quotation, a form or a signature follows."""


class Slip(Struct, frozen=True):
    """A line that is no order, but would be one with a small change."""

    text: str
    meant: Document
    """The keys that its writer seems to mean, ready to be read."""
    is_part: bool = False
    """Whether more stands in the line, which was not understood."""


class FreeReading(Struct, frozen=True, kw_only=True):
    """What was understood of lines outside any form."""

    text: Text = Text(value=None)
    """The keys that were given, as if they stood in a form."""
    taken: tuple[int, ...] = ()
    """The lines that gave them, by their places."""
    slips: tuple[Slip, ...] = ()
    meant: Document | None = None
    """All that was given and, in its place, what the slips seem to mean; None without slips."""
    odd: tuple[str, ...] = ()
    """What looked like an order and is none, each with the reason."""
    is_incomplete: bool = False
    """Whether some of that is an order of the form, and no request beside it."""
