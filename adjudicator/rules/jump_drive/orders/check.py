"""Check a seat's orders, as far as it can see how they will turn out."""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from adjudicator.core.document import Document, Seat
from adjudicator.core.finding import Finding, Grade
from adjudicator.rules.jump_drive.phases.costs import (
    Holdings,
    Placement,
    find_empire_after_convoy,
    find_specialist,
    make_placement,
)
from adjudicator.rules.jump_drive.phases.faults import Fault, check_discards, find_first_fault
from adjudicator.rules.jump_drive.phases.placing import add_first_world
from adjudicator.rules.jump_drive.position.components import DEVELOPMENT, WORLD, Card, Components
from adjudicator.rules.jump_drive.position.order_forms import (
    Placing,
    Second,
    parse_placing,
    parse_second,
)
from adjudicator.rules.jump_drive.position.powers import SecondWorld
from adjudicator.rules.jump_drive.position.state import View

_EXACT: Final = {"opening": "JD-2", "explore": "JD-11", "trim": "JD-15"}
"""The steps that want a list of discards, and the rule that says how long it is."""


def check(view: View, seat: Seat, orders: Document, components: Components) -> Sequence[Finding]:
    """Check a form, which is one order: it is refused whole or not at all (JD-10)."""
    if view.table.over is not None or seat != view.seat:
        return ()
    fault = _find_fault(view, orders, components)
    if fault is None:
        return ()
    return (Finding(grade=Grade.REFUSED, rule=fault.rule, message=fault.why, path=fault.path),)


def find_placement(view: View, orders: Document, components: Components) -> Placement | None:
    """Find the orders beside what the seat has, in the steps in which cards are placed."""
    table, own, seat = view.table, find_holdings(view), view.seat
    if table.step == "place":
        return make_placement(own, parse_placing(orders), components)
    if table.step == "second" and "world" in orders and seat is not None and seat in table.placed:
        first = add_first_world(own, table.placed[seat])
        return make_placement(first, Placing(second=parse_second(orders)), components)
    return None


def find_holdings(view: View) -> Holdings:
    """Find the cards that the view's seat can place."""
    if view.seat is None:
        return Holdings(hand=(), empire=())
    return Holdings(
        hand=view.hand,
        empire=view.table.empires[view.seat],
        surveyed=view.seat in view.table.surveyed,
    )


def _find_fault(view: View, orders: Document, components: Components) -> Fault | None:
    rule = _EXACT.get(view.table.step)
    if rule is not None:
        if "discard" not in orders:
            return None
        return check_discards(orders["discard"], view.hand, view.owed, rule, components)
    if view.table.step == "second" and orders.get("pass") and "world" in orders:
        return Fault("JD-4a", "Pass or place a second world, not both.", ("pass",))
    placement = find_placement(view, orders, components)
    fault = find_first_fault(placement) if placement else None
    if fault is not None and view.table.step == "second" and fault.path[:1] == ("second",):
        return replace(fault, path=fault.path[1:])  # the form of this step is the second world
    return fault


def list_choices(own: Holdings, components: Components) -> Iterator[Placement]:
    """List every development, world, both, and each of them with a second world, by name."""
    worlds = _list_of_kind(own, WORLD, components)
    developments = [] if own.surveyed else [components.team]
    developments += [card.slug for card in _list_of_kind(own, DEVELOPMENT, components)]
    for development in (None, *developments):
        alone = make_placement(own, Placing(development=development), components)
        if development is not None:
            if find_first_fault(alone) is not None:
                continue  # nor is it legal beside a world, where it costs no less
            yield alone
        for world in worlds:
            for form in _list_forms(alone, world):
                for play in _keep_legal(own, form, components):
                    yield play
                    yield from list_second_worlds(play)


def list_second_worlds(play: Placement) -> Iterator[Placement]:
    """List the same with every second world that a convoy can bring."""
    own, components = play.own, play.components
    convoys = dict.fromkeys(
        card.slug for card in play.developed_empire if card.list_powers(SecondWorld)
    )
    if not convoys:
        return
    for world in _list_of_kind(own, WORLD, components):
        for by in convoys:
            for contact in (False, True) if world.is_military else (False,):
                second = Second(world=world.slug, by=by, contact_specialist=contact)
                yield from _keep_legal(
                    own, replace(_keep_first_world(play), second=second), components
                )


def find_empire_after(play: Placement) -> tuple[Card, ...]:
    """Find the empire once everything is placed; propaganda may still change hands (JD-12)."""
    return (*find_empire_after_convoy(play), *((play.second,) if play.second else ()))


def _keep_first_world(play: Placement) -> Placing:
    """Keep the form as written, without a first world that lies in the empire already."""
    return play.form if play.places_first else replace(play.form, world=None)


def _keep_legal(own: Holdings, form: Placing, components: Components) -> Iterator[Placement]:
    play = make_placement(own, form, components)
    if find_first_fault(play) is None:
        yield play


def _list_forms(play: Placement, world: Card) -> tuple[Placing, ...]:
    """List the ways to place a world, too: paid for, conquered, or by a contact specialist."""
    form = replace(play.form, world=world.slug)
    if world.is_military and find_specialist(play.developed_empire) is not None:
        return form, replace(form, contact_specialist=True)
    return (form,)


def _list_of_kind(own: Holdings, kind: str, components: Components) -> Sequence[Card]:
    """List the different cards of this kind in hand, by name."""
    cards = (components.cards[name] for name in sorted(set(own.hand)))
    return [card for card in cards if card.kind == kind]
