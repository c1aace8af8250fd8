"""Random orders that keep the rules as far as the view shows; every field of every form occurs."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from adjudicator.core.dice import Chance, Dice
from adjudicator.core.document import Document, Seat
from adjudicator.rules.jump_wars.phases.homeworlds import list_free_spaces
from adjudicator.rules.jump_wars.phases.jump import reveal
from adjudicator.rules.jump_wars.phases.jump.faults import find_order_limit, find_reach
from adjudicator.rules.jump_wars.phases.plan import production
from adjudicator.rules.jump_wars.phases.plan.draw import BRAINS, BRAINS_COST
from adjudicator.rules.jump_wars.position.components import Card, Components
from adjudicator.rules.jump_wars.position.order_forms import list_entries
from adjudicator.rules.jump_wars.position.space import (
    NEIGHBOURS,
    PLACE,
    SPACES,
    find_distances,
)
from adjudicator.rules.jump_wars.position.state import (
    RUINS,
    View,
    find_leader,
    find_occupied_spaces,
)

Form = dict[str, Any]


def legal(view: View, seat: Seat, dice: Dice, components: Components) -> Document:
    """Choose random orders for the form that is due."""
    chance = Chance(dice.draw("legal", seat))
    form = _WRITERS[view.table.step](view, seat, chance, components)
    if chance.one_in(64):
        form["standing"] = {"reveal": chance.choice(("pass", "ask"))}
    return form


class Hand:
    """The cards that are not promised to anything yet."""

    def __init__(self, cards: Sequence[Card], chance: Chance) -> None:
        self._cards = list(cards)
        self._chance = chance

    def take(self, fits: Callable[[Card], bool] = lambda _: True) -> Card | None:
        """Take one of the cards wanted, at random; it is promised from now on."""
        fitting = [card for card in self._cards if fits(card)]
        if not fitting:
            return None
        card = self._chance.choice(fitting)
        self._cards.remove(card)
        return card

    def take_pair(self) -> Card | None:
        """Take two cards of one kind; they are promised from now on."""
        twice = next((card for card in self._cards if self._cards.count(card) > 1), None)
        if twice is not None:
            self._cards.remove(twice)
            self._cards.remove(twice)
        return twice


def _choose_homeworlds(view: View, _: Seat, chance: Chance, components: Components) -> Form:
    free = list_free_spaces(view.table, components)
    return {"homeworld": [chance.choice(free or SPACES) for _ in range(1 + chance.below(4))]}


def _choose_plan(view: View, seat: Seat, chance: Chance, components: Components) -> Form:
    table, player = view.table, view.table.players[seat]
    techs = components.technologies
    hand = Hand(view.hand, chance)
    others = [other for other in table.seats if other != seat]
    settled = seat in table.homes  # a GM's position may lack the homeworld
    form: Form = {"build": "max"} if settled else {}
    extras = _choose_extras(view, seat, hand, chance)
    if extras:
        form["draw"] = extras
    if chance.one_in(4):
        _choose_raises(view, seat, form, hand, chance, components)
    if chance.one_in(4):
        expense = (
            BRAINS_COST if "positronic_brains" in extras else 0
        )  # paid before any trade (JW-13c)
        form["trade"] = [_choose_trade(player.tokens - expense, others, hand, chance, components)]
    form |= _choose_rights(view, seat, others, chance)
    tech = _choose_tech(player.specials, hand, chance, techs)
    if tech:
        form["tech"] = tech
    if chance.one_in(3) and (card := hand.take()):
        form["mine"] = {"discard": [card]}
    if settled and chance.one_in(2):
        form["build"] = _choose_build(view, seat, chance)
    if "sabotage" in player.specials and (card := hand.take()):
        form["sabotage"] = [_choose_sabotage(view, card, chance)]
    return form


def _choose_rights(view: View, seat: Seat, others: Sequence[Seat], chance: Chance) -> Form:
    """Choose what the strictly highest levels allow (JW-17, JW-18)."""
    form: Form = {}
    if find_leader(view.table.players, "trade") == seat and (
        rich := [o for o in others if view.hand_sizes[o]]
    ):
        form["steal"] = chance.choice(rich)
    if find_leader(view.table.players, "diplomacy") == seat:
        form["ally"] = chance.choice(others)
    return form


def _choose_sabotage(view: View, card: Card, chance: Chance) -> Form:
    fleets = view.table.fleets
    stacks = [
        (side, space)
        for side in sorted(fleets)
        for space in sorted(fleets[side], key=PLACE.__getitem__)
    ]
    side, space = chance.choice(stacks) if stacks else (view.table.start_player, SPACES[0])
    return {"discard": card, "player": side, "at": space}


def _choose_extras(view: View, seat: Seat, hand: Hand, chance: Chance) -> Form:
    player = view.table.players[seat]
    extras: Form = {}
    if RUINS in view.hand and chance.one_in(2) and hand.take(RUINS.__eq__):
        extras["progenitor_ruins"] = True
    if BRAINS in player.specials and player.tokens >= BRAINS_COST and view.deck_size:
        extras["positronic_brains"] = True
    return extras


def _choose_raises(
    view: View, seat: Seat, form: Form, hand: Hand, chance: Chance, components: Components
) -> None:
    card = hand.take(components.technologies.__contains__)
    if card is not None:
        form["cutting_edge"] = [card]
    player = view.table.players[seat]
    if "leadership" in player.specials and "leadership" not in player.used:
        form["leadership"] = chance.choice(list(components.technologies))


def _choose_trade(
    tokens: int, others: Sequence[Seat], hand: Hand, chance: Chance, components: Components
) -> Form:
    give: Form = {"rt": chance.below(tokens // 2 + 1)}
    card = hand.take() if chance.one_in(2) or not give["rt"] else None
    if card is not None:
        give["cards"] = [card]
    trade: Form = {"with": chance.choice(others), "give": give}
    if chance.one_in(2) or card is None:
        cards = chance.one_in(3)
        goods = {"cards": [chance.choice(list(components.cards))]}
        trade["want"] = goods if cards else {"rt": 1 + chance.below(3)}
    return trade


def _choose_tech(
    specials: Sequence[Card], hand: Hand, chance: Chance, techs: Mapping[str, object]
) -> Form:
    tech: Form = {}
    pair = hand.take_pair() if chance.one_in(2) else None
    if pair is not None and pair in techs:
        tech["pair"] = pair
    card = hand.take(lambda card: card != RUINS and card not in specials)
    if card is not None:
        tech["advance"] = [card]
    return tech


def _choose_build(view: View, seat: Seat, chance: Chance) -> Any:
    table, player = view.table, view.table.players[seat]
    number = 1 + chance.below(3)
    if player.tokens < number * production.find_fleet_cost(player):
        return "max"
    places = [table.homes[seat]]
    if production.DOCKS in player.specials:
        owners = find_occupied_spaces(table.fleets)
        places += [
            space
            for space in sorted(owners, key=PLACE.__getitem__)
            if owners[space] == seat and table.terrain.get(space) in production.DOCKED
        ]
    if chance.one_in(2):
        fleets = "max" if chance.one_in(4) else number
        return [{"at": chance.choice(places), "fleets": fleets}]
    return number


def _choose_jump_form(view: View, seat: Seat, chance: Chance, components: Components) -> Form:
    player = view.table.players[seat]
    hand = Hand(view.hand, chance)
    form: Form = {}
    remaining = find_order_limit(player)
    if chance.one_in(6):
        _choose_raises(view, seat, form, hand, chance, components)
    if "planet-jump" in player.specials and chance.one_in(2):
        home = view.table.homes.get(seat)
        beside = NEIGHBOURS[view.table.options.grid][home] if home else ()
        used_spaces = {*view.table.terrain, *view.table.homes.values()}
        free = [space for space in beside if space not in used_spaces]
        if free:
            form["move_homeworld"] = chance.choice(free)
            remaining -= 1
    jumps = _choose_jumps(view, seat, 1 + chance.below(remaining) if remaining else 0, chance)
    if jumps:
        form["jump"] = jumps
    fight = _choose_fight(view, seat, jumps, chance)
    if fight:
        form["fight"] = fight
    if chance.one_in(3) and (card := hand.take()):
        form["final"] = {"discard": [card]}
    return form


def _choose_jumps(view: View, seat: Seat, number: int, chance: Chance) -> list[Form]:
    reach = find_reach(view.table, seat)
    stacks = dict(reach.stood)
    sources = sorted(stacks, key=PLACE.__getitem__)
    jumps: list[Form] = []
    for _ in range(number):
        if not sources:
            break
        source = chance.choice(sources)
        _, *targets = find_distances(reach.grid, reach.crossed, source, reach.far)
        target = chance.choice(targets) if targets else source
        if target == source or target in reach.barred or target in reach.holes:
            continue
        fleets = 1 + chance.below(min(stacks[source], reach.most))
        everything = fleets == stacks[source]
        stacks[source] -= fleets
        if everything:
            sources.remove(source)
        jumps.append({"from": source, "to": target, "fleets": "all" if everything else fleets})
    return jumps


def _choose_fight(view: View, seat: Seat, jumps: Sequence[Document], chance: Chance) -> Form:
    fight: Form = {}
    if chance.one_in(4):
        sides = [side for side in sorted(view.table.fleets) if side != seat]
        if sides:
            fight["targets"] = [chance.choice(sides)]
    if "nova-bombs" in view.table.players[seat].specials and jumps:
        fight["nova_bombs"] = [{"at": chance.choice(jumps)["to"], "ships": 1}]
    return fight


def _choose_reveal(view: View, seat: Seat, chance: Chance, _: Components) -> Form:
    table = view.table
    form: Form = {}
    lists = {other: list_entries(orders) for other, orders in (table.written or {}).items()}
    if find_leader(table.players, "espionage") == seat and lists.get(seat) and chance.one_in(2):
        form["espionage"] = {"cancel": chance.choice(lists[seat]).number}
        for jump in _choose_jumps(view, seat, 1, chance):
            rewritten = {"espionage": {**form["espionage"], "rewrite": jump}}
            if not reveal.check_reveal(view, seat, rewritten):
                form = rewritten
    player = table.players[seat]
    if "time-jump" in player.specials and view.hand and chance.one_in(2):
        victims = [other for other in sorted(lists) if lists[other] and other != seat]
        if victims:
            victim = chance.choice(victims)
            number = chance.choice(lists[victim]).number
            card = chance.choice(view.hand)
            form["time_jump"] = {"discard": card, "player": victim, "order": number}
    return form


_WRITERS: Mapping[str, Callable[[View, Seat, Chance, Components], Form]] = {
    "homeworlds": _choose_homeworlds,
    "plan": _choose_plan,
    "jump": _choose_jump_form,
    "reveal": _choose_reveal,
}
