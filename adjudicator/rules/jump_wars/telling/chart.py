"""The map and what stands on it, as lines and as words, and what a step changed on it."""

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any, Final

from adjudicator.core.document import Document
from adjudicator.core.events import Event, find_initials
from adjudicator.core.memo import Latest
from adjudicator.rules.jump_wars.position.components import Components
from adjudicator.rules.jump_wars.position.space import COLUMNS, PLACE, ROWS, Space
from adjudicator.rules.jump_wars.position.state import EMPIRE, Side, Table, order_sides

CROWDED: Final = "* behind a stack, or **: more stacks, which the list of fleets names"
_WIDEST = 6  # ten cells of six characters and their gaps fit a line of a mail


def draw_chart(table: Table, components: Components, reader: Side | None) -> Sequence[str]:
    """Draw the map as text, its legend first; the reader's own stacks are never left out."""
    letters = find_initials(order_sides(table))
    cells = _draw_cells(table, components, letters, reader)
    width = max(3, *map(len, cells.values())) + 1
    rows = ["    " + "".join([column.ljust(width) for column in COLUMNS]).rstrip()]
    wide = iter([cell.ljust(width) for cell in cells.values()])
    for row in ROWS:
        shift = " " * (width // 2) if table.options.grid == "hex" and row % 2 == 0 else ""
        row_cells = "".join(islice(wide, len(COLUMNS)))
        rows.append(f"{row:>2}  {shift}{row_cells}".rstrip())
    return [*_draw_legend(table, components, letters, cells), "", *rows]


def _draw_cells(
    table: Table, components: Components, letters: Mapping[Side, str], reader: Side | None
) -> Mapping[Space, str]:
    """Draw every space in map order: the sign of its owner or terrain, then the fleets."""
    signs = dict.fromkeys(PLACE, components.counters["void"].sign)
    signs |= {space: components.counters[kind].sign for space, kind in table.terrain.items()}
    signs |= {space: letters[side].upper() for side, space in table.homes.items()}
    stacks: dict[Space, str] = {}
    for side in order_sides(table):
        for space, number in table.fleets.get(side, {}).items():
            stacks[space] = stacks.get(space, "") + f"{letters[side]}{number}"
    own = table.fleets.get(reader, {}) if reader else {}
    for space, stack in stacks.items():
        if len(signs[space] + stack) > _WIDEST:
            own_stack = f"{letters[reader]}{own[space]}" if reader and space in own else "*"
            stacks[space] = f"{own_stack}*"
    return signs | {space: signs[space] + stack for space, stack in stacks.items()}


def _draw_legend(
    table: Table, components: Components, letters: Mapping[Side, str], cells: Mapping[Space, str]
) -> Sequence[str]:
    terrain = "   ".join(
        f"{counter.sign} {name.replace('-', ' ')}" for name, counter in components.counters.items()
    )
    visible_sides = [side for side in order_sides(table) if side in table.homes or side != EMPIRE]
    sides = ", ".join(f"{letters[side].upper()} {name_side(side)}" for side in visible_sides)
    first = visible_sides[0]
    legend = [terrain, f"Homeworlds: {sides}", f"{letters[first]}3: 3 fleets of {first}"]
    if any(cell.endswith("*") and len(cell) > 1 for cell in cells.values()):
        legend.append(CROWDED)
    return legend


def describe_terrain(table: Table, components: Components) -> Sequence[str]:
    """Describe where everything lies, kind by kind, for those who listen to the map."""
    spaces: dict[str, list[Space]] = {name: [] for name in components.counters}
    for space in sorted(table.terrain, key=PLACE.__getitem__):
        spaces[table.terrain[space]].append(space)
    words = [
        f"{_name_plural(name)}: {', '.join(of_kind)}."
        for name, of_kind in spaces.items()
        if of_kind
    ]
    is_dealt = table.step != "homeworlds"  # JW-4: they are chosen on the empty map
    words.append("All other spaces are void." if is_dealt else "The counters are not dealt yet.")
    return words


def describe_homeworlds(table: Table) -> Sequence[str]:
    """Describe where the homeworlds are."""
    homes = [
        f"{name_side(side)} {space}"
        for side in order_sides(table)
        if (space := table.homes.get(side))
    ]
    return [f"Homeworlds: {', '.join(homes)}."] if homes else []


def describe_fleets(table: Table, reader: Side | None) -> Sequence[str]:
    """Describe where everybody's fleets stand, side by side."""
    return [
        f"{name_side(side)}{' (you)' if side == reader else ''}: {stand}."
        for side, stand in _describe_stands(table).items()
    ]


@Latest
def _describe_stands(table: Table) -> Mapping[Side, str]:
    """Describe where the fleets of every side stand (the same for every reader)."""
    names = _place_names(table)
    stands = {}
    for side in order_sides(table):
        if side == EMPIRE and side not in table.homes:
            continue
        stacks = table.fleets.get(side, {})
        stand = [
            f"{space} ({names.get(space, 'void')}) {stacks[space]}"
            for space in sorted(stacks, key=PLACE.__getitem__)
        ]
        stands[side] = ", ".join(stand) or "no fleets"
    return stands


def name_side(side: Side) -> str:
    """Name a side inside a sentence."""
    return "the old empire" if side == EMPIRE else side


def _place_names(table: Table) -> Mapping[Space, str]:
    """Name every space that is not void: a star field, red's homeworld …"""
    names = {space: kind.replace("-", " ") for space, kind in table.terrain.items()}
    return names | {home: f"{name_side(side)}'s homeworld" for side, home in table.homes.items()}


def _name_plural(name: str) -> str:
    words = name.replace("-", " ")
    return f"{words[0].upper()}{words[1:]}s"


Facts = Mapping[str, Any]


_CHANGES: Final[Mapping[str, tuple[str, Mapping[str, str]]]] = {
    "jumped": ("jumps", {"seat": "seat", "from": "from", "to": "to", "fleets": "fleets"}),
    "homeworld-moved": ("homeworlds", {"seat": "seat", "from": "from", "to": "to"}),
    "fight": ("fights", {"at": "at", "left": "left", "lost": "lost"}),
    "built": ("gained", {"seat": "seat", "at": "at", "fleets": "fleets"}),
    "assimilated": ("gained", {"seat": "side", "at": "at", "fleets": "fleets"}),
    "sabotaged": ("lost", {"seat": "side", "at": "at"}),
}
"""Kind of event: the sort of change, and its facts by the event's."""


def list_changes(table: Table, events: Sequence[Event]) -> Document:
    """List the changes by kind, each in the order of the events; revealed orders wait."""
    changes: dict[str, list[Facts]] = {sort: [] for sort, _ in _CHANGES.values()}
    for event in events:
        if event.kind in _CHANGES:
            sort, facts = _CHANGES[event.kind]
            change = {name: event.data[key] for name, key in facts.items()}
            changes[sort].append({"fleets": 1, **change} if sort == "lost" else change)
    visible = table.written or {}  # revealed and not carried out yet (JW-46)
    changes["revealed"] = [
        {"seat": seat, "from": jump.source, "to": jump.target, "fleets": jump.fleets}
        for seat in table.seats
        if seat in visible
        for jump in visible[seat].jumps
    ]
    return changes
