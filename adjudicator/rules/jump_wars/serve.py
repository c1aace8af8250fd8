"""Which of a seat's jump orders hold, in the order of JW-37: one judge for receipt and reveal."""

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from msgspec import Struct

from adjudicator.core.document import Seat
from adjudicator.rules.jump_wars.space import NEIGHBOURS, PLACE, Space, distances
from adjudicator.rules.jump_wars.state import Jump, Player, Table
from adjudicator.rules.jump_wars.written import Entry, Move

BLACK_HOLE: Final = "black-hole"
VOID: Final = "void"
NOTHING: Final[Mapping[Space, int]] = {}


class Fault(Struct, frozen=True):
    """Why an order is negated."""

    rule: str
    why: str


class Verdict(Struct, frozen=True, kw_only=True):
    """How one order fares."""

    entry: Entry
    order: Jump | Move
    fleets: int = 0
    """How many jump; 0 when the homeworld moves or the order fails."""
    length: int = 0
    """How far they jump."""
    fault: Fault | None = None


class _Case(Struct, frozen=True):
    """One jump, with all that JW-30 to JW-34 ask about it."""

    table: Table
    seat: Seat
    player: Player
    holes: frozenset[Space]
    jump: Jump
    stood: int
    """Own fleets at the start of the phase."""
    left: int
    """Of these, still unmoved."""
    asked: int
    length: int | None
    """How far it is; None when every path crosses a black hole."""


def holes_of(table: Table) -> frozenset[Space]:
    """The black holes of the map."""
    return frozenset([space for space, kind in table.terrain.items() if kind == BLACK_HOLE])


def terrain_at(table: Table, space: Space) -> str:
    """What a space is: `homeworld`, void, or its counter."""
    if space in table.homes.values():
        return "homeworld"
    return table.terrain.get(space, VOID)


def off_the_map(space: Space) -> str:
    """What is wrong with a name that is no space."""
    return f"{space} is not on the map: columns are A to J, rows 1 to 10."


def order_limit(player: Player) -> int:
    """How many orders a player may give this turn (JW-29)."""
    return 1 + player.level("command")


def serve(
    table: Table, seat: Seat, entries: Iterable[Entry], holes: frozenset[Space]
) -> tuple[Verdict, ...]:
    """Serve a list as written; cancelled orders have no verdict, but keep their place (JW-47).

    Whether two homeworlds enter one space is not for one list alone to say.
    """
    player = table.players[seat]
    limit = order_limit(player)
    stood = table.fleets.get(seat, NOTHING)
    unmoved = dict(stood)
    verdicts = []
    for place, entry in enumerate(entries):
        order = entry.order
        if order is None:
            continue
        fault = _before_all(limit, place, entry)
        if isinstance(order, Move):
            fault = fault or _move_fault(table, seat, order.target)
            verdicts.append(Verdict(entry=entry, order=order, fault=fault))
            continue
        left = unmoved.get(order.source, 0)
        asked = left if order.fleets == "all" else order.fleets
        there, length = stood.get(order.source, 0), _length(table, player, holes, order)
        case = _Case(table, seat, player, holes, order, there, left, asked, length)
        fault = fault or _jump_fault(case)
        if fault:
            verdicts.append(Verdict(entry=entry, order=order, fault=fault))
            continue
        unmoved[order.source] = left - asked
        verdicts.append(Verdict(entry=entry, order=order, fleets=asked, length=length or 0))
    return tuple(verdicts)


def _length(table: Table, player: Player, holes: frozenset[Space], jump: Jump) -> int | None:
    if jump.source not in PLACE:
        return None
    # JW-33: who owns event-skimming crosses black holes as if they were not there.
    crossed = frozenset() if "event-skimming" in player.specials else holes
    return distances(table.options.grid, crossed, jump.source).get(jump.target)


def _before_all(limit: int, place: int, entry: Entry) -> Fault | None:
    if place >= limit:
        return Fault("JW-29", f"There are at most {limit} orders a turn (1 + command {limit - 1}).")
    if entry.struck is not None:
        return Fault("JW-49", f"A time jump of {entry.struck} negates it.")
    return None


def _move_fault(table: Table, seat: Seat, target: Space) -> Fault | None:
    """JW-35: judged on the map as it was when the orders were revealed."""
    why = None
    home = table.homes.get(seat)
    if "planet-jump" not in table.players[seat].specials:
        why = "It needs the ability planet-jump."
    elif home is None:
        why = "There is no homeworld to move."
    elif target not in PLACE:
        why = off_the_map(target)
    elif target not in NEIGHBOURS[table.options.grid][home]:
        why = f"{target} is not next to the homeworld at {home}."
    elif terrain_at(table, target) != VOID:
        why = f"{target} is not void but a {terrain_at(table, target)}."
    return Fault("JW-35", why) if why else None


def _jump_fault(case: _Case) -> Fault | None:
    for rule, test in _TESTS:
        why = test(case)
        if why:
            return Fault(rule, why)
    return None


def _senseless(case: _Case) -> str | None:
    jump = case.jump
    for space in (jump.source, jump.target):
        if space not in PLACE:
            return off_the_map(space)
    if not case.stood:
        return f"No fleets of {case.seat} stood at {jump.source} when the phase began."
    if jump.source == jump.target:
        return "It leads to where the fleets are already."
    if jump.fleets != "all" and jump.fleets < 1:
        return "It moves no fleets."
    return None


def _too_many(case: _Case) -> str | None:
    logistics = case.player.level("logistics")
    most = 5 + logistics
    if case.asked <= most:
        return None
    return f"{case.asked} fleets; at most 5 + logistics {logistics} = {most} go in one order."


def _through_a_hole(case: _Case) -> str | None:
    target = case.jump.target
    if target in case.holes:
        return f"{target} is a black hole."
    # A space walled in by black holes has no length in the sense of JW-30 (the shortest path
    # that enters none does not exist): whatever way is taken, it crosses one. That is JW-33.
    # A way around that is only too long does not cross anything: that is JW-30.
    if case.length is None:
        return f"Every way from {case.jump.source} to {target} crosses a black hole."
    return None


def _too_far(case: _Case) -> str | None:
    level = case.player.level("jump")
    length = case.length
    if length is None or length <= 1 + level:
        return None
    grid, source, target = case.table.options.grid, case.jump.source, case.jump.target
    straight = distances(grid, frozenset(), source)[target]
    around = " around the black holes" if length > straight else ""
    return f"{target} is {length} spaces away{around}; the range is 1 + jump {level} = {1 + level}."


def _onto_the_diplomat(case: _Case) -> str | None:
    ally = case.table.ally
    if ally is None or ally.who != case.seat:
        return None
    target = case.jump.target
    if not case.table.fleets.get(ally.of, NOTHING).get(target):
        return None
    return f"{ally.of} has fleets at {target}, and {case.seat} is {ally.of}'s ally this turn."


def _not_enough(case: _Case) -> str | None:
    # `all` of nothing is negated by this rule too.
    if case.left and case.asked <= case.left:
        return None
    number = f"Only {case.left}" if case.left else "None"
    return (
        f"{number} of the fleets at {case.jump.source} can still jump; a fleet jumps once a turn."
    )


_TESTS: tuple[tuple[str, Callable[[_Case], str | None]], ...] = (  # JW-37
    ("JW-34", _senseless),
    ("JW-31", _too_many),
    ("JW-33", _through_a_hole),
    ("JW-30", _too_far),
    ("JW-18", _onto_the_diplomat),
    ("JW-32", _not_enough),
)
