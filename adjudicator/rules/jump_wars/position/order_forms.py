"""The lists of jump orders: parsed, numbered, and as text (JW-28, JW-35, JW-46)."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, convert

from adjudicator.core.document import Document
from adjudicator.core.finding import Path
from adjudicator.rules.jump_wars.position.space import Space
from adjudicator.rules.jump_wars.position.state import (
    NO_PRIVATE_ORDERS,
    Jump,
    PrivateOrders,
    RevealedOrders,
)

HOMEWORLD = 0
"""The number of the order that moves the homeworld (JW-35)."""


class Move(Struct, frozen=True):
    """The order that moves the homeworld (JW-35)."""

    target: Space


class Entry(Struct, frozen=True):
    """One numbered place of a seat's list, as it is served."""

    number: int
    order: Jump | Move | None
    """None: cancelled by espionage; the place still counts (JW-47)."""
    is_rewritten: bool = False
    struck_by: str | None = None
    """The seat whose time jump negates it (JW-49)."""

    @property
    def path(self) -> Path:
        """The order's place in the form that holds it."""
        if self.is_rewritten:
            return ("espionage", "rewrite")
        if self.number == HOMEWORLD:
            return ("move_homeworld",)
        return ("jump", self.number - 1)


def parse_jump(entry: Mapping[str, Any]) -> Jump:
    """Parse a jump as the form writes it."""
    return Jump(entry["from"], entry["to"], entry["fleets"])


def parse_revealed(form: Document) -> RevealedOrders:
    """Parse the part of a jump form that is revealed."""
    jumps = [parse_jump(entry) for entry in form.get("jump") or ()]
    return RevealedOrders(tuple(jumps), form.get("move_homeworld"))


def parse_private(form: Document) -> PrivateOrders:
    """Parse the part of a jump form that stays private until it is used."""
    fight, final = form.get("fight") or {}, form.get("final") or {}
    if not fight and not final:
        return NO_PRIVATE_ORDERS
    return convert({"fight": fight, "final": final}, PrivateOrders)


def list_entries(orders: RevealedOrders) -> tuple[Entry, ...]:
    """List orders as they are served: number 0 first (JW-35)."""
    entries = [Entry(number, jump) for number, jump in enumerate(orders.jumps, start=1)]
    if orders.move_homeworld is not None:
        entries.insert(0, Entry(HOMEWORLD, Move(orders.move_homeworld)))
    return tuple(entries)


def describe_order(order: Jump | Move) -> str:
    """Describe the order as a player would write it: `C4-D5 x3`."""
    if not isinstance(order, Jump):
        return f"move_homeworld: {order.target}"
    if order.fleets == "all":
        return f"{order.source}-{order.target} all"
    return f"{order.source}-{order.target} x{order.fleets}"
