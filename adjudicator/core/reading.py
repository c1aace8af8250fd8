"""What a reader of YAML text hands to core.forms: plain values, and where each one stood."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from adjudicator.core.document import Document
from adjudicator.core.falling import Fallen
from adjudicator.core.finding import Finding, Path


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
    fallen: Fallen = Fallen()
    """What of the orders falls with those that were left out."""
