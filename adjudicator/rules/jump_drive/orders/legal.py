"""Random orders that keep the rules; every field of every form occurs."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from msgspec.structs import replace

from adjudicator.core.dice import Chance, Dice
from adjudicator.core.document import Document, Seat
from adjudicator.core.tabletop import remove_cards
from adjudicator.rules.jump_drive.orders import check
from adjudicator.rules.jump_drive.phases.costs import (
    Holdings,
    Placement,
    make_placement,
)
from adjudicator.rules.jump_drive.phases.faults import find_first_fault
from adjudicator.rules.jump_drive.phases.placing import add_first_world
from adjudicator.rules.jump_drive.position.components import DEVELOPMENT, WORLD, Components, Name
from adjudicator.rules.jump_drive.position.order_forms import AUTO, Placing, Second, write_form
from adjudicator.rules.jump_drive.position.powers import SecondWorld
from adjudicator.rules.jump_drive.position.state import View

Form = dict[str, Any]

_IDEAS: Final = 6
"""After so many illegal attempts it explores, which is always legal."""


def legal(view: View, seat: Seat, dice: Dice, components: Components) -> Document:
    """Choose random orders for the form that is due."""
    chance = Chance(dice.draw("legal", seat))
    return _WRITERS[view.table.step](view, seat, chance, components)


def _choose_discards(view: View, _: Seat, chance: Chance, __: Components) -> Form:
    """Choose the exact lists of the steps opening, explore and trim (JD-27)."""
    if not view.owed or chance.one_in(8):
        return {}
    return {"discard": _choose_some(view.hand, view.owed, chance)}


def _choose_some(hand: Sequence[Name], number: int, chance: Chance) -> list[Name]:
    """Choose this many cards of the hand."""
    rest = list(hand)
    return [rest.pop(chance.below(len(rest))) for _ in range(number)]


def _choose_place_form(view: View, _: Seat, chance: Chance, components: Components) -> Form:
    own = check.find_holdings(view)
    play = _choose_placement(own, chance, components)
    form = _choose_explore(own, chance) if play is None else _write_placement(play, chance)
    if len(own.hand) > 1 and chance.one_in(8):
        form["trim"] = _choose_some(own.hand, 1 + chance.below(len(own.hand)), chance)
    return form


def _choose_explore(own: Holdings, chance: Chance) -> Form:
    if chance.one_in(16):
        return {}
    form: Form = {"explore": True}
    if chance.one_in(2):
        form["discard"] = AUTO
    elif own.hand and chance.one_in(2):
        form["discard"] = _choose_some(own.hand, 1 + chance.below(len(own.hand)), chance)
    return form


def _choose_placement(own: Holdings, chance: Chance, components: Components) -> Placement | None:
    """Choose some cards that can be placed, or nothing."""
    if chance.one_in(12):
        return None
    cards = components.cards
    developments = [name for name in own.hand if cards[name].kind == DEVELOPMENT]
    if not own.surveyed:
        developments.append(components.team)
    worlds = [name for name in own.hand if cards[name].kind == WORLD]
    for _ in range(_IDEAS):
        development = chance.choice(developments) if developments and chance.one_in(2) else None
        world = chance.choice(worlds) if worlds and chance.one_in(2) else None
        if development is None and world is None:
            continue
        form = Placing(development=development, world=world)
        if world is not None and cards[world].is_military and chance.one_in(2):
            form = replace(form, contact_specialist=True)
        play = _keep_legal(own, form, components)
        if play is not None:
            return _add_second(play, chance) if world is not None else play
    return None


def _keep_legal(own: Holdings, form: Placing, components: Components) -> Placement | None:
    play = make_placement(own, form, components)
    return play if find_first_fault(play) is None else None


def _add_second(play: Placement, chance: Chance) -> Placement:
    """Add a second world where a convoy lies there and brings it (JD-21)."""
    convoys = [card.slug for card in play.developed_empire if card.list_powers(SecondWorld)]
    if not convoys:
        return play
    if chance.one_in(4):
        return _keep_legal(play.own, replace(play.form, ask=True), play.components) or play
    return _choose_second(play, convoys, chance) or play


def _choose_second(play: Placement, convoys: Sequence[Name], chance: Chance) -> Placement | None:
    own, cards = play.own, play.components.cards
    worlds = [name for name in remove_cards(own.hand, play.placed) if cards[name].kind == WORLD]
    form = play.form if play.places_first else Placing()
    for _ in range(_IDEAS if worlds else 0):
        world = chance.choice(worlds)
        contact = cards[world].is_military and chance.one_in(2)
        second = Second(world=world, by=chance.choice(convoys), contact_specialist=contact)
        placement = _keep_legal(own, replace(form, second=second), play.components)
        if placement is not None:
            return placement
    return None


def _write_placement(play: Placement, chance: Chance) -> Form:
    """Write the form as it is on file, with some payments listed."""
    form, costs = play.form, play.costs
    free = remove_cards(play.own.hand, play.placed)
    cost = costs.development + costs.world
    if chance.one_in(2) and cost <= len(free):
        pay = _choose_some(free, cost, chance)
        form = replace(form, pay=tuple(pay))
        free, cost = remove_cards(free, pay), 0
    if form.second is not None:
        spare = free if costs.second <= len(free) - cost else ()
        form = replace(form, second=_add_payment(form.second, costs.second, spare, chance))
    return write_form(form)


def _add_payment(second: Second, cost: int, free: Sequence[Name], chance: Chance) -> Second:
    if cost <= len(free) and chance.one_in(2):
        return replace(second, pay=tuple(_choose_some(free, cost, chance)))
    return second


def _choose_second_form(view: View, seat: Seat, chance: Chance, components: Components) -> Form:
    if chance.one_in(4):
        return {"pass": True} if chance.one_in(2) else {}
    own = add_first_world(check.find_holdings(view), view.table.placed[seat])
    convoys = [
        card.slug for card in components.find_cards(own.empire) if card.list_powers(SecondWorld)
    ]
    play = _choose_second(make_placement(own, Placing(), components), convoys, chance)
    if play is None or play.form.second is None:
        return {"pass": True}
    free = remove_cards(own.hand, play.placed)
    return write_form(_add_payment(play.form.second, play.costs.second, free, chance))


_WRITERS: Final[Mapping[str, Callable[[View, Seat, Chance, Components], Form]]] = {
    "opening": _choose_discards,
    "place": _choose_place_form,
    "second": _choose_second_form,
    "explore": _choose_discards,
    "trim": _choose_discards,
}
