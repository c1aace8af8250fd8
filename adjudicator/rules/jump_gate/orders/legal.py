"""Random orders that keep the rules as far as the view shows; every action and special occurs."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from adjudicator.core.dice import Chance, Dice
from adjudicator.core.document import Document, Seat
from adjudicator.rules.jump_gate.orders import choices as seen
from adjudicator.rules.jump_gate.orders.choices import Action, Sight
from adjudicator.rules.jump_gate.position.components import Card, Components, Planet
from adjudicator.rules.jump_gate.position.resources import Resource, collectable_cards, kind_of
from adjudicator.rules.jump_gate.position.state import NONE, View, unmarked_cards

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
"""After so many that are not possible it is research, which always is."""


def legal(view: View, seat: Seat, dice: Dice, components: Components) -> Document:
    """Random orders for the form that is due."""
    chance = Chance(dice.draw("legal", seat))
    form = _WRITERS[view.table.step](view, seat, chance, components)
    if chance.one_in(32):
        form["standing"] = _standing(chance, components)
    return form


def _standing(chance: Chance, components: Components) -> Form:
    standing: Form = {}
    if chance.one_in(2):
        standing["collect"] = _wishes(_in_the_box(components), chance)
    if chance.one_in(2) or not standing:
        standing["black_hole"] = chance.choice(("accept", "avoid"))
    return standing


def _in_the_box(components: Components) -> Sequence[Resource]:
    """Every resource card that there is and that can be collected."""
    return collectable_cards(card for card, number in components.resource_cards.items() if number)


def _turn(view: View, seat: Seat, chance: Chance, components: Components) -> Form:
    if chance.one_in(48):
        return {"end": True}
    here: Sight | None = seen.sight(view, seat, components)
    actions: list[Action] = []
    while here is not None and here.left > 0:
        action = _action(here, chance)
        actions.append(action)
        # Now and then one is sent alone, to see what it reveals (JG-4).
        here = None if chance.one_in(4) else seen.sight_after(here, action)
    form: Form = {"actions": actions}
    if chance.one_in(48):
        form["end"] = True
    return form


def _action(here: Sight, chance: Chance) -> Action:
    for _ in range(_IDEAS):
        name = chance.choice(_KINDS)
        action = _ACTIONS[name](here, chance)
        if action is not None:
            return action
    return _research(here, chance)


def _fly(here: Sight, chance: Chance) -> Action | None:
    targets = seen.flights(here)
    return {"do": "fly", "to": chance.choice(targets)} if targets else None


def _jump(here: Sight, chance: Chance) -> Action | None:
    ways = seen.jumps(here)
    if not ways:
        return None
    card, planet = chance.choice(ways)
    return _with_card({"do": "jump", "to": planet}, card, chance)


def _scan(here: Sight, chance: Chance) -> Action | None:
    cards = seen.scanners(here)
    if not cards:
        return None
    action = _with_card({"do": "scan"}, chance.choice(cards), chance)
    if here.components.second and chance.one_in(2):
        action["mark"] = _wishes(_in_the_box(here.components), chance)
    return action


def _with_card(action: Action, card: Card, chance: Chance) -> Action:
    """Now and then the program may pick the card (JG-6)."""
    return action if chance.one_in(8) else {**action, "card": card}


def _land(here: Sight, chance: Chance) -> Action | None:
    pairs = seen.landings(here)
    if not pairs:
        return None
    action: Action = {"do": "land"}
    if not chance.one_in(8):
        action["cards"] = list(chance.choice(pairs))
    return _with_take(action, _in_the_box(here.components), chance)


def _harvest(here: Sight, chance: Chance) -> Action | None:
    offer = seen.on_offer(here)
    if not offer:
        return None
    action: Action = {"do": "harvest"}
    if here.components.second:
        action = _with_card(action, chance.choice(here.hand), chance)
    return _with_take(action, offer, chance)


def _with_take(action: Action, offer: Sequence[Resource], chance: Chance) -> Action:
    """Half the time something is named: something that is there, where the offer is known."""
    return {**action, "take": [_name(chance.choice(offer), chance)]} if chance.one_in(2) else action


def _name(card: Resource, chance: Chance) -> Resource:
    """The card, or whichever there is of its kind."""
    return kind_of(card) if chance.one_in(2) else card


def _research(here: Sight, chance: Chance) -> Action:
    kept = [card for card in here.hand if not chance.one_in(3)]
    thrown = [card for card in here.hand if card not in kept]
    return {"do": "research", "discard": thrown} if thrown else {"do": "research"}


def _return(here: Sight, _: Chance) -> Action | None:
    return {"do": "return-to-orbit"} if here.landed else None


def _special(here: Sight, chance: Chance) -> Action | None:
    cards = seen.specials(here)
    if not cards:
        return None
    card = chance.choice(cards)
    assert card.special is not None
    targets = seen.special_targets(here, card)
    more = _SPECIALS[card.special](here, chance, targets) if targets else None
    return None if more is None else {"do": "special", "card": card.id, **more}


def _backroom_deal(here: Sight, chance: Chance, _: Sequence[Planet]) -> Form | None:
    own = seen.on_offer(here)
    if own and chance.one_in(2):
        more = _with_take({}, own, chance)
        if more and len(own) > 1:
            more["take"].append(_name(chance.choice(own), chance))
        return {**more, "at": here.at} if chance.one_in(4) else more
    others = seen.dealers(here)
    if not others:
        return None
    planet = chance.choice(list(others))
    return _with_take({"at": planet}, others[planet], chance)


def _hotshot_pilot(here: Sight, chance: Chance, cards: Sequence[Card]) -> Form:
    more = {"cards": [chance.choice(cards)]}
    return _with_take(more, _in_the_box(here.components), chance)


def _long_range_scan(here: Sight, chance: Chance, planets: Sequence[Planet]) -> Form:
    planet = chance.choice(planets)
    return {} if planet == here.at and chance.one_in(2) else {"at": planet}


def _answer(view: View, _: Seat, chance: Chance, __: Components) -> Form:
    """To the step mark or collect."""
    awaiting = view.table.awaiting
    assert awaiting is not None
    site = view.table.planets[awaiting.at]
    marks = awaiting.what == "mark"
    offer = unmarked_cards(site) if marks else collectable_cards(site.face_up)
    return {} if chance.one_in(4) else {awaiting.what: _wishes(offer, chance)}


def _wishes(offer: Sequence[Resource], chance: Chance) -> list[str]:
    """One or two of them, the best first; sometimes nothing else, or nothing at all."""
    if not offer or chance.one_in(8):
        return [NONE]
    preferences = [_name(chance.choice(offer), chance) for _ in range(1 + chance.below(2))]
    return [*preferences, NONE] if chance.one_in(8) else preferences


_ACTIONS: Final[Mapping[str, Callable[[Sight, Chance], Action | None]]] = {
    "fly": _fly,
    "jump": _jump,
    "scan": _scan,
    "land": _land,
    "harvest": _harvest,
    "special": _special,
    "return-to-orbit": _return,
    "research": _research,
}

_SPECIALS: Final[Mapping[str, Callable[[Sight, Chance, Sequence[str]], Form | None]]] = {
    "backroom-deal": _backroom_deal,
    "hotshot-pilot": _hotshot_pilot,
    "inside-info": lambda *_: {},
    "jump-paradox": lambda _, chance, players: {"player": chance.choice(players)},
    "long-range-scan": _long_range_scan,
    "lost-records": lambda here, chance, _: {"remove": dict(chance.choice(seen.records(here)))},
    "wormhole": lambda _, chance, planets: {"to": chance.choice(planets)},
}

_WRITERS: Final[Mapping[str, Callable[[View, Seat, Chance, Components], Form]]] = {
    "turn": _turn,
    "mark": _answer,
    "collect": _answer,
}
