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
            yield from _keep_legal(own, Placing(development=development), components)
        for world in worlds:
            for form in _forms(Placing(development=development, world=world.slug), world):
                for play in _keep_legal(own, form, components):
                    yield play
                    yield from second_world_choices(play)


def second_world_choices(play: Placement) -> Iterator[Placement]:
    """The same with every second world that a convoy can bring."""
    own, components = play.own, play.components
    convoys = dict.fromkeys(card.slug for card in play.helped if card.of(SecondWorld))
    if not convoys:
        return
    for world in _of_kind(own, WORLD, components):
        for by in convoys:
            for contact in (False, True) if world.is_military else (False,):
                second = Second(world=world.slug, by=by, contact_specialist=contact)
                yield from _keep_legal(own, replace(_again(play), second=second), components)


def empire_after(play: Placement) -> tuple[Card, ...]:
    """The empire once everything is placed; propaganda may still change hands (JD-12)."""
    return (*empire_after_convoy(play), *((play.second,) if play.second else ()))


def _again(play: Placement) -> Placing:
    """The form as it was written; a first world that lies there is none of this form."""
    return play.form if play.new else replace(play.form, world=None)


def _keep_legal(own: Holdings, form: Placing, components: Components) -> Iterator[Placement]:
    play = placement_of(own, form, components)
    if first_fault(play) is None:
        yield play


def _forms(form: Placing, world: Card) -> tuple[Placing, ...]:
    """Paid for, conquered, or placed by a contact specialist."""
    return (form, replace(form, contact_specialist=True)) if world.is_military else (form,)


def _of_kind(own: Holdings, kind: str, components: Components) -> Sequence[Card]:
    """The different cards of this kind in hand, by name."""
    cards = (components.cards[name] for name in sorted(set(own.hand)))
    return [card for card in cards if card.kind == kind]
