"""Happenings told to a reader in sentences: what the words of every game are made with."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeVar

from msgspec import Struct

from adjudicator.core.document import Document, Seat
from adjudicator.core.event import Event

Facts = Mapping[str, Any]


class Told(Struct, frozen=True):
    """A happening in words."""

    text: str
    details: tuple[str, ...] = ()


class Reader(Struct, frozen=True):
    """For whom it is told; without a seat, for everybody."""

    seat: Seat | None

    def who(self, side: str) -> str:
        """The side inside a sentence."""
        return "you" if side == self.seat else side

    def begin(self, side: str) -> str:
        """The side as the first word of a sentence."""
        name = self.who(side)
        return name[0].upper() + name[1:] if name != side else name

    def begin_whose(self, side: str) -> str:
        """The side as an owner, as the first word of a sentence."""
        return "Your" if side == self.seat else f"{self.begin(side)}'s"

    def whose(self, side: str) -> str:
        """The side as an owner."""
        return "your" if side == self.seat else f"{self.who(side)}'s"


R = TypeVar("R", bound=Reader)

Teller = Callable[[Facts, R], str | Told]
"""The words for one kind of event."""


def tell(event: Event, reader: R, tellers: Mapping[str, Teller[R]]) -> Told:
    """The event in words; a kind without words of its own is told by its facts."""
    teller = tellers.get(event.kind)
    if teller is None:
        facts = ", ".join(f"{key} {value}" for key, value in sorted(event.data.items()))
        return Told(f"{event.kind}: {facts}" if facts else event.kind)
    told = teller(event.data, reader)
    return Told(told) if isinstance(told, str) else told


def happening(number: int, event: Event, told: Told, *, concerns: bool) -> Document:
    """The event as it stands in a report; `concerns`: whether the reader has part in it."""
    return {
        "n": number,
        "kind": event.kind,
        "rule": event.rule,
        "about": "you" if concerns else "others",
        "text": told.text,
        "details": list(told.details),
        "data": event.data,
    }


def count(number: int, thing: str) -> str:
    """`1 fleet`, `2 fleets`."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def listed(things: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`; equal things are counted."""
    if len(things) < 2:
        return "".join(things)
    counted = [
        name if (number := things.count(name)) == 1 else f"{name} x{number}"
        for name in dict.fromkeys(things)
    ]
    if len(counted) == 1:
        return counted[0]
    return f"{', '.join(counted[:-1])} and {counted[-1]}"


@lru_cache(maxsize=64)
def initials(sides: tuple[str, ...]) -> Mapping[str, str]:
    """The shortest beginnings that tell the sides apart."""
    found: dict[str, str] = {}
    for side in sides:
        others = [other for other in sides if other != side]
        found[side] = next(
            (
                side[:length]
                for length in range(1, len(side))
                if not any(other.startswith(side[:length]) for other in others)
            ),
            side,
        )
    return found
