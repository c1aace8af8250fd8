"""The bot's orders for each form: income first, then attack, then the homeworlds.

It sees what its seat sees, and is meant as a sparring partner and as a substitute for a missing
player, not as a master.
"""

from collections.abc import Sequence
from typing import Any, Final

from adjudicator.core.dice import Dice
from adjudicator.core.document import Seat
from adjudicator.rules.jump_wars.bot.campaign import Campaign
from adjudicator.rules.jump_wars.phases.ending import hand_limit
from adjudicator.rules.jump_wars.phases.plan import production
from adjudicator.rules.jump_wars.phases.plan.draw import BRAINS
from adjudicator.rules.jump_wars.position.components import Card, Components, Tech
from adjudicator.rules.jump_wars.position.state import RUINS, Player, View, find_leader

Form = dict[str, Any]

_TECH_WORTH: Final = {
    "manufacturing": (10, 9, 7, 5, 3),
    "attack": (9, 9, 8, 7, 6, 5, 4),
    "initiative": (6, 6, 5, 4, 3),
    "defense": (4, 4, 3, 3),
    "command": (6, 5, 4, 3),
    "logistics": (5, 5, 4, 4, 3),
    "jump": (6, 4, 2),
    "miniaturization": (5, 4, 4, 3, 3, 3),
    "research": (4, 2),
    "trade": (2,),
    "diplomacy": (2,),
    "espionage": (2,),
}
"""What the next level is worth, from level 1 on; beyond that 1."""

_SPECIAL_WORTH: Final = {
    "leadership": 8,
    "assimilation": 7,
    "genesis": 7,
    "cloaking": 6,
    "star-docks": 4,
    "ram-scoops": 4,
    "positronic-brains": 3,
    "event-skimming": 3,
}
"""What an ability is worth; the others 2."""

_HOMEWORLD_RANKS: Final = ("A1", "J10", "J1", "A10", "E1", "J5", "E10", "A5")


def bot(view: View, seat: Seat, dice: Dice, components: Components) -> Form:
    """Orders for the form that is due."""
    step = view.table.step
    if step == "plan":
        return _plan(view, seat, components)
    if step == "jump":
        return _jump(view, seat, components)
    if step == "homeworlds":
        return {"homeworld": list(dice.draw("bot", seat).shuffled(_HOMEWORLD_RANKS))}
    return {}


def _plan(view: View, seat: Seat, components: Components) -> Form:
    player = view.table.players[seat]
    hand = list(view.hand)
    # A GM's position may lack the homeworld.
    form: Form = {"build": "max"} if seat in view.table.homes else {}
    extras = _extras(player, hand)
    if extras:
        form["draw"] = extras
    tech = _tech(player, hand, components)
    if tech:
        form["tech"] = tech
    if "manufacturing" in hand:
        hand.remove("manufacturing")
        form["cutting_edge"] = ["manufacturing"]
    if "leadership" in player.specials:
        form["leadership"] = "manufacturing"
    others = [other for other in view.table.seats if other != seat]
    if find_leader(view.table.players, "trade") == seat:
        form["steal"] = max(others, key=lambda other: view.hand_sizes[other])
    if find_leader(view.table.players, "diplomacy") == seat:
        form["ally"] = max(others, key=lambda other: _strength(view, other))
    excess = _excess(player, hand, components)
    if excess:
        form["mine"] = {"discard": excess}
    return form


def _extras(player: Player, hand: list[Card]) -> Form:
    extras: Form = {}
    if RUINS in hand:
        hand.remove(RUINS)
        extras["progenitor_ruins"] = True
    if BRAINS in player.specials and player.tokens >= 10 + 2 * production.fleet_cost(player):
        extras["positronic_brains"] = True
    return extras


def _tech(player: Player, hand: list[Card], components: Components) -> Form:
    """The best pair, and the best card that is then left."""
    tech: Form = {}
    pairs = [card for card in components.technologies if hand.count(card) > 1]
    if pairs:
        pair = max(pairs, key=lambda card: _worth(player, card))
        hand.remove(pair)
        hand.remove(pair)
        tech["pair"] = pair
    usable = [card for card in components.cards if card in hand and card not in player.specials]
    usable = [card for card in usable if card != RUINS]
    if usable:
        best = max(usable, key=lambda card: _worth(player, card))
        hand.remove(best)
        tech["advance"] = [best]
    return tech


def _worth(player: Player, card: Card) -> int:
    worths = _TECH_WORTH.get(card)
    if worths is None:
        return _SPECIAL_WORTH.get(card, 2)
    level = player.levels[card]
    return worths[level - 1] if level <= len(worths) else 1


def _excess(player: Player, hand: Sequence[Card], components: Components) -> list[Card]:
    """What would not be used next turn or not be kept anyway: it pays 2 RT each (JW-23)."""
    keep = max(1, hand_limit(player) - 2)
    ranked = sorted(hand, key=lambda card: (-_worth(player, card), components.rank[card]))
    return ranked[keep:]


def _strength(view: View, seat: Seat) -> int:
    fleets = sum(view.table.fleets.get(seat, {}).values())
    return fleets * view.table.players[seat].level("attack")


def _jump(view: View, seat: Seat, components: Components) -> Form:
    jumps = Campaign(view.table, seat, components).plan()
    form: Form = {}
    if jumps:
        form["jump"] = jumps
    fights = any(_enemy_stands(view, seat, jump["to"]) for jump in jumps)
    raised: list[Tech] = [card for card in ("attack", "initiative") if card in view.hand]
    if fights and raised:
        form["cutting_edge"] = raised[:1]
    return form


def _enemy_stands(view: View, seat: Seat, space: str) -> bool:
    return any(space in stacks for side, stacks in view.table.fleets.items() if side != seat)
