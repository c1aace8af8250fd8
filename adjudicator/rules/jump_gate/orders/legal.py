"""Random orders that keep the rules as far as the view shows; every action and special occurs."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from adjudicator.core.dice import Chance, Dice
from adjudicator.core.document import Document, Seat
from adjudicator.rules.jump_gate.orders import choices as seen
from adjudicator.rules.jump_gate.orders.choices import Action, Sight
from adjudicator.rules.jump_gate.position.components import Card, Components, Planet
from adjudicator.rules.jump_gate.position.resources import Resource, list_collectable, remove_icon
from adjudicator.rules.jump_gate.position.state import NONE, View, list_unmarked

Form = dict[str, Any]

_KINDS: Final = (
    *("land",) * 6,
    *("harvest",) * 6,
    *("scan",) * 4,
    *("special",) * 5,
    *("jump",) * 4,
    *("fly",) * 3,
    *("return-to-orbit",) * 2,
    "research",
)  # fmt: skip
"""How often each action is thought of first."""

_IDEAS: Final = 8
"""After so many impossible attempts it is research, which is always possible."""


def legal(view: View, seat: Seat, dice: Dice, components: Components) -> Document:
    """Choose random orders for the form that is due."""
    chance = Chance(dice.draw("legal", seat))
    form = _WRITERS[view.table.step](view, seat, chance, components)
    if chance.one_in(32):
        form["standing"] = _choose_standing(chance, components)
    return form


def _choose_standing(chance: Chance, components: Components) -> Form:
    standing: Form = {}
    for key in ("collect", "mark", "take") if components.is_second else ("collect", "take"):
        if chance.one_in(2):
            standing[key] = _choose_wishes(_list_box(components), chance)
    if chance.one_in(2) or not standing:
        standing["black_hole"] = chance.choice(("accept", "avoid"))
    return standing


def _list_box(components: Components) -> Sequence[Resource]:
    """List every resource card that there is and that can be collected."""
    return list_collectable(card for card, number in components.resource_cards.items() if number)


def _choose_turn(view: View, seat: Seat, chance: Chance, components: Components) -> Form:
    if chance.one_in(48):
        return {"end": True}
    here: Sight | None = seen.see_position(view, seat, components)
    actions: list[Action] = []
    while here is not None and here.left > 0:
        action = _choose_action(here, chance)
        actions.append(action)
        # Now and then one is sent alone, to see what it reveals (JG-4).
        here = None if chance.one_in(4) else seen.see_after(here, action)
    form: Form = {"actions": actions}
    if chance.one_in(48):
        form["end"] = True
    return form


def _choose_action(here: Sight, chance: Chance) -> Action:
    for _ in range(_IDEAS):
        name = chance.choice(_KINDS)
        action = _ACTIONS[name](here, chance)
        if action is not None:
            return action
    return _choose_research(here, chance)


def _choose_flight(here: Sight, chance: Chance) -> Action | None:
    targets = seen.list_flights(here)
    return {"do": "fly", "to": chance.choice(targets)} if targets else None


def _choose_jump(here: Sight, chance: Chance) -> Action | None:
    ways = seen.list_jumps(here)
    if not ways:
        return None
    card, planet = chance.choice(ways)
    return _add_card({"do": "jump", "to": planet}, card, chance)


def _choose_scan(here: Sight, chance: Chance) -> Action | None:
    cards = seen.list_scanners(here)
    if not cards:
        return None
    action = _add_card({"do": "scan"}, chance.choice(cards), chance)
    if here.components.is_second and chance.one_in(2):
        action["mark"] = _choose_wishes(_list_box(here.components), chance)
    return action


def _add_card(action: Action, card: Card, chance: Chance) -> Action:
    """Name the card, but now and then leave it to the program (JG-6)."""
    return action if chance.one_in(8) else {**action, "card": card}


def _choose_landing(here: Sight, chance: Chance) -> Action | None:
    pairs = seen.list_landings(here)
    if not pairs:
        return None
    action: Action = {"do": "land"}
    if not chance.one_in(8):
        action["cards"] = list(chance.choice(pairs))
    return _add_take(action, _list_box(here.components), chance)


def _choose_harvest(here: Sight, chance: Chance) -> Action | None:
    offer = seen.list_offer(here)
    if not offer:
        return None
    action: Action = {"do": "harvest"}
    if here.components.is_second:
        action = _add_card(action, chance.choice(here.hand), chance)
    return _add_take(action, offer, chance)


def _add_take(action: Action, offer: Sequence[Resource], chance: Chance) -> Action:
    """Name something on offer half the time."""
    return (
        {**action, "take": [_name_card(chance.choice(offer), chance)]}
        if chance.one_in(2)
        else action
    )


def _name_card(card: Resource, chance: Chance) -> Resource:
    """Name the card, or any of its kind."""
    return remove_icon(card) if chance.one_in(2) else card


def _choose_research(here: Sight, chance: Chance) -> Action:
    rest = [card for card in here.hand if not chance.one_in(3)]
    discards = [card for card in here.hand if card not in rest]
    return {"do": "research", "discard": discards} if discards else {"do": "research"}


def _choose_return(here: Sight, _: Chance) -> Action | None:
    return {"do": "return-to-orbit"} if here.landed else None


def _choose_special(here: Sight, chance: Chance) -> Action | None:
    cards = seen.list_specials(here)
    if not cards:
        return None
    card = chance.choice(cards)
    assert card.special is not None
    targets = seen.list_special_targets(here, card)
    more = _SPECIALS[card.special](here, chance, targets) if targets else None
    return None if more is None else {"do": "special", "card": card.id, **more}


def _choose_backroom_deal(here: Sight, chance: Chance, _: Sequence[Planet]) -> Form | None:
    own = seen.list_offer(here)
    if own and chance.one_in(2):
        more = _add_take({}, own, chance)
        if more and len(own) > 1:
            more["take"].append(_name_card(chance.choice(own), chance))
        return {**more, "at": here.at} if chance.one_in(4) else more
    others = seen.list_dealers(here)
    if not others:
        return None
    planet = chance.choice(list(others))
    return _add_take({"at": planet}, others[planet], chance)


def _choose_hotshot_pilot(here: Sight, chance: Chance, cards: Sequence[Card]) -> Form:
    more = {"cards": [chance.choice(cards)]}
    return _add_take(more, _list_box(here.components), chance)


def _choose_long_range_scan(here: Sight, chance: Chance, planets: Sequence[Planet]) -> Form:
    planet = chance.choice(planets)
    return {} if planet == here.at and chance.one_in(2) else {"at": planet}


def _choose_answer(view: View, _: Seat, chance: Chance, __: Components) -> Form:
    """Choose orders for the step mark or collect."""
    awaiting = view.table.awaiting
    assert awaiting is not None
    site = view.table.planets[awaiting.at]
    marks = awaiting.what == "mark"
    offer = list_unmarked(site) if marks else list_collectable(site.face_up)
    return {} if chance.one_in(4) else {awaiting.what: _choose_wishes(offer, chance)}


def _choose_wishes(offer: Sequence[Resource], chance: Chance) -> list[str]:
    """Choose one or two of them, the best first; sometimes nothing else, or nothing at all."""
    if not offer or chance.one_in(8):
        return [NONE]
    preferences = [_name_card(chance.choice(offer), chance) for _ in range(1 + chance.below(2))]
    return [*preferences, NONE] if chance.one_in(8) else preferences


_ACTIONS: Final[Mapping[str, Callable[[Sight, Chance], Action | None]]] = {
    "fly": _choose_flight,
    "jump": _choose_jump,
    "scan": _choose_scan,
    "land": _choose_landing,
    "harvest": _choose_harvest,
    "special": _choose_special,
    "return-to-orbit": _choose_return,
    "research": _choose_research,
}

_SPECIALS: Final[Mapping[str, Callable[[Sight, Chance, Sequence[str]], Form | None]]] = {
    "backroom-deal": _choose_backroom_deal,
    "hotshot-pilot": _choose_hotshot_pilot,
    "inside-info": lambda *_: {},
    "jump-paradox": lambda _, chance, players: {"player": chance.choice(players)},
    "long-range-scan": _choose_long_range_scan,
    "lost-records": lambda here, chance, _: {
        "remove": dict(chance.choice(seen.list_records(here)))
    },
    "wormhole": lambda _, chance, planets: {"to": chance.choice(planets)},
}

_WRITERS: Final[Mapping[str, Callable[[View, Seat, Chance, Components], Form]]] = {
    "turn": _choose_turn,
    "mark": _choose_answer,
    "collect": _choose_answer,
}
