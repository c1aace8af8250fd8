"""What a seat can see of how its orders will fare: everything that matters lies open to it."""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from adjudicator.core.document import Document, Seat
from adjudicator.core.finding import Finding, Grade
from adjudicator.rules.jump_drive.phases.costs import Holdings, Placement, placement_of
from adjudicator.rules.jump_drive.phases.faults import Fault, exact, first_fault
from adjudicator.rules.jump_drive.phases.second_worlds import add_first_world
from adjudicator.rules.jump_drive.position.components import Components
from adjudicator.rules.jump_drive.position.order_forms import Placing, parse_placing, parse_second
from adjudicator.rules.jump_drive.position.state import View

_EXACT: Final = {"opening": "JD-2", "explore": "JD-11", "trim": "JD-15"}
"""The steps that want a list of discards, and the rule that says how long it is."""


def check(view: View, seat: Seat, orders: Document, components: Components) -> Sequence[Finding]:
    """At most one finding: a form is one order, refused whole or not at all (JD-10)."""
    if view.table.over is not None or seat != view.seat:
        return ()
    fault = _fault(view, orders, components)
    if fault is None:
        return ()
    return (Finding(grade=Grade.REFUSED, rule=fault.rule, message=fault.why, path=fault.path),)


def placement_in_view(view: View, orders: Document, components: Components) -> Placement | None:
    """The orders beside what the seat has, in the steps in which cards are placed."""
    table, own, seat = view.table, holdings_in_view(view), view.seat
    if table.step == "place":
        return placement_of(own, parse_placing(orders), components)
    if table.step == "second" and "world" in orders and seat is not None and seat in table.placed:
        first = add_first_world(own, table.placed[seat])
        return placement_of(first, Placing(second=parse_second(orders)), components)
    return None


def holdings_in_view(view: View) -> Holdings:
    """What the view's seat places from."""
    if view.seat is None:
        return Holdings(hand=(), empire=())
    return Holdings(
        hand=view.hand,
        empire=view.table.empires[view.seat],
        surveyed=view.seat in view.table.surveyed,
    )


def _fault(view: View, orders: Document, components: Components) -> Fault | None:
    rule = _EXACT.get(view.table.step)
    if rule is not None:
        if "discard" not in orders:
            return None
        return exact(orders["discard"], view.hand, view.owed, rule, components)
    if view.table.step == "second" and orders.get("pass") and "world" in orders:
        return Fault("JD-4a", "Pass or place a second world, not both.", ("pass",))
    placed = placement_in_view(view, orders, components)
    fault = first_fault(placed) if placed else None
    if fault is not None and view.table.step == "second" and fault.path[:1] == ("second",):
        return replace(fault, path=fault.path[1:])  # the form of this step is the second world
    return fault
