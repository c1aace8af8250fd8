"""Every way of placing cards that keeps the rules, from what a player sees."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from adjudicator.rules.jump_drive.case import Case, Own, after_convoy, case_of
from adjudicator.rules.jump_drive.components import DEVELOPMENT, WORLD, Card, Components
from adjudicator.rules.jump_drive.faults import first_fault
from adjudicator.rules.jump_drive.powers import SecondWorld
from adjudicator.rules.jump_drive.written import Placing, Second


def choices(own: Own, components: Components) -> Iterator[Case]:
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
                    yield from seconds(case)


def seconds(case: Case) -> Iterator[Case]:
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


def empire_after(case: Case) -> tuple[Card, ...]:
    """The empire once everything is placed; propaganda may still change hands (JD-12)."""
    return (*after_convoy(case), *((case.second,) if case.second else ()))


def _again(case: Case) -> Placing:
    """The form as it was written; a first world that lies there is none of this form."""
    return case.form if case.new else replace(case.form, world=None)


def _kept(own: Own, form: Placing, components: Components) -> Iterator[Case]:
    case = case_of(own, form, components)
    if first_fault(case) is None:
        yield case


def _forms(form: Placing, world: Card) -> tuple[Placing, ...]:
    """Paid for, conquered, or placed by a contact specialist."""
    return (form, replace(form, contact_specialist=True)) if world.is_military else (form,)


def _of_kind(own: Own, kind: str, components: Components) -> Sequence[Card]:
    """The different cards of this kind in hand, by name."""
    cards = (components.cards[name] for name in sorted(set(own.hand)))
    return [card for card in cards if card.kind == kind]
