"""Which of a seat's jump orders hold, in the order of JW-37: one judge for receipt and reveal."""

from collections.abc import Iterable, Mapping
from typing import Final

from msgspec import Struct

from adjudicator.core.document import Seat
from adjudicator.rules.jump_wars.position.order_forms import Entry, Move
from adjudicator.rules.jump_wars.position.space import (
    NEIGHBOURS,
    PLACE,
    Space,
    find_distances,
    measure_distance,
)
from adjudicator.rules.jump_wars.position.state import NOTHING, Jump, Player, Table

VOID: Final = "void"
_AT_ONCE: Final = 5  # JW-31


class Fault(Struct, frozen=True):
    """Why an order is negated."""

    rule: str
    why: str


class Verdict(Struct, frozen=True):
    """The verdict on one order."""

    entry: Entry
    order: Jump | Move
    fault: Fault | None = None
    fleets: int = 0
    """How many jump; 0 when the homeworld moves or the order fails."""
    length: int = 0
    """How far they jump."""


class Reach(Struct, frozen=True):
    """The limits of one seat's jumps this turn, all raises included."""

    seat: Seat
    grid: str
    stood: Mapping[Space, int]
    """Own fleets at the start of the phase."""
    most: int
    """How many go in one order (JW-31)."""
    far: int
    holes: frozenset[Space]
    crossed: frozenset[Space]
    """The black holes that its fleets cannot cross."""
    diplomat: Seat | None
    """Whose ally it is (JW-18)."""
    barred: Mapping[Space, int]
    """Where the diplomat has fleets."""


def find_terrain(table: Table, space: Space) -> str:
    """Find what a space is: `homeworld`, void, or its counter."""
    if space in table.homes.values():
        return "homeworld"
    return table.terrain.get(space, VOID)


def explain_off_map(space: Space) -> str:
    """Explain what is wrong with a name that is no space."""
    return f"{space} is not on the map: columns are A to J, rows 1 to 10."


def find_order_limit(player: Player) -> int:
    """Find how many orders a player may give this turn (JW-29)."""
    return 1 + player.find_level("command")


def serve_list(table: Table, seat: Seat, entries: Iterable[Entry]) -> tuple[Verdict, ...]:
    """Serve a list as written; cancelled orders have no verdict, but keep their place (JW-47).

    Whether two homeworlds enter one space is not for one list alone to say.
    """
    reach = find_reach(table, seat)
    limit = find_order_limit(table.players[seat])
    unmoved = dict(reach.stood)
    verdicts = []
    for place, entry in enumerate(entries):
        order = entry.order
        if order is None:
            continue
        fault = None
        if place >= limit:
            fault = _make_limit_fault(limit)
        elif entry.struck_by is not None:
            fault = Fault("JW-49", f"A time jump of {entry.struck_by} negates it.")
        if isinstance(order, Jump):
            source, rest, length = order.source, 0, None
            if source in unmoved:
                rest = unmoved[source]
                near = find_distances(reach.grid, reach.crossed, source, reach.far)
                length = near.get(order.target)
            number = rest if order.fleets == "all" else order.fleets
            fault = fault or _find_jump_fault(reach, order, number, rest, length)
            if fault is None:
                unmoved[source] = rest - number
                verdicts.append(Verdict(entry, order, None, number, length or 0))
                continue
        else:
            fault = fault or _find_move_fault(table, seat, order.target)
        verdicts.append(Verdict(entry, order, fault))
    return tuple(verdicts)


def find_reach(table: Table, seat: Seat) -> Reach:
    """Find the limits of the seat's jumps now."""
    player, ally = table.players[seat], table.ally
    diplomat = ally.of if ally and ally.who == seat else None
    # JW-33: with event-skimming, fleets cross black holes as if they were not there.
    crossed = frozenset() if "event-skimming" in player.specials else table.holes
    return Reach(
        seat,
        table.options.grid,
        table.fleets.get(seat, NOTHING),
        _AT_ONCE + player.find_level("logistics"),
        1 + player.find_level("jump"),
        table.holes,
        crossed,
        diplomat,
        table.fleets.get(diplomat, NOTHING) if diplomat else NOTHING,
    )


def _make_limit_fault(limit: int) -> Fault:
    return Fault("JW-29", f"There are at most {limit} orders a turn (1 + command {limit - 1}).")


def _find_move_fault(table: Table, seat: Seat, target: Space) -> Fault | None:
    """Say why a homeworld cannot move, on the map as orders were revealed (JW-35)."""
    why = None
    home = table.homes.get(seat)
    if "planet-jump" not in table.players[seat].specials:
        why = "It needs the ability planet-jump."
    elif home is None:
        why = "There is no homeworld to move."
    elif target not in PLACE:
        why = explain_off_map(target)
    elif target not in NEIGHBOURS[table.options.grid][home]:
        why = f"{target} is not next to the homeworld at {home}."
    elif find_terrain(table, target) != VOID:
        why = f"{target} is not void but a {find_terrain(table, target)}."
    return Fault("JW-35", why) if why else None


def _find_jump_fault(
    reach: Reach, jump: Jump, number: int, rest: int, length: int | None
) -> Fault | None:
    """Find the first of JW-37 that it breaks; `length` is None when the target is not in range."""
    target = jump.target
    senseless = _explain_senseless(reach, jump) if number < 1 or not length else None
    if senseless:
        return Fault("JW-34", senseless)
    if number > reach.most:
        return Fault("JW-31", _explain_too_many(reach, number))
    if length is None or target in reach.holes:
        return _find_reach_fault(reach, jump)
    if target in reach.barred:
        return Fault("JW-18", _explain_diplomat(reach, target))
    if not rest or number > rest:  # `all` of nothing is negated too
        return Fault("JW-32", _explain_not_enough(jump.source, rest))
    return None


def _explain_senseless(reach: Reach, jump: Jump) -> str | None:
    if jump.source not in PLACE:
        return explain_off_map(jump.source)
    if jump.target not in PLACE:
        return explain_off_map(jump.target)
    if jump.source not in reach.stood:
        return f"No fleets of {reach.seat} stood at {jump.source} when the phase began."
    if jump.source == jump.target:
        return "The fleets are already there."
    return "It moves no fleets." if jump.fleets != "all" and jump.fleets < 1 else None


def _explain_too_many(reach: Reach, number: int) -> str:
    most = f"{_AT_ONCE} + logistics {reach.most - _AT_ONCE} = {reach.most}"
    return f"{number} fleets; at most {most} go in one order."


def _find_reach_fault(reach: Reach, jump: Jump) -> Fault:
    source, target = jump.source, jump.target
    if target in reach.holes:
        return Fault("JW-33", f"{target} is a black hole.")
    # The whole map is measured only to say by how much it is too far.
    length = find_distances(reach.grid, reach.crossed, source).get(target)
    # A space walled in by black holes has no length in the sense of JW-30 (the shortest path
    # that enters none does not exist): every path crosses one. That is JW-33.
    # A way around that is only too long does not cross anything: that is JW-30.
    if length is None:
        return Fault("JW-33", f"Every way from {source} to {target} crosses a black hole.")
    straight = measure_distance(reach.grid, source, target)
    around = " around the black holes" if length > straight else ""
    far = f"1 + jump {reach.far - 1} = {reach.far}"
    return Fault("JW-30", f"{target} is {length} spaces away{around}; the range is {far}.")


def _explain_diplomat(reach: Reach, target: Space) -> str:
    seat, diplomat = reach.seat, reach.diplomat
    return f"{diplomat} has fleets at {target}, and {seat} is {diplomat}'s ally this turn."


def _explain_not_enough(source: Space, rest: int) -> str:
    number = f"Only {rest}" if rest else "None"
    return f"{number} of the fleets at {source} can still jump; a fleet jumps once a turn."
