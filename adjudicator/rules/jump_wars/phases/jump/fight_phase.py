"""The fight phase: who meets whom, with which bonuses, and what is left (JW-50 to JW-58)."""

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from adjudicator.core.document import Seat, to_plain
from adjudicator.core.events import Event, make_event, make_negation
from adjudicator.core.finding import Path
from adjudicator.rules.jump_wars.phases.jump.faults import explain_off_map, find_terrain
from adjudicator.rules.jump_wars.phases.jump.fight_rounds import (
    Bonus,
    Combatant,
    Outcome,
    fight_out,
)
from adjudicator.rules.jump_wars.position.components import Components
from adjudicator.rules.jump_wars.position.space import PLACE, Space
from adjudicator.rules.jump_wars.position.state import (
    EMPIRE,
    NOTHING,
    START_LEVEL,
    NovaBombs,
    PrivateOrders,
    Side,
    State,
    Table,
    find_shared_spaces,
    order_sides,
)

NEBULA: Final = "nebula"
_SURPRISE: Final = 2  # JW-51


def adjudicate_fights(state: State, _: Components) -> tuple[State, tuple[Event, ...]]:
    """Fight in every contested space, in map order; fights do not influence each other."""
    table = state.table
    fleets = {side: dict(stacks) for side, stacks in table.fleets.items()}
    events: list[Event] = []
    outcomes: dict[Space, Outcome] = {}
    homes = {home: side for side, home in table.homes.items()}
    for space, sides in find_contested_spaces(table).items():
        combatants = [make_combatant(state, space, side) for side in sides]
        outcome = outcomes[space] = fight_out(combatants)
        events.append(_describe_fight(table, space, homes.get(space), combatants, outcome))
        for side in sides:
            del fleets[side][space]
        for side, number in outcome.left.items():
            fleets[side][space] = number
        gained = _assimilate(table, space, outcome)
        if gained is not None:
            fleets[gained.data["side"]][space] += gained.data["fleets"]
            events.append(gained)
    for seat in table.seats:
        private = state.kept.get(seat)
        if private and private.fight.nova_bombs:
            events += _negate_duds(table, seat, private, outcomes)
    return replace(state, table=replace(table, fleets=fleets)), tuple(events)


def find_contested_spaces(table: Table) -> Mapping[Space, Sequence[Side]]:
    """Find the spaces with fleets of several sides, in map order; sides in seat order (JW-50)."""
    sides_by_space: dict[Space, list[Side]] = {
        space: [] for space in sorted(find_shared_spaces(table.fleets), key=PLACE.__getitem__)
    }
    for side in order_sides(table):
        stacks = table.fleets.get(side, NOTHING)
        for space, sides in sides_by_space.items():
            if space in stacks:
                sides.append(side)
    return sides_by_space


def list_bonuses(table: Table, space: Space, side: Side) -> tuple[Bonus, ...]:
    """List what a side has on top of its levels in every round there (JW-51)."""
    bonuses = []
    if table.terrain.get(space) == NEBULA and table.held.get(space) == side:  # JW-52
        bonuses.append(Bonus("defender in a nebula", 1, 1, 1))
    if table.homes.get(side) == space:
        bonuses.append(Bonus("own homeworld", 0, 2, 2))
    return tuple(bonuses)


def muster(table: Table, space: Space, side: Side, fleets: int) -> Combatant:
    """Make a combatant of this many fleets of a side there, with levels and bonuses."""
    player = table.players.get(side)
    on_top = list_bonuses(table, space, side)
    initiative = attack = defense = START_LEVEL  # JW-61: the old empire's levels
    surprise = 0
    if player:
        initiative = player.find_level("initiative")
        attack = player.find_level("attack")
        defense = player.find_level("defense")
    for bonus in on_top:
        initiative += bonus.initiative
        attack += bonus.attack
        defense += bonus.defense
    if player and "cloaking" in player.specials:
        surprise = _SURPRISE
        on_top = (*on_top, Bonus("cloaking, in the first round", surprise))
    return Combatant(
        side=side,
        fleets=fleets,
        initiative=initiative,
        attack=attack,
        defense=defense,
        surprise=surprise,
        bonuses=on_top,
    )


def make_combatant(state: State, space: Space, side: Side) -> Combatant:
    """Make a combatant of what stands there, with its owner's orders for fights."""
    table = state.table
    alone = muster(table, space, side, table.fleets[side][space])
    private = state.kept.get(side)
    if private is None:
        return alone
    return replace(
        alone, targets=private.fight.targets, bombs=_count_bombs(table, side, private, space)
    )


def _count_bombs(table: Table, side: Side, private: PrivateOrders, space: Space) -> int:
    if "nova-bombs" not in table.players[side].specials:
        return 0
    return sum(one.ships for one in private.fight.nova_bombs if one.at == space and one.ships > 0)


def _assimilate(table: Table, space: Space, outcome: Outcome) -> Event | None:
    """Give a side with fleets left there its gain (JW-57)."""
    for side in outcome.left:
        if side == EMPIRE or "assimilation" not in table.players[side].specials:
            continue
        destroyed = outcome.credit[side]
        if destroyed < 2:
            continue
        gained = {"fleets": destroyed // 2, "destroyed": destroyed}
        return make_event("assimilated", "JW-57", side=side, at=space, **gained)
    return None


def _describe_fight(
    table: Table,
    space: Space,
    home: Side | None,
    combatants: Sequence[Combatant],
    outcome: Outcome,
) -> Event:
    sides = [
        {
            "side": one.side,
            "fleets": one.fleets,
            "initiative": one.initiative,
            "attack": one.attack,
            "defense": one.defense,
            "bonuses": to_plain(one.bonuses) if one.bonuses else [],
        }
        for one in combatants
    ]
    return make_event(
        "fight",
        "JW-50",
        at=space,
        terrain=find_terrain(table, space),
        home=home,
        defender=table.held.get(space),
        sides=sides,
        rounds=outcome.rounds,
        left=outcome.left,
        lost={one.side: one.fleets - outcome.left.get(one.side, 0) for one in combatants},
    )


def _negate_duds(
    table: Table,
    seat: Seat,
    private: PrivateOrders,
    outcomes: Mapping[Space, Outcome],
) -> list[Event]:
    """Negate the nova bombs of a seat that never went off (JW-56)."""
    ships = {space: outcome.bombed_ships.get(seat, 0) for space, outcome in outcomes.items()}
    events = []
    for place, bombs in enumerate(private.fight.nova_bombs):
        space = bombs.at
        why = find_bomb_fault(table, seat, bombs)
        if why is None and ships.get(space, 0) > 0:
            ships[space] -= bombs.ships
            continue
        if why is None:
            fought = space in outcomes and seat in outcomes[space].sides
            no_ship = "No ship was left to be sacrificed."
            why = no_ship if fought else f"There was no fight at {space}."
        path: Path = ("fight", "nova_bombs", place)
        order = f"nova_bombs: {space} x{bombs.ships}"
        events.append(make_negation(seat, "JW-56", order, why, seen_by=(seat,), path=path))
    return events


def find_bomb_fault(table: Table, seat: Seat, bombs: NovaBombs) -> str | None:
    """Find what is wrong with nova bombs before any fight."""
    if "nova-bombs" not in table.players[seat].specials:
        return "It needs the ability nova-bombs."
    if bombs.at not in PLACE:
        return explain_off_map(bombs.at)
    return "It sacrifices no ship." if bombs.ships < 1 else None
