"""A bot with clear goals: income first, then attack, then the homeworlds.

It sees what its seat sees, and is meant as a sparring partner and as a substitute for a missing
player, not as a master. Every turn it looks at the table afresh; nothing is planned
beyond the next jump.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from adjudicator.core.dice import Dice
from adjudicator.core.document import Seat
from adjudicator.rules.jump_wars.phases.jump.battle import fight_out
from adjudicator.rules.jump_wars.phases.jump.faults import find_order_limit, find_reach
from adjudicator.rules.jump_wars.phases.jump.fight import muster
from adjudicator.rules.jump_wars.phases.plan import production
from adjudicator.rules.jump_wars.phases.plan.draw import BRAINS
from adjudicator.rules.jump_wars.phases.plan.production import find_space_income
from adjudicator.rules.jump_wars.position.components import Card, Components, Tech
from adjudicator.rules.jump_wars.position.space import (
    PLACE,
    Space,
    find_distances,
    list_spaces_within,
)
from adjudicator.rules.jump_wars.position.state import (
    EMPIRE,
    RUINS,
    Player,
    Side,
    Table,
    View,
    find_hand_limit,
    find_leader,
)

Range = frozenset[Space]


def count_fleets_left(table: Table, at: Space, forces: Mapping[Side, int], me: Seat) -> int:
    """Count how many of my fleets would be left if these met there now."""
    outcome = fight_out([muster(table, at, side, number) for side, number in forces.items()])
    return outcome.left.get(me, 0)


def find_enemies(table: Table, me: Seat, at: Space) -> dict[Side, int]:
    """Find the fleets of others that stand there."""
    return {
        side: stacks[at]
        for side, stacks in sorted(table.fleets.items())
        if side != me and stacks.get(at)
    }


def find_threats(table: Table, me: Seat, at: Space, holes: Range) -> dict[Side, int]:
    """Find how many fleets each enemy could bring there this turn."""
    found: dict[Side, int] = {}
    for side, stacks in sorted(table.fleets.items()):
        if side in (me, EMPIRE):
            continue
        reach = find_reach(table, side)
        near = list_spaces_within(reach.grid, holes, at, reach.far)
        coming = sorted((min(stacks.get(space, 0), reach.most) for space in near), reverse=True)
        number = stacks.get(at, 0) + sum(coming[: find_order_limit(table.players[side])])
        if number:
            found[side] = number
    return found


Order = dict[str, Any]

_FAR: Final = 99
_HOMEWORLD_WORTH: Final = 20
_OWN_HOMEWORLD_WORTH: Final = 30
_EMPIRE_WORTH: Final = 6
_INCOME_WORTH: Final = 3


class Campaign:
    """One turn's jumps while they are planned: fleets that may still move, and orders so far."""

    def __init__(self, table: Table, me: Seat, components: Components) -> None:
        self.table = table
        self.me = me
        self.components = components
        self.reach = find_reach(table, me)
        self.orders_left = find_order_limit(table.players[me])
        self.free = dict(self.reach.stood)
        self.orders: list[Order] = []

    def plan_jumps(self) -> list[Order]:
        """Plan the turn's jump orders, the most important first."""
        self._hold()
        for worth, space in self._rank_prizes():
            if worth > 1:
                self._attack(space)
        self._advance()
        self._settle()
        return self.orders

    def _hold(self) -> None:
        """Keep at home and on taken homeworlds what an enemy in reach would otherwise take."""
        homes = self.table.homes
        for side, home in homes.items():
            mine = self.free.get(home, 0)
            if not mine or side == EMPIRE:
                continue
            self.free[home] = mine - self._find_garrison(home, mine, own=side == self.me)

    def _find_garrison(self, home: Space, mine: int, *, own: bool) -> int:
        coming = find_threats(self.table, self.me, home, self.reach.holes)
        if not own:
            owner = next(side for side, space in self.table.homes.items() if space == home)
            # What the owner can build there next turn has to be beaten too.
            coming[owner] = coming.get(owner, 0) + 1 + self.table.players[owner].tokens // 5
        worst = max(coming.values(), default=0)
        if not worst:
            return 0
        foe = max(sorted(coming), key=coming.__getitem__)
        for number in range(1, mine + 1):
            if count_fleets_left(self.table, home, {self.me: number, foe: worst}, self.me):
                return number
        return 1 if own else mine

    def _rank_prizes(self) -> list[tuple[int, Space]]:
        """Rank the spaces with enemies, the most valuable first."""
        spaces = {
            space
            for side, stacks in self.table.fleets.items()
            if side != self.me
            for space in stacks
        }
        ranked = [(self._value_space(space), space) for space in spaces]
        return sorted(ranked, key=lambda prize: (-prize[0], PLACE[prize[1]]))

    def _value_space(self, space: Space) -> int:
        owner = next((side for side, home in self.table.homes.items() if home == space), None)
        if owner is not None:
            worths = {self.me: _OWN_HOMEWORLD_WORTH, EMPIRE: _EMPIRE_WORTH}
            return worths.get(owner, _HOMEWORLD_WORTH)
        income = self.components.counters[self.table.terrain.get(space, "void")].income
        return 1 + _INCOME_WORTH * income + sum(find_enemies(self.table, self.me, space).values())

    def _list_sources(self, target: Space) -> list[Space]:
        """List the spaces whose free fleets can jump there this turn, the largest stack first."""
        if target in self.reach.barred:
            return []
        near = list_spaces_within(self.reach.grid, self.reach.crossed, target, self.reach.far)
        spaces = [space for space in near if self.free.get(space)]
        return sorted(spaces, key=lambda space: (-self.free[space], PLACE[space]))

    def _attack(self, target: Space) -> None:
        """Send what is needed to win there, and no less; nothing if it cannot be won."""
        there = self.reach.stood.get(target, 0)
        foes = find_enemies(self.table, self.me, target)
        sources = self._list_sources(target)[: self.orders_left]
        parts = [min(self.free[space], self.reach.most) for space in sources]
        for number in range(len(sources) + 1):
            mine = there + sum(parts[:number])
            if mine and self._wins(target, mine, foes):
                for space, part in zip(sources[:number], parts[:number], strict=True):
                    self._send(space, target, part)
                return

    def _wins(self, target: Space, mine: int, foes: Mapping[str, int]) -> bool:
        left = count_fleets_left(self.table, target, {self.me: mine, **foes}, self.me)
        return left * 4 >= mine if target not in self.table.homes.values() else left > 0

    def _advance(self) -> None:
        """Move free stacks towards the homeworld that is easiest to take."""
        goals = self._find_goals()
        if not goals:
            return
        for space in sorted(self.free, key=lambda space: (-self.free[space], PLACE[space])):
            if not self.orders_left:
                return
            number = self.free[space]
            if number < 2 or space in goals:
                continue
            goal = min(goals, key=lambda goal: (self._measure(space, goal), PLACE[goal]))
            step = self._find_step(space, goal, min(number, self.reach.most))
            if step is not None:
                self._send(space, step, min(number, self.reach.most))

    def _find_goals(self) -> list[Space]:
        """Find homeworlds to take: one's own first of all, else the nearest enemy's."""
        table = self.table
        wanted = [
            home
            for side, home in table.homes.items()
            if side not in (self.me, EMPIRE) and not self._holds(home)
        ]
        own = table.homes.get(self.me)  # a GM's position may lack it
        if own is not None and find_enemies(table, self.me, own):
            return [own]
        if not wanted:
            return []
        cost = {home: sum(find_enemies(table, self.me, home).values()) for home in wanted}
        if own is not None:
            cost = {home: strength + self._measure(own, home) for home, strength in cost.items()}
        return [min(wanted, key=lambda home: (cost[home], PLACE[home]))]

    def _holds(self, space: Space) -> bool:
        mine = self.reach.stood.get(space, 0)
        return bool(mine) and not find_enemies(self.table, self.me, space)

    def _measure(self, one: Space, other: Space) -> int:
        return find_distances(self.reach.grid, self.reach.crossed, other).get(one, _FAR)

    def _find_step(self, space: Space, goal: Space, number: int) -> Space | None:
        """Find the space in range that is nearest to the goal and not too dangerous."""
        here = self._measure(space, goal)
        best: tuple[int, int, Space] | None = None
        for other in list_spaces_within(self.reach.grid, self.reach.crossed, space, self.reach.far):
            way = self._measure(other, goal)
            if way >= here or other in self.reach.barred or other in self.reach.holes:
                continue
            foes = find_enemies(self.table, self.me, other)
            if foes and not count_fleets_left(
                self.table, other, {self.me: number, **foes}, self.me
            ):
                continue
            mine = self.reach.stood.get(other, 0)
            if best is None or (way, -mine, other) < best:
                best = (way, -mine, other)
        return best[2] if best else None

    def _settle(self) -> None:
        """Send single fleets to income that nobody holds."""
        taken = {order["to"] for order in self.orders}
        taken |= {space for stacks in self.table.fleets.values() for space in stacks}
        wanted = [
            (self._find_income(space), space)
            for space, terrain in self.table.terrain.items()
            if space not in taken and terrain in self.components.counters
        ]
        for income, target in sorted(wanted, key=lambda want: (-want[0], PLACE[want[1]])):
            if not income or not self.orders_left:
                return
            sources = [space for space in self._list_sources(target) if self._can_spare(space)]
            if sources:
                self._send(sources[0], target, 1)

    def _find_income(self, space: Space) -> int:
        specials = self.table.players[self.me].specials
        return find_space_income(self.table.terrain[space], specials, self.components)

    def _can_spare(self, space: Space) -> bool:
        """Whether a fleet may leave without giving up income that stands there."""
        earns = space in self.table.terrain and self._find_income(space) > 0
        return self.free[space] > 1 or (not earns and space not in self.table.homes.values())

    def _send(self, source: Space, target: Space, number: int) -> None:
        self.orders.append({"from": source, "to": target, "fleets": number})
        self.orders_left -= 1
        self.free[source] -= number
        if not self.free[source]:
            del self.free[source]


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
"""The value of the next level, from level 1 on; beyond that 1."""

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
"""The value of an ability; the others have 2."""

_HOMEWORLD_RANKS: Final = ("A1", "J10", "J1", "A10", "E1", "J5", "E10", "A5")


def bot(view: View, seat: Seat, dice: Dice, components: Components) -> Form:
    """Choose orders for the form that is due."""
    step = view.table.step
    if step == "plan":
        return _order_plan(view, seat, components)
    if step == "jump":
        return _order_jumps(view, seat, components)
    if step == "homeworlds":
        return {"homeworld": list(dice.draw("bot", seat).shuffled(_HOMEWORLD_RANKS))}
    return {}


def _order_plan(view: View, seat: Seat, components: Components) -> Form:
    player = view.table.players[seat]
    hand = list(view.hand)
    # A GM's position may lack the homeworld.
    form: Form = {"build": "max"} if seat in view.table.homes else {}
    extras = _order_extras(player, hand)
    if extras:
        form["draw"] = extras
    tech = _order_tech(player, hand, components)
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
        form["ally"] = max(others, key=lambda other: _count_strength(view, other))
    excess = _list_excess(player, hand, components)
    if excess:
        form["mine"] = {"discard": excess}
    return form


def _order_extras(player: Player, hand: list[Card]) -> Form:
    extras: Form = {}
    if RUINS in hand:
        hand.remove(RUINS)
        extras["progenitor_ruins"] = True
    if BRAINS in player.specials and player.tokens >= 10 + 2 * production.find_fleet_cost(player):
        extras["positronic_brains"] = True
    return extras


def _order_tech(player: Player, hand: list[Card], components: Components) -> Form:
    """Order the best pair, and the best card that is then left."""
    tech: Form = {}
    pairs = [card for card in components.technologies if hand.count(card) > 1]
    if pairs:
        pair = max(pairs, key=lambda card: _value_card(player, card))
        hand.remove(pair)
        hand.remove(pair)
        tech["pair"] = pair
    usable = [card for card in components.cards if card in hand and card not in player.specials]
    usable = [card for card in usable if card != RUINS]
    if usable:
        best = max(usable, key=lambda card: _value_card(player, card))
        hand.remove(best)
        tech["advance"] = [best]
    return tech


def _value_card(player: Player, card: Card) -> int:
    worths = _TECH_WORTH.get(card)
    if worths is None:
        return _SPECIAL_WORTH.get(card, 2)
    level = player.levels[card]
    return worths[level - 1] if level <= len(worths) else 1


def _list_excess(player: Player, hand: Sequence[Card], components: Components) -> list[Card]:
    """List what is neither used next turn nor kept: each card pays 2 RT (JW-23)."""
    keep = max(1, find_hand_limit(player) - 2)
    ranked = sorted(hand, key=lambda card: (-_value_card(player, card), components.rank[card]))
    return ranked[keep:]


def _count_strength(view: View, seat: Seat) -> int:
    fleets = sum(view.table.fleets.get(seat, {}).values())
    return fleets * view.table.players[seat].find_level("attack")


def _order_jumps(view: View, seat: Seat, components: Components) -> Form:
    jumps = Campaign(view.table, seat, components).plan_jumps()
    form: Form = {}
    if jumps:
        form["jump"] = jumps
    fights = any(_has_enemy(view, seat, jump["to"]) for jump in jumps)
    raised: list[Tech] = [card for card in ("attack", "initiative") if card in view.hand]
    if fights and raised:
        form["cutting_edge"] = raised[:1]
    return form


def _has_enemy(view: View, seat: Seat, space: str) -> bool:
    return any(space in stacks for side, stacks in view.table.fleets.items() if side != seat)
