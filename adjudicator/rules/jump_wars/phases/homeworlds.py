"""Place homeworlds, and the counters around them (JW-3 to JW-5, JW-61).

`spread` gives a set of spaces whose smallest distance is the largest there is and, among those,
whose sum of distances is the largest. `search_spread` finds it by going through all sets, leaving
out those that cannot be better; that takes seconds for the larger ones, so what it found stands
here (`make soak` finds it again). Where several sets are equally good, one of them is taken.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache

from msgspec.structs import replace

from adjudicator.core.dice import Dice
from adjudicator.core.document import Document, Impossible, Orders, Seat
from adjudicator.core.events import Event, make_event, make_negation
from adjudicator.core.finding import Finding, Grade, make_finding
from adjudicator.core.tabletop import list_copies
from adjudicator.rules.jump_wars.position.components import Components
from adjudicator.rules.jump_wars.position.space import (
    PLACE,
    SPACES,
    Space,
    measure_distance,
    measure_distances,
)
from adjudicator.rules.jump_wars.position.state import (
    EMPIRE,
    Options,
    Side,
    State,
    Table,
    View,
    find_holes,
    order_seats,
)

_FOUND: Mapping[str, Mapping[int, str]] = {
    "square": {
        2: "A1 J1",
        3: "A1 J1 A10",
        4: "A1 J1 A10 J10",
        5: "A1 J1 A10 J10 E1",
        6: "A1 J1 A10 J10 E1 E10",
        7: "A1 J1 A10 J10 E1 E10 J5",
        8: "A1 J1 A10 J10 E1 F10 J5 A6",
    },
    "hex": {
        2: "A1 J10",
        3: "A1 J10 J1",
        4: "A1 J10 J1 A10",
        5: "A1 J10 J1 A9 E4",
        6: "A1 J8 J1 A7 E10 E4",
        7: "A1 J10 J2 A7 D10 F1 G6",
        8: "A1 J10 J1 A10 A5 J6 E1 F10",
    },
}


def find_spread(grid: str, number: int, occupied: Collection[Space] = ()) -> tuple[Space, ...]:
    """Find a best set of this many spaces, none of them taken already, in map order."""
    stored_spread = _FOUND[grid].get(number, "").split()
    if stored_spread and not any(space in occupied for space in stored_spread):
        return tuple(space for space in SPACES if space in stored_spread)
    return search_spread(grid, number, tuple(space for space in SPACES if space in occupied))


@cache
def search_spread(grid: str, number: int, occupied: tuple[Space, ...] = ()) -> tuple[Space, ...]:
    """Find a best set anew."""
    free = [space for space in SPACES if space not in occupied]
    table = [[measure_distance(grid, one, other) for other in free] for one in free]
    for least in range(max(map(max, table)), 0, -1):
        places = _Search(table, number, least).best
        if places:
            return tuple(free[place] for place in sorted(places))
    return tuple(free[:number])


class _Search:
    """Branch and bound over all sets whose distances are at least `least`."""

    def __init__(self, table: list[list[int]], number: int, least: int) -> None:
        self.table = table
        self.number = number
        self.best: tuple[int, ...] = ()
        self.most = -1
        self.least = least
        everywhere = range(len(table))
        self._extend((), [(0, place) for place in everywhere], 0)

    def _extend(self, places: tuple[int, ...], ways: list[tuple[int, int]], total: int) -> None:
        """Extend the set; `ways` are the places that may follow, with distances to those chosen."""
        missing = self.number - len(places)
        if not missing:
            if total > self.most:
                self.best, self.most = places, total
            return
        bounds = self._bounds(ways, missing)
        top = sorted((bound for bound, _sum, _place in bounds), reverse=True)
        if len(top) < missing or 2 * total + sum(top[:missing]) <= 2 * self.most:
            return
        rest = sum(top[: missing - 1])
        # The farthest first: good sets are found early and cut the search short.
        for index, (bound, far, place) in enumerate(bounds):
            if 2 * total + bound + rest <= 2 * self.most:
                continue
            row = self.table[place]
            others = [
                (other_far + row[other], other)
                for _bound, other_far, other in bounds[index + 1 :]
                if row[other] >= self.least
            ]
            self._extend((*places, place), others, total + far)

    def _bounds(self, ways: list[tuple[int, int]], missing: int) -> list[tuple[int, int, int]]:
        """Bound what each place can add, twice, as each distance belongs to two places."""
        bounds = []
        for far, place in sorted(ways, key=lambda candidate: (-candidate[0], candidate[1])):
            row = self.table[place]
            beside = sorted((row[other] for _far, other in ways if other != place), reverse=True)
            usable = [length for length in beside[: missing - 1] if length >= self.least]
            if len(usable) == missing - 1:
                bounds.append((2 * far + sum(usable), far, place))
        return bounds


_DEALS = 10_000  # on hexes one in eight is refused; a box full of black holes would always be


def adjudicate_homeworlds(
    state: State, orders: Orders, dice: Dice, components: Components
) -> tuple[State, tuple[Event, ...]]:
    """Adjudicate the choice of homeworlds: serve the seats in order, then deal the map."""
    table = state.table
    homes = add_empire(table, components)
    events: list[Event] = []
    for seat in order_seats(table):
        if seat in homes:
            continue
        preference: Sequence[Space] = orders.get(seat, {}).get("homeworld") or ()
        space, rank = serve_seat(table.options, homes, preference)
        if rank is None and preference:
            events.append(_negate_list(seat, preference))
        homes[seat] = space
        wish = None if rank is None else rank + 1
        events.append(make_event("homeworld", "JW-4", seat=seat, space=space, wish=wish))
    new_table, deals = populate(replace(table, homes=homes), dice, components)
    events.append(make_event("dealt", "JW-3", deals=deals))
    return replace(state, table=replace(new_table, step="draw")), tuple(events)


def add_empire(table: Table, components: Components) -> dict[Side, Space]:
    """Add the old empire's homeworld, first of all, to those placed already (JW-61)."""
    if table.options.old_empire and EMPIRE not in table.homes:
        return {EMPIRE: components.map.empire, **table.homes}
    return dict(table.homes)


def serve_seat(
    options: Options, homes: Mapping[Side, Space], preference: Sequence[Space]
) -> tuple[Space, int | None]:
    """Find the space that a seat gets, and its place in the seat's list."""
    for place, space in enumerate(preference):
        if not _find_fault(options, homes.values(), space):
            return space, place
    return _find_farthest(options.grid, tuple(homes.values())), None


def _find_fault(options: Options, others: Iterable[Space], space: Space) -> str:
    """Say why a homeworld cannot lie there (JW-4)."""
    if space not in PLACE:
        return f"{space} is not on the map."
    for other in others:
        far = measure_distance(options.grid, space, other)
        if not far:
            return f"{space} is taken."
        if far < options.spacing:
            return f"{space} is {far} from {other}; homeworlds keep {options.spacing}."
    return ""


def list_free_spaces(table: Table, components: Components) -> list[Space]:
    """List where a homeworld may still be placed (JW-4)."""
    homes = add_empire(table, components).values()
    return [space for space in SPACES if not _find_fault(table.options, homes, space)]


def _find_farthest(grid: str, homes: Collection[Space]) -> Space:
    """Find the free space whose smallest distance is the largest, the first in map order."""
    if not homes:
        return SPACES[0]
    return max(
        SPACES, key=lambda space: min(measure_distance(grid, space, other) for other in homes)
    )


def _negate_list(seat: Seat, preference: Sequence[Space]) -> Event:
    why = "None of these spaces is free and far enough from the others."
    order = f"homeworld: {', '.join(preference)}"
    return make_negation(seat, "JW-4", order, why, seen_by=(seat,), path=("homeworld",))


def check_homeworlds(
    view: View, seat: Seat, orders: Document, components: Components
) -> tuple[Finding, ...]:
    """Find spaces that are impossible whatever others choose; doomed if none is left (JW-13b)."""
    table = view.table
    if seat in table.homes:
        return ()
    homes = tuple(add_empire(table, components).values())
    preference: Sequence[Space] = orders.get("homeworld") or ()
    faults = {
        place: _find_fault(table.options, homes, space) for place, space in enumerate(preference)
    }
    if preference and all(faults.values()):
        return tuple(
            make_finding(Grade.DOOMED, "JW-4", why, ("homeworld", place))
            for place, why in faults.items()
        )
    # An impossible space does not invalidate the others.
    passed = {place: why.removesuffix(".") for place, why in faults.items() if why}
    findings = [
        make_finding(
            Grade.DOUBTFUL, "JW-4", f"{why}; it will be passed over.", ("homeworld", place)
        )
        for place, why in passed.items()
    ]
    if preference and _find_rank_alone(view, seat, preference, components) is None:
        findings.append(make_finding(Grade.DOUBTFUL, "JW-4", _TOO_NEAR, ("homeworld",)))
    return tuple(findings)


_TOO_NEAR = (
    "If nobody else names a space, none of these is far enough from the homeworlds that are "
    "placed before yours."
)


def _find_rank_alone(
    view: View, seat: Seat, preference: Sequence[Space], components: Components
) -> int | None:
    """Find the place in the list of the space that the seat gets if nobody else names one."""
    homes = add_empire(view.table, components)
    rank = None
    for one in order_seats(view.table):
        if one in homes:
            continue
        homes[one], rank = serve_seat(view.table.options, homes, preference if one == seat else ())
        if one == seat:
            break
    return rank


def place_homeworlds(
    options: Options, seats: Sequence[Seat], dice: Dice, components: Components
) -> dict[Side, Space]:
    """Place homeworlds for the program or the GM; none if the players choose."""
    homes: dict[Side, Space] = {EMPIRE: components.map.empire} if options.old_empire else {}
    if options.homeworlds == "spread":
        spaces = find_spread(options.grid, len(seats), tuple(homes.values()))
        order = dice.draw("homeworlds").shuffled(spaces)
        homes.update(zip(seats, order, strict=True))
    elif not isinstance(options.homeworlds, str):
        homes.update({seat: options.homeworlds[seat] for seat in seats})
    return homes


def populate(table: Table, dice: Dice, components: Components) -> tuple[Table, int]:
    """Deal counters around the homeworlds, and put fleets on them (JW-3, JW-5, JW-6).

    The number says how often the map was dealt; every deal comes from the same stream of dice.
    """
    draw = dice.draw("map")
    box = list_copies({name: counter.count for name, counter in components.counters.items()})
    homes = set(table.homes.values())
    free = [space for space in SPACES if space not in homes]
    for deals in range(1, _DEALS + 1):
        counters = zip(free, draw.shuffled(box), strict=False)
        terrain = {space: counter for space, counter in counters if counter != "void"}
        new_table = replace(table, terrain=terrain, holes=find_holes(terrain))
        if not table.options.connected or _is_connected(new_table):
            return replace(new_table, fleets=_station_fleets(table, components)), deals
    raise Impossible("connected", f"{_DEALS} deals all cut off a homeworld; play without it (JW-5)")


def _station_fleets(table: Table, components: Components) -> dict[Side, dict[Space, int]]:
    """Place the fleets on each homeworld at the beginning (JW-6, JW-61)."""
    start = components.start
    return {
        side: {space: start.empire_fleets if side == EMPIRE else start.fleets}
        for side, space in table.homes.items()
    }


def _is_connected(table: Table) -> bool:
    """Whether every homeworld can be reached from every other without a black hole (JW-5)."""
    homes = list(table.homes.values())
    reached = measure_distances(table.options.grid, table.holes, homes[0])
    return all(home in reached for home in homes)
