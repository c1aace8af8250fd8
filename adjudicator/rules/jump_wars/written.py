"""The lists of jump orders: read from the forms, numbered, told in words (JW-28, JW-35, JW-46)."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from adjudicator.core.document import Document
from adjudicator.core.finding import Path
from adjudicator.rules.jump_wars.space import Space
from adjudicator.rules.jump_wars.state import NOTHING_KEPT, Jump, Kept, Written

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
    rewritten: bool = False
    struck: str | None = None
    """The seat whose time jump negates it (JW-49)."""

    @property
    def path(self) -> Path:
        """Where the order stands in the form that holds it."""
        if self.rewritten:
            return ("espionage", "rewrite")
        if self.number == HOMEWORLD:
            return ("move_homeworld",)
        return ("jump", self.number - 1)


def jump_of(entry: Mapping[str, Any]) -> Jump:
    """A jump as the form writes it."""
    return Jump(entry["from"], entry["to"], entry["fleets"])


def written_of(form: Document) -> Written:
    """The part of a jump form that is revealed."""
    jumps = [jump_of(entry) for entry in form.get("jump") or ()]
    return Written(tuple(jumps), form.get("move_homeworld"))


def kept_of(form: Document) -> Kept:
    """The part of a jump form that stays private until it is used."""
    fight = form.get("fight") or {}
    final = form.get("final") or {}
    if not fight and not final:
        return NOTHING_KEPT
    return Kept(
        targets=tuple(fight.get("targets") or ()),
        nova_bombs=tuple([(bomb["at"], bomb["ships"]) for bomb in fight.get("nova_bombs") or ()]),
        discard=tuple(final.get("discard") or ()),
    )


def entries_of(written: Written) -> tuple[Entry, ...]:
    """The list in the order in which it is served: number 0 first (JW-35)."""
    entries = [Entry(number, jump) for number, jump in enumerate(written.jumps, start=1)]
    if written.move_homeworld is not None:
        entries.insert(0, Entry(HOMEWORLD, Move(written.move_homeworld)))
    return tuple(entries)


def text_of(order: Jump | Move) -> str:
    """The order as a player would write it: `C4-D5 x3`."""
    if not isinstance(order, Jump):
        return f"move_homeworld: {order.target}"
    if order.fleets == "all":
        return f"{order.source}-{order.target} all"
    return f"{order.source}-{order.target} x{order.fleets}"
