"""One turn's jumps: what must stay, what can be taken, and who goes nearer to a homeworld."""

from bisect import bisect
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any, Final

from adjudicator.core.document import Seat
from adjudicator.rules.jump_wars.bot.estimates import (
    count_bombs,
    count_fleets_left,
    find_enemies,
    find_threats,
    find_worst,
    split,
)
from adjudicator.rules.jump_wars.bot.style import Caution, Style
from adjudicator.rules.jump_wars.phases.jump.faults import find_order_limit, find_reach
from adjudicator.rules.jump_wars.phases.plan.production import find_fleet_cost, find_space_income
from adjudicator.rules.jump_wars.position.components import Components
from adjudicator.rules.jump_wars.position.space import (
    PLACE,
    Space,
    find_distances,
    list_spaces_within,
)
from adjudicator.rules.jump_wars.position.state import EMPIRE, NOTHING, Side, Table

Order = dict[str, Any]

_FAR: Final = 99
_EARLY: Final = 12
"""The turns before bots become impatient."""
_WAVE: Final = 10
"""Fewer fleets do not wear anybody down."""
_HOMEWORLD_WORTH: Final = 20
_OWN_HOMEWORLD_WORTH: Final = 30
_EMPIRE_WORTH: Final = 6
_INCOME_WORTH: Final = 3


class Campaign:
    """One turn's jumps while they are planned: fleets that may still move, and orders so far."""

    def __init__(self, table: Table, me: Seat, style: Style, components: Components) -> None:
        self.table = table
        self.me = me
        self.style = style
        self.components = components
        self.reach = find_reach(table, me)
        self.orders_left = find_order_limit(table.players[me])
        self.free = dict(self.reach.stood)
        self.orders: list[Order] = []
        specials = table.players[me].specials
        self._incomes = {
            terrain: find_space_income(terrain, specials, components)
            for terrain in components.counters
        }

    def plan_jumps(self) -> list[Order]:
        """Plan the turn's jump orders, the most important first."""
        style = self.style
        if style.holds:
            self._hold()
        if style.settles_first:
            self._settle()
        for worth, space in self._rank_prizes():
            if worth > 1:
                self._attack(space)
        if self._is_ready(style.caution) if style.marches is None else style.marches:
            self._advance()
        self._settle()
        return self.orders

    def mass(self, target: Space) -> list[Order]:
        """Send all that can go to one space; what orders are left take what else can be won."""
        if self.style.holds:
            self._hold()
        for space, part in self._list_parts(self._list_sources(target))[: self.orders_left]:
            self._send(space, target, part)
        for worth, space in self._rank_prizes():
            if worth > 1 and space != target:
                self._attack(space)
        self._settle()
        return self.orders

    def _hold(self) -> None:
        """Keep at home and on taken homeworlds what an enemy in reach would otherwise take."""
        homes = self.table.homes
        for side, home in homes.items():
            own_fleets = self.free.get(home, 0)
            if not own_fleets or side == EMPIRE:
                continue
            self.free[home] = own_fleets - self._find_garrison(
                home, own_fleets, own=side == self.me
            )

    def _find_garrison(self, home: Space, own_fleets: int, *, own: bool) -> int:
        coming = find_threats(self.table, self.me, home, self.reach.holes)
        if not own:
            owner = next(side for side, space in self.table.homes.items() if space == home)
            # What the owner can build there next turn has to be beaten too.
            coming[owner] = coming.get(owner, 0) + 1 + self.table.players[owner].tokens // 5
        if not coming:
            return 0
        worst = find_worst(coming)
        numbers = range(1, own_fleets + 1)
        least = bisect(numbers, 0, key=lambda number: self._survives(home, number, worst))
        if least < own_fleets:
            return numbers[least]
        return 1 if own else own_fleets

    def _rank_prizes(self) -> list[tuple[int, Space]]:
        """Rank the spaces with enemies, and empty homeworlds, the most valuable first."""
        spaces = {
            space
            for side, stacks in self.table.fleets.items()
            if side != self.me
            for space in stacks
        }
        homes = self.table.homes.items()
        spaces |= {home for side, home in homes if side != self.me and not self._holds(home)}
        prizes = [(self._value_space(space), space) for space in spaces]
        return sorted(prizes, key=lambda prize: (-prize[0], PLACE[prize[1]]))

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
        near = find_distances(self.reach.grid, self.reach.crossed, target, self.reach.far)
        spaces = [space for space in self.free if space in near and space != target]
        return sorted(spaces, key=lambda space: (-self.free[space], PLACE[space]))

    def _attack(self, target: Space) -> None:
        """Send what it takes to win there, else to bomb or wear down; nothing if nothing helps."""
        there = self.reach.stood.get(target, 0)
        foes = find_enemies(self.table, self.me, target)
        parts = self._list_parts(self._list_sources(target))[: self.orders_left]
        forces = [*accumulate((part for _, part in parts), initial=there)]
        for suffices in (self._wins, self._bombs, self._wears_down):
            for number, force in enumerate(forces):
                if force and suffices(target, force, foes):
                    for space, part in parts[:number]:
                        self._send(space, target, part)
                    return

    def _list_parts(self, sources: Sequence[Space]) -> list[tuple[Space, int]]:
        """List what one order each can send from there, the largest parts first (JW-31)."""
        most = self.reach.most
        parts = [(space, part) for space in sources for part in split(self.free[space], most)]
        return sorted(parts, key=lambda part: -part[1])

    def _wins(self, target: Space, force: int, foes: Mapping[Side, int]) -> bool:
        forces = {self.me: force, **foes}
        survivors = count_fleets_left(self.table, target, forces, self.me)
        return survivors > 0 if self._is_home(target) else survivors * 4 >= force

    def _bombs(self, target: Space, force: int, foes: Mapping[Side, int]) -> bool:
        """Whether nova bombs destroy all enemies there, and those are many more than mine."""
        caution = self.style.caution
        if caution is None or sum(foes.values()) < caution.losses * force:
            return False
        return count_bombs(self.table, target, {self.me: force, **foes}, self.me) > 0

    def _wears_down(self, target: Space, force: int, foes: Mapping[Side, int]) -> bool:
        """Whether a lost fight for a homeworld costs the one enemy there much more than me."""
        caution = self.style.caution
        if caution is None or force < _WAVE or len(foes) > 1 or not self._is_home(target):
            return False
        ((foe, number),) = foes.items()
        killed = number - count_fleets_left(self.table, target, {self.me: force, **foes}, foe)
        return killed >= caution.losses * force

    def _is_home(self, space: Space) -> bool:
        return space in self.table.homes.values()

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
            able = min(number, self.orders_left * self.reach.most)
            step = self._find_step(space, goal, able)
            if step is not None:
                for source, part in self._list_parts([space])[: self.orders_left]:
                    self._send(source, step, part)

    def _is_ready(self, caution: Caution | None) -> bool:
        """Whether all fleets that may leave could take the homeworld that is the goal."""
        if caution is None:
            return True
        goals = self._find_goals()
        owner = next((side for side, home in self.table.homes.items() if home in goals), self.me)
        if owner == self.me:
            return True
        force = sum(number for number in self.free.values() if number > 1)
        foes = self._foresee_defenders(owner, goals[0])
        bold = caution.boldness + max(0, self.table.turn - _EARLY) / caution.patience
        if bold * force <= foes:
            return False
        forces = {self.me: force, owner: max(1, int(foes / bold))}
        return bool(count_fleets_left(self.table, goals[0], forces, self.me))

    def _foresee_defenders(self, owner: Seat, home: Space) -> int:
        """Foresee how many fleets will defend a homeworld when mine could be there."""
        player, stacks = self.table.players[owner], self.table.fleets.get(owner, NOTHING)
        near = find_distances(self.reach.grid, self.reach.crossed, home)
        back = 2 * self.reach.far
        there = sum(number for space, number in stacks.items() if near.get(space, _FAR) <= back)
        distance = min((near.get(space, _FAR) for space in self.free), default=_FAR)
        new_fleets = 5 * player.find_level("manufacturing") // find_fleet_cost(player)
        return there + -(-distance // self.reach.far) * max(1, new_fleets)

    def _find_goals(self) -> list[Space]:
        """Find homeworlds to take: one's own first of all, else the nearest enemy's."""
        table = self.table
        homes = [
            home
            for side, home in table.homes.items()
            if side not in (self.me, EMPIRE) and not self._holds(home)
        ]
        own = table.homes.get(self.me)  # a GM's position may lack it
        if own is not None and find_enemies(table, self.me, own):
            return [own]
        if not homes:
            return []
        if (goal := self.style.goal) is not None and goal in table.homes:
            return [table.homes[goal]]
        cost = {home: sum(find_enemies(table, self.me, home).values()) for home in homes}
        if own is not None:
            cost = {home: strength + self._measure(own, home) for home, strength in cost.items()}
        return [min(homes, key=lambda home: (cost[home], PLACE[home]))]

    def _holds(self, space: Space) -> bool:
        own_fleets = self.reach.stood.get(space, 0)
        return bool(own_fleets) and not find_enemies(self.table, self.me, space)

    def _measure(self, one: Space, other: Space) -> int:
        return find_distances(self.reach.grid, self.reach.crossed, other).get(one, _FAR)

    def _find_step(self, space: Space, goal: Space, number: int) -> Space | None:
        """Find the space in range that is nearest to the goal and not too dangerous."""
        here = self._measure(space, goal)
        best: tuple[int, int, Space] | None = None
        for other in list_spaces_within(self.reach.grid, self.reach.crossed, space, self.reach.far):
            distance = self._measure(other, goal)
            if distance >= here or other in self.reach.barred or other in self.reach.holes:
                continue
            if not self._dares(other, number):
                continue
            own_fleets = self.reach.stood.get(other, 0)
            if best is None or (distance, -own_fleets, other) < best:
                best = (distance, -own_fleets, other)
        return best[2] if best else None

    def _dares(self, space: Space, number: int) -> bool:
        """Whether so many may go there."""
        foes, caution = find_enemies(self.table, self.me, space), self.style.caution
        if foes and not self._survives(space, number, foes):
            return False
        if caution is None or self.table.turn > caution.ends:
            return True
        coming = find_threats(self.table, self.me, space, self.reach.holes)
        going = sum(order["fleets"] for order in self.orders if order["to"] == space)
        force = number + going + self.free.get(space, 0)
        return not coming or self._survives(space, force, find_worst(coming))

    def _survives(self, space: Space, number: int, foes: Mapping[Side, int]) -> bool:
        return bool(count_fleets_left(self.table, space, {self.me: number, **foes}, self.me))

    def _settle(self) -> None:
        """Send single fleets to income that nobody holds."""
        if not any(map(self._can_spare, self.free)):
            return
        occupied = {order["to"] for order in self.orders}
        occupied |= {space for stacks in self.table.fleets.values() for space in stacks}
        targets = [
            (self._find_income(space), space)
            for space, terrain in self.table.terrain.items()
            if space not in occupied and terrain in self.components.counters
        ]
        for income, target in sorted(targets, key=lambda want: (-want[0], PLACE[want[1]])):
            if not income or not self.orders_left:
                return
            sources = [space for space in self._list_sources(target) if self._can_spare(space)]
            if sources:
                self._send(sources[0], target, 1)

    def _find_income(self, space: Space) -> int:
        return self._incomes[self.table.terrain[space]]

    def _can_spare(self, space: Space) -> bool:
        """Whether a fleet may leave without giving up income that stands there."""
        earns = space in self.table.terrain and self._find_income(space) > 0
        return self.free[space] > 1 or (not earns and not self._is_home(space))

    def _send(self, source: Space, target: Space, number: int) -> None:
        self.orders.append({"from": source, "to": target, "fleets": number})
        self.orders_left -= 1
        self.free[source] -= number
        if not self.free[source]:
            del self.free[source]
