"""Findings about orders when they arrive, in four grades."""

from enum import StrEnum
from typing import Literal

from msgspec import Struct

Path = tuple[str | int, ...]
"""A place in a form: ("jump", 2, "to")."""


class Grade(StrEnum):
    """The severity of a finding."""

    UNREADABLE = "unreadable"  # not YAML or not this form at all: the letter changes nothing
    REFUSED = "refused"  # the entry cannot be read: it is not put on file
    DOOMED = "doomed"  # on file, and surely negated, and the seat can see why
    DOUBTFUL = "doubtful"  # on file; may fail, depending on what the seat cannot see


Uncertainty = Literal["others", "hidden", "both"]
"""What a doubt hangs on: what others will order, hidden things and dice, or either."""


class Finding(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One thing that a player should know about their orders."""

    grade: Grade
    rule: str
    message: str
    path: Path = ()
    """The faulty place; () is the whole form."""
    entry: Path = ()
    """The entry that is left out (refused) or meant; faults of one entry share it."""
    line: int | None = None
    column: int | None = None
    hangs_on: Uncertainty = "others"
    """Of a doubtful order; imagined positions weigh what hangs on hidden things."""
    odds: int | None = None
    """In how many of a hundred imagined positions it fails, if they were weighed."""


def make_finding(
    grade: Grade, rule: str, message: str, path: Path, *, hangs_on: Uncertainty = "others"
) -> Finding:
    """Make a finding about an entry as a whole: the faulty place is the entry itself."""
    return Finding(
        grade=grade, rule=rule, message=message, path=path, entry=path, hangs_on=hangs_on
    )


def format_path(path: Path) -> str:
    """Format the path as a player reads it: jump[2].to (entries are counted from 1)."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part + 1}]"
        else:
            text += f".{part}" if text else part
    return text
