"""Where homeworlds lie, and the counters around them (JW-3 to JW-5, JW-61)."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from msgspec.structs import replace

from adjudicator.core.dice import Dice
from adjudicator.core.document import Document, Impossible, Orders, Seat
from adjudicator.core.event import Event, negated
from adjudicator.core.finding import Finding, Grade
from adjudicator.rules.jump_wars.components import Components
from adjudicator.rules.jump_wars.space import PLACE, SPACES, Space, distance, measure
from adjudicator.rules.jump_wars.spread import spread
from adjudicator.rules.jump_wars.state import (
    EMPIRE,
    Options,
    Side,
    State,
    Table,
    View,
    holes_of,
    in_turn_order,
)

_DEALS = 10_000  # on hexes one in eight is refused; a box full of black holes always would be


def adjudicate(
    state: State, orders: Orders, dice: Dice, components: Components
) -> tuple[State, tuple[Event, ...]]:
    """The step in which players choose: the seats are served in order, then the map is dealt."""
    table = state.table
    homes = with_empire(table, components)
    events: list[Event] = []
    for seat in in_turn_order(table):
        if seat in homes:
            continue
        wishes: Sequence[Space] = orders.get(seat, {}).get("homeworld") or ()
        space, wish = _served(table.options, homes, wishes)
        if wish is None and wishes:
            events.append(_in_vain(seat, wishes))
        homes[seat] = space
        data = {"seat": seat, "space": space, "wish": None if wish is None else wish + 1}
        events.append(Event(kind="homeworld", rule="JW-4", seen_by=None, data=data))
    dealt, deals = populated(replace(table, homes=homes), dice, components)
    events.append(Event(kind="dealt", rule="JW-3", seen_by=None, data={"deals": deals}))
    return replace(state, table=replace(dealt, step="draw")), tuple(events)


def with_empire(table: Table, components: Components) -> dict[Side, Space]:
    """The homeworlds that are placed already, the old empire's first of all (JW-61)."""
    if table.options.old_empire and EMPIRE not in table.homes:
        return {EMPIRE: components.map.empire, **table.homes}
    return dict(table.homes)


def _served(
    options: Options, homes: Mapping[Side, Space], wishes: Sequence[Space]
) -> tuple[Space, int | None]:
    """The space that a seat gets, and which of its wishes that is."""
    for place, space in enumerate(wishes):
        if not _fault(options, homes.values(), space):
            return space, place
    return _farthest(options.grid, tuple(homes.values())), None


def _fault(options: Options, placed: Iterable[Space], space: Space) -> str:
    """Why a homeworld cannot lie there (JW-4)."""
    if space not in PLACE:
        return f"{space} is not on the map."
    for other in placed:
        far = distance(options.grid, space, other)
        if not far:
            return f"{space} is taken."
        if far < options.spacing:
            return f"{space} is {far} from {other}; homeworlds keep {options.spacing}."
    return ""


def _farthest(grid: str, placed: Collection[Space]) -> Space:
    """The free space whose smallest distance is the largest, the first in map order."""
    if not placed:
        return SPACES[0]
    return max(SPACES, key=lambda space: min(distance(grid, space, other) for other in placed))


def _in_vain(seat: Seat, wishes: Sequence[Space]) -> Event:
    why = "None of these spaces is free and far enough from the others."
    order = f"homeworld: {', '.join(wishes)}"
    return negated(seat, "JW-4", order, why, seen_by=(seat,), path=("homeworld",))


def check(view: View, seat: Seat, orders: Document, components: Components) -> tuple[Finding, ...]:
    """Wishes that cannot come true whatever the others choose; doomed if none is left (JW-13b)."""
    table = view.table
    if seat in table.homes:
        return ()
    placed = tuple(with_empire(table, components).values())
    wishes: Sequence[Space] = orders.get("homeworld") or ()
    faults = {place: _fault(table.options, placed, space) for place, space in enumerate(wishes)}
    if wishes and all(faults.values()):
        return tuple(_finding(Grade.DOOMED, place, why) for place, why in faults.items())
    # One wish that cannot come true does not harm the others.
    return tuple(
        _finding(Grade.DOUBTFUL, place, f"{why.removesuffix('.')}; it will be passed over.")
        for place, why in faults.items()
        if why
    )


def _finding(grade: Grade, place: int, why: str) -> Finding:
    path = ("homeworld", place)
    return Finding(grade=grade, rule="JW-4", message=why, path=path, entry=path)


def placed(
    options: Options, seats: Sequence[Seat], dice: Dice, components: Components
) -> dict[Side, Space]:
    """The homeworlds that the program or the GM places; none if the players choose."""
    homes: dict[Side, Space] = {EMPIRE: components.map.empire} if options.old_empire else {}
    if options.homeworlds == "spread":
        spaces = spread(options.grid, len(seats), tuple(homes.values()))
        dealt = dice.draw("homeworlds").shuffled(spaces)
        homes.update(zip(seats, dealt, strict=True))
    elif not isinstance(options.homeworlds, str):
        homes.update({seat: options.homeworlds[seat] for seat in seats})
    return homes


def populated(table: Table, dice: Dice, components: Components) -> tuple[Table, int]:
    """The table with counters dealt around the homeworlds and fleets on them (JW-3, JW-5, JW-6).

    The number says how often was dealt; every deal comes from the same stream of dice.
    """
    draw = dice.draw("map")
    box = [name for name, counter in components.counters.items() for _ in range(counter.count)]
    taken = set(table.homes.values())
    free = [space for space in SPACES if space not in taken]
    for deals in range(1, _DEALS + 1):
        counters = zip(free, draw.shuffled(box), strict=False)
        terrain = {space: counter for space, counter in counters if counter != "void"}
        dealt = replace(table, terrain=terrain, holes=holes_of(terrain))
        if not table.options.connected or _connected(dealt):
            return replace(dealt, fleets=_fleets(table, components)), deals
    raise Impossible("connected", f"{_DEALS} deals all cut off a homeworld; play without it (JW-5)")


def _fleets(table: Table, components: Components) -> dict[Side, dict[Space, int]]:
    """What stands on each homeworld at the beginning (JW-6, JW-61)."""
    start = components.start
    return {
        side: {space: start.empire_fleets if side == EMPIRE else start.fleets}
        for side, space in table.homes.items()
    }


def _connected(table: Table) -> bool:
    """Whether every homeworld can be reached from every other without a black hole (JW-5)."""
    homes = list(table.homes.values())
    reached = measure(table.options.grid, table.holes, homes[0])
    return all(home in reached for home in homes)
