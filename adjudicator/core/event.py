"""What happened, for readers: each event names its rule and who may know it."""

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct

from adjudicator.core.document import Seat

NEGATED = "negated"
"""The kind of the event that tells a seat that an order on file came to nothing."""


class Event(Struct, frozen=True, kw_only=True):
    """One happening of an adjudication."""

    kind: str
    rule: str
    seen_by: tuple[Seat, ...] | None
    """The seats that may know of it; None is everybody, observers too."""
    data: Mapping[str, Any] = {}


def negated(
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


def visible(events: Iterable[Event], seat: Seat | None) -> tuple[Event, ...]:
    """The events that this seat may know; None is somebody without a seat."""
    return tuple(e for e in events if e.seen_by is None or seat in e.seen_by)
