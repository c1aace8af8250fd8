"""Random orders that keep the rules; every field of every form occurs."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from msgspec.structs import replace

from adjudicator.core.dice import Chance, Dice
from adjudicator.core.document import Document, Seat
from adjudicator.core.tabletop import cards_without
from adjudicator.rules.jump_drive.orders import check
from adjudicator.rules.jump_drive.phases.costs import Holdings, Placement, find_costs, placement_of
from adjudicator.rules.jump_drive.phases.faults import first_fault
from adjudicator.rules.jump_drive.phases.placing import add_first_world
from adjudicator.rules.jump_drive.position.components import DEVELOPMENT, WORLD, Components, Name
from adjudicator.rules.jump_drive.position.order_forms import AUTO, Placing, Second, write_form
from adjudicator.rules.jump_drive.position.powers import SecondWorld
from adjudicator.rules.jump_drive.position.state import View

Form = dict[str, Any]

_IDEAS: Final = 6
"""After so many that do not keep the rules it is exploring, which always does."""


def legal(view: View, seat: Seat, dice: Dice, components: Components) -> Document:
    """Random orders for the form that is due."""
    chance = Chance(dice.draw("legal", seat))
    return _WRITERS[view.table.step](view, seat, chance, components)


def _discards(view: View, _: Seat, chance: Chance, __: Components) -> Form:
    """The exact lists of the steps opening, explore and trim (JD-27)."""
    if not view.owed or chance.one_in(8):
        return {}
    return {"discard": _some(view.hand, view.owed, chance)}


def _some(hand: Sequence[Name], number: int, chance: Chance) -> list[Name]:
    """So many cards of the hand."""
    left = list(hand)
    return [left.pop(chance.below(len(left))) for _ in range(number)]


def _place(view: View, _: Seat, chance: Chance, components: Components) -> Form:
    own = check.holdings_in_view(view)
    play = _choose_placement(own, chance, components)
    form = _choose_explore(own, chance) if play is None else _written(play, chance)
    if len(own.hand) > 1 and chance.one_in(8):
        form["trim"] = _some(own.hand, 1 + chance.below(len(own.hand)), chance)
    return form


def _choose_explore(own: Holdings, chance: Chance) -> Form:
    if chance.one_in(16):
        return {}
    form: Form = {"explore": True}
    if chance.one_in(2):
        form["discard"] = AUTO
    elif own.hand and chance.one_in(2):
        form["discard"] = _some(own.hand, 1 + chance.below(len(own.hand)), chance)
    return form


def _choose_placement(own: Holdings, chance: Chance, components: Components) -> Placement | None:
    """Some cards that can be placed, or nothing."""
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
            return _with_second(play, chance) if world is not None else play
    return None


def _keep_legal(own: Holdings, form: Placing, components: Components) -> Placement | None:
    play = placement_of(own, form, components)
    return play if first_fault(play) is None else None


def _with_second(play: Placement, chance: Chance) -> Placement:
    """The same with a second world where a convoy lies there and brings it (JD-21)."""
    convoys = [card.slug for card in play.helped if card.of(SecondWorld)]
    if not convoys:
        return play
    if chance.one_in(4):
        return _keep_legal(play.own, replace(play.form, ask=True), play.components) or play
    return _second(play, convoys, chance) or play


def _second(play: Placement, convoys: Sequence[Name], chance: Chance) -> Placement | None:
    own, cards = play.own, play.components.cards
    worlds = [name for name in cards_without(own.hand, play.placed) if cards[name].kind == WORLD]
    form = play.form if play.new else Placing()
    for _ in range(_IDEAS if worlds else 0):
        world = chance.choice(worlds)
        contact = cards[world].is_military and chance.one_in(2)
        second = Second(world=world, by=chance.choice(convoys), contact_specialist=contact)
        found = _keep_legal(own, replace(form, second=second), play.components)
        if found is not None:
            return found
    return None


def _written(play: Placement, chance: Chance) -> Form:
    """The form as it is on file, some payments listed."""
    form, costs = play.form, find_costs(play)
    free = cards_without(play.own.hand, play.placed)
    cost = costs.development + costs.world
    if chance.one_in(2) and cost <= len(free):
        pay = _some(free, cost, chance)
        form = replace(form, pay=tuple(pay))
        free, cost = cards_without(free, pay), 0
    if form.second is not None:
        spare = free if costs.second <= len(free) - cost else ()
        form = replace(form, second=_bringing(form.second, costs.second, spare, chance))
    return write_form(form)


def _bringing(second: Second, cost: int, free: Sequence[Name], chance: Chance) -> Second:
    if cost <= len(free) and chance.one_in(2):
        return replace(second, pay=tuple(_some(free, cost, chance)))
    return second


def _seconds(view: View, seat: Seat, chance: Chance, components: Components) -> Form:
    if chance.one_in(4):
        return {"pass": True} if chance.one_in(2) else {}
    own = add_first_world(check.holdings_in_view(view), view.table.placed[seat])
    convoys = [card.slug for card in components.named(own.empire) if card.of(SecondWorld)]
    play = _second(placement_of(own, Placing(), components), convoys, chance)
    if play is None or play.form.second is None:
        return {"pass": True}
    free = cards_without(own.hand, play.placed)
    return write_form(_bringing(play.form.second, find_costs(play).second, free, chance))


_WRITERS: Final[Mapping[str, Callable[[View, Seat, Chance, Components], Form]]] = {
    "opening": _discards,
    "place": _place,
    "second": _seconds,
    "explore": _discards,
    "trim": _discards,
}
