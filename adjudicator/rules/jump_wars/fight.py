"""The fight phase: who meets whom, with which bonuses, and what is left (JW-50 to JW-58).

Events, all seen by everybody unless noted:
fight         JW-50  at; terrain; home: whose homeworld it is, or null; defender: a side or null;
                     sides: [{side, fleets, initiative, attack, defense, bonuses: [{why,
                     initiative, attack, defense}]}], bonuses included in the three numbers
                     (`cloaking` only in the first round, so it is not);
                     rounds: [{actions: [{initiative,
                       bombs: [{side, ships, damage}],
                       shots: [{side, fleets, attack, at: {side: damage}}],
                       losses: [{side, destroyed, left, damaged: [damage on the living],
                                 credit: {side: fleets}}]}]}];
                     left: {side: fleets}; lost: {side: fleets}, sacrificed ships included
assimilated   JW-57  side, at, fleets (gained), destroyed (credited)
negated       JW-56  nova bombs that never went off; seen by their owner
"""

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.core.canonical import decode, encode, plain
from adjudicator.core.document import Seat
from adjudicator.core.event import Event, negated
from adjudicator.core.finding import Path
from adjudicator.rules.jump_wars.battle import Combatant, Outcome, fight_out
from adjudicator.rules.jump_wars.components import Components
from adjudicator.rules.jump_wars.serve import terrain_at
from adjudicator.rules.jump_wars.space import PLACE, Space
from adjudicator.rules.jump_wars.state import (
    EMPIRE,
    Kept,
    Side,
    State,
    Table,
    sides_in_order,
    with_fleets,
)

NEBULA: Final = "nebula"
NO_KEPT: Final = Kept()


class Bonus(Struct, frozen=True):
    """One line of JW-51."""

    why: str
    initiative: int = 0
    attack: int = 0
    defense: int = 0


def adjudicate(state: State, components: Components) -> tuple[State, tuple[Event, ...]]:
    """Fight in every contested space, in map order; fights do not influence each other."""
    table = state.table
    events: list[Event] = []
    thrown: dict[tuple[Seat, Space], int] = {}
    met = contested(table)
    for space, sides in met:
        combatants = [_combatant(state, components, space, side) for side in sides]
        outcome = fight_out(combatants)
        events.append(_told(table, space, combatants, outcome))
        thrown.update({(side, space): ships for side, ships in outcome.bombed.items()})
        table = _after(table, space, combatants, outcome)
        gained = _assimilated(table, space, outcome)
        if gained is not None:
            table = with_fleets(table, gained.data["side"], {space: gained.data["fleets"]})
            events.append(gained)
    there = {(side, space) for space, sides in met for side in sides}
    for seat in table.seats:
        events += _duds(state, seat, thrown, there)
    return replace(state, table=table), tuple(events)


def contested(table: Table) -> Sequence[tuple[Space, Sequence[Side]]]:
    """The spaces with fleets of two or more sides, in map order; sides in seat order (JW-50)."""
    there: dict[Space, list[Side]] = {}
    for side in sides_in_order(table):
        for space in table.fleets.get(side, {}):
            there.setdefault(space, []).append(side)
    met = [(space, sides) for space, sides in there.items() if len(sides) > 1]
    return sorted(met, key=lambda meeting: PLACE[meeting[0]])


def bonuses(table: Table, space: Space, side: Side) -> tuple[Bonus, ...]:
    """JW-51: what a side has on top of its levels in every round there."""
    found = []
    if table.terrain.get(space) == NEBULA and table.held.get(space) == side:  # JW-52
        found.append(Bonus("defender in a nebula", 1, 1, 1))
    if table.homes.get(side) == space:
        found.append(Bonus("own homeworld", 0, 2, 2))
    return tuple(found)


def _surprise(table: Table, side: Side) -> int:
    cloaked = side != EMPIRE and "cloaking" in table.players[side].specials
    return 2 if cloaked else 0


def _combatant(state: State, components: Components, space: Space, side: Side) -> Combatant:
    table = state.table
    player = table.players.get(side)
    kept = state.kept.get(side, NO_KEPT)
    initiative = attack = defense = components.start.level  # JW-61: the old empire's levels
    if player:
        initiative = player.level("initiative")
        attack = player.level("attack")
        defense = player.level("defense")
    for bonus in bonuses(table, space, side):
        initiative += bonus.initiative
        attack += bonus.attack
        defense += bonus.defense
    return Combatant(
        side=side,
        fleets=table.fleets[side][space],
        initiative=initiative,
        attack=attack,
        defense=defense,
        surprise=_surprise(table, side),
        targets=kept.targets,
        bombs=_bombs_ordered(table, side, kept, space),
    )


def _bombs_ordered(table: Table, side: Side, kept: Kept, space: Space) -> int:
    if not kept.nova_bombs or "nova-bombs" not in table.players[side].specials:
        return 0
    return sum(ships for at, ships in kept.nova_bombs if at == space and ships > 0)


def _after(table: Table, space: Space, combatants: Sequence[Combatant], outcome: Outcome) -> Table:
    fleets = dict(table.fleets)
    for one in combatants:
        stacks = dict(fleets[one.side])
        left = outcome.left.get(one.side, 0)
        if left:
            stacks[space] = left
        else:
            del stacks[space]
        fleets[one.side] = stacks
    return replace(table, fleets=fleets)


def _assimilated(table: Table, space: Space, outcome: Outcome) -> Event | None:
    """JW-57: only who has fleets left there gains."""
    for side in outcome.left:
        destroyed = outcome.credit[side]
        if side == EMPIRE or destroyed < 2 or "assimilation" not in table.players[side].specials:
            continue
        data = {"side": side, "at": space, "fleets": destroyed // 2, "destroyed": destroyed}
        return Event(kind="assimilated", rule="JW-57", seen_by=None, data=data)
    return None


def _told(table: Table, space: Space, combatants: Sequence[Combatant], outcome: Outcome) -> Event:
    sides = [
        {
            "side": one.side,
            "fleets": one.fleets,
            "initiative": one.initiative,
            "attack": one.attack,
            "defense": one.defense,
            "bonuses": [plain(bonus) for bonus in _all_bonuses(table, space, one)],
        }
        for one in combatants
    ]
    data = {
        "at": space,
        "terrain": terrain_at(table, space),
        "home": next((side for side, home in table.homes.items() if home == space), None),
        "defender": table.held.get(space),
        "sides": sides,
        "rounds": decode(encode(outcome.rounds)),  # as it reads after being stored
        "left": dict(outcome.left),
        "lost": {one.side: one.fleets - outcome.left.get(one.side, 0) for one in combatants},
    }
    return Event(kind="fight", rule="JW-50", seen_by=None, data=data)


def _all_bonuses(table: Table, space: Space, one: Combatant) -> tuple[Bonus, ...]:
    found = bonuses(table, space, one.side)
    if one.surprise:
        found += (Bonus("cloaking, in the first round", initiative=one.surprise),)
    return found


def _duds(
    state: State,
    seat: Seat,
    thrown: Mapping[tuple[Seat, Space], int],
    there: set[tuple[Side, Space]],
) -> list[Event]:
    """The nova bombs of a seat that never went off (JW-56)."""
    kept = state.kept.get(seat, NO_KEPT)
    left = dict(thrown)
    events = []
    for place, (space, ships) in enumerate(kept.nova_bombs):
        why = bomb_fault(state.table, seat, space, ships)
        if why is None and left.get((seat, space), 0) > 0:
            left[seat, space] -= ships
            continue
        if why is None:
            met = (seat, space) in there
            why = "No ship was left to be sacrificed." if met else f"There was no fight at {space}."
        path: Path = ("fight", "nova_bombs", place)
        order = bomb_text(space, ships)
        events.append(negated(seat, "JW-56", order, why, seen_by=(seat,), path=path))
    return events


def bomb_text(space: Space, ships: int) -> str:
    """The order as it is told: `nova_bombs: D5 x1`."""
    return f"nova_bombs: {space} x{ships}"


def bomb_fault(table: Table, seat: Seat, space: Space, ships: int) -> str | None:
    """What is wrong with nova bombs before any fight."""
    if "nova-bombs" not in table.players[seat].specials:
        return "It needs the ability nova-bombs."
    if space not in PLACE:
        return f"{space} is not on the map: columns are A to J, rows 1 to 10."
    if ships < 1:
        return "It sacrifices no ship."
    return None
