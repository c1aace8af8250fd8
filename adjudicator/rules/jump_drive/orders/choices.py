"""Every way of placing cards that keeps the rules, from what a player sees."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from adjudicator.rules.jump_drive.phases.costs import (
    Holdings,
    Placement,
    empire_after_convoy,
    placement_of,
)
from adjudicator.rules.jump_drive.phases.faults import first_fault
from adjudicator.rules.jump_drive.position.components import DEVELOPMENT, WORLD, Card, Components
from adjudicator.rules.jump_drive.position.order_forms import Placing, Second
from adjudicator.rules.jump_drive.position.powers import SecondWorld


def choices(own: Holdings, components: Components) -> Iterator[Placement]:
    """Every development, world, both, and each of them with a second world, by name."""
    worlds = _of_kind(own, WORLD, components)
    developments = [] if own.surveyed else [components.team]
    developments += [card.slug for card in _of_kind(own, DEVELOPMENT, components)]
    for development in (None, *developments):
        if development is not None:
            yield from _kept(own, Placing(development=development), components)
        for world in worlds:
            for form in _forms(Placing(development=development, world=world.slug), world):
                for case in _kept(own, form, components):
                    yield case
                    yield from second_world_choices(case)


def second_world_choices(case: Placement) -> Iterator[Placement]:
    """The same with every second world that a convoy can bring."""
    own, components = case.own, case.components
    convoys = dict.fromkeys(card.slug for card in case.helped if card.of(SecondWorld))
    if not convoys:
        return
    for world in _of_kind(own, WORLD, components):
        for by in convoys:
            for contact in (False, True) if world.is_military else (False,):
                second = Second(world=world.slug, by=by, contact_specialist=contact)
                yield from _kept(own, replace(_again(case), second=second), components)


def empire_after(case: Placement) -> tuple[Card, ...]:
    """The empire once everything is placed; propaganda may still change hands (JD-12)."""
    return (*empire_after_convoy(case), *((case.second,) if case.second else ()))


def _again(case: Placement) -> Placing:
    """The form as it was written; a first world that lies there is none of this form."""
    return case.form if case.new else replace(case.form, world=None)


def _kept(own: Holdings, form: Placing, components: Components) -> Iterator[Placement]:
    case = placement_of(own, form, components)
    if first_fault(case) is None:
        yield case


def _forms(form: Placing, world: Card) -> tuple[Placing, ...]:
    """Paid for, conquered, or placed by a contact specialist."""
    return (form, replace(form, contact_specialist=True)) if world.is_military else (form,)


def _of_kind(own: Holdings, kind: str, components: Components) -> Sequence[Card]:
    """The different cards of this kind in hand, by name."""
    cards = (components.cards[name] for name in sorted(set(own.hand)))
    return [card for card in cards if card.kind == kind]
