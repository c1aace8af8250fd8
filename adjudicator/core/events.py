"""Events of an adjudication, and how they become sentences for a reader."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeVar

from msgspec import Struct

from adjudicator.core.document import Document, Seat

NEGATED = "negated"
"""The kind of the event that tells a seat that an order on file came to nothing."""


class Event(Struct, frozen=True, kw_only=True):
    """One happening of an adjudication."""

    kind: str
    rule: str
    seen_by: tuple[Seat, ...] | None
    """The seats that may know of it; None is everybody, observers too."""
    data: Mapping[str, Any] = {}


def make_negation(
    seat: Seat,
    rule: str,
    order: str,
    why: str,
    *,
    seen_by: tuple[Seat, ...] | None,
    path: tuple[str | int, ...] = (),
) -> Event:
    """The event that tells that an order of this seat came to nothing."""
    data = {"seat": seat, "order": order, "why": why, "path": list(path)}
    return Event(kind=NEGATED, rule=rule, seen_by=seen_by, data=data)


def list_visible(events: Iterable[Event], seat: Seat | None) -> tuple[Event, ...]:
    """The events that this seat may know; None is somebody without a seat."""
    return tuple(e for e in events if e.seen_by is None or seat in e.seen_by)


Facts = Mapping[str, Any]


class EventText(Struct, frozen=True):
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


_R = TypeVar("_R", bound=Reader)

Teller = Callable[[Facts, _R], str | EventText]
"""The words for one kind of event."""


def describe_event(event: Event, reader: _R, tellers: Mapping[str, Teller[_R]]) -> EventText:
    """The event in words; a kind without words of its own is told by its facts."""
    teller = tellers.get(event.kind)
    if teller is None:
        facts = ", ".join(f"{key} {value}" for key, value in sorted(event.data.items()))
        return EventText(f"{event.kind}: {facts}" if facts else event.kind)
    told = teller(event.data, reader)
    return EventText(told) if isinstance(told, str) else told


def report_event(number: int, event: Event, told: EventText, *, concerns: bool) -> Document:
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


def format_count(number: int, thing: str) -> str:
    """`1 fleet`, `2 fleets`."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def format_list(things: Sequence[str]) -> str:
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
def find_initials(sides: tuple[str, ...]) -> Mapping[str, str]:
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
