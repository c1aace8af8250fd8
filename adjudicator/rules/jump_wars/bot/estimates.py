"""What a bot expects of fights: who could come, and what would be left."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from adjudicator.core.document import Seat
from adjudicator.rules.jump_wars.phases.jump.faults import find_order_limit, find_reach
from adjudicator.rules.jump_wars.phases.jump.fight_phase import muster
from adjudicator.rules.jump_wars.phases.jump.fight_rounds import Combatant, fight_out
from adjudicator.rules.jump_wars.position.space import Space, find_distances
from adjudicator.rules.jump_wars.position.state import EMPIRE, NOTHING, Side, Table

Range = frozenset[Space]

_COUNTED: Final = 120
"""Fights of more fleets are estimated by smaller ones of the same proportions."""


def count_fleets_left(table: Table, at: Space, forces: Mapping[Side, int], me: Seat) -> int:
    """Count how many of my fleets would be left if these met there now."""
    most = sum(forces.values())
    scale = max(1, -(-most // _COUNTED))
    if scale > 1:
        forces = {side: -(-number // scale) for side, number in forces.items()}
    sides = tuple(muster(table, at, side, number) for side, number in forces.items())
    return _fight(sides).get(me, 0) * scale


@lru_cache(8192)
def _fight(sides: tuple[Combatant, ...]) -> Mapping[Side, int]:
    return fight_out(sides).left


def count_bombs(table: Table, at: Space, forces: Mapping[Side, int], me: Seat) -> int:
    """Count the ships whose nova bombs destroy all enemies there; 0 if they cannot (JW-56)."""
    if "nova-bombs" not in table.players[me].specials:
        return 0
    bomber = muster(table, at, me, forces[me])
    foes = [muster(table, at, side, number) for side, number in forces.items() if side != me]
    ships = 1 + max(foe.defense for foe in foes) // bomber.attack  # a raise may add 1 (JW-13)
    first = bomber.initiative + bomber.surprise
    shots = [foe.fleets * foe.attack for foe in foes if foe.initiative + foe.surprise > first]
    return ships if forces[me] - sum(shots) // bomber.defense >= ships else 0


def find_enemies(table: Table, me: Seat, at: Space) -> dict[Side, int]:
    """Find the fleets of others that stand there."""
    return {
        side: stacks[at]
        for side, stacks in sorted(table.fleets.items())
        if side != me and stacks.get(at)
    }


def find_threats(table: Table, me: Seat, at: Space, holes: Range) -> dict[Side, int]:
    """Find how many fleets each enemy could bring there this turn."""
    threats: dict[Side, int] = {}
    for side, stacks in sorted(table.fleets.items()):
        if side in (me, EMPIRE):
            continue
        number = stacks.get(at, 0)
        if not is_barred(table, me, side, at):
            reach = find_reach(table, side)
            near = find_distances(reach.grid, holes, at, reach.far)
            limit = find_order_limit(table.players[side])
            coming = [fleets for space, fleets in stacks.items() if space in near and space != at]
            parts = [part for fleets in coming for part in split(fleets, reach.most)]
            number += sum(sorted(parts, reverse=True)[:limit])
        if number:
            threats[side] = number
    return threats


def split(fleets: int, most: int) -> list[int]:
    """Split a stack into the parts that go in one order each, the largest first (JW-31)."""
    full, rest = divmod(fleets, most)
    return [most] * full + [rest] * bool(rest)


def find_worst(threats: Mapping[Side, int]) -> dict[Side, int]:
    """Find the largest of the threats, as a force of its own."""
    worst = max(sorted(threats), key=threats.__getitem__)
    return {worst: threats[worst]}


def is_barred(table: Table, me: Seat, side: Side, at: Space) -> bool:
    """Whether my diplomacy keeps this side from jumping there this turn (JW-18)."""
    ally = table.ally
    is_mine = ally is not None and (ally.of, ally.who) == (me, side)
    return is_mine and at in table.fleets.get(me, NOTHING)
