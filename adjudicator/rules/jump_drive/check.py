"""What a seat can see of how its orders will fare: everything that matters lies open to it."""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from adjudicator.core.document import Document, Seat
from adjudicator.core.finding import Finding, Grade
from adjudicator.rules.jump_drive.case import Case, Own, case_of
from adjudicator.rules.jump_drive.components import Components
from adjudicator.rules.jump_drive.faults import Fault, exact, first_fault
from adjudicator.rules.jump_drive.seconds import with_first
from adjudicator.rules.jump_drive.state import View
from adjudicator.rules.jump_drive.written import Placing, placing_of, second_of

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


def case(view: View, orders: Document, components: Components) -> Case | None:
    """The orders beside what the seat has, in the steps in which cards are placed."""
    table, own, seat = view.table, own_of(view), view.seat
    if table.step == "place":
        return case_of(own, placing_of(orders), components)
    if table.step == "second" and "world" in orders and seat is not None and seat in table.placed:
        first = with_first(own, table.placed[seat])
        return case_of(first, Placing(second=second_of(orders)), components)
    return None


def own_of(view: View) -> Own:
    """What the view's seat places from."""
    if view.seat is None:
        return Own(hand=(), empire=())
    return Own(
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
    placed = case(view, orders, components)
    fault = first_fault(placed) if placed else None
    if fault is not None and view.table.step == "second" and fault.path[:1] == ("second",):
        return replace(fault, path=fault.path[1:])  # the form of this step is the second world
    return fault
