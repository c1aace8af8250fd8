"""The map's geometry: names of spaces, neighbours, distances on both grids (JW-2)."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated

Space = Annotated[str, "space"]
"""A space on the map; orders may name others (JW-34)."""

COLUMNS = "ABCDEFGHIJ"
ROWS = range(1, 11)
SPACES: tuple[Space, ...] = tuple(f"{column}{row}" for row in ROWS for column in COLUMNS)
"""All spaces in map order, row by row: A1, B1, … J10."""
PLACE: Mapping[Space, int] = {space: place for place, space in enumerate(SPACES)}
"""A space's place in map order; a name that is not in it is off the map."""

_SQUARE = tuple((dx, dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dx or dy)
_HEX_ODD_ROW = ((-1, -1), (0, -1), (-1, 0), (1, 0), (-1, 1), (0, 1))  # rows 1, 3, …
_HEX_EVEN_ROW = ((0, -1), (1, -1), (-1, 0), (1, 0), (0, 1), (1, 1))  # rows 2, 4, …: shifted right


def _find_neighbours(space: Space, grid: str) -> tuple[Space, ...]:
    x, y = COLUMNS.index(space[0]), int(space[1:])
    steps = _SQUARE
    if grid == "hex":
        steps = _HEX_EVEN_ROW if y % 2 == 0 else _HEX_ODD_ROW
    neighbours = [
        f"{COLUMNS[x + dx]}{y + dy}"
        for dx, dy in steps
        if 0 <= x + dx < len(COLUMNS) and y + dy in ROWS
    ]
    return tuple(sorted(neighbours, key=PLACE.__getitem__))


NEIGHBOURS: Mapping[str, Mapping[Space, tuple[Space, ...]]] = {
    grid: {space: _find_neighbours(space, grid) for space in SPACES} for grid in ("square", "hex")
}
"""grid -> space -> the spaces next to it, in map order."""


_EVERYWHERE = len(SPACES)
"""Farther than any path that enters no space twice."""


def measure_distances(
    grid: str, holes: frozenset[Space], start: Space, far: int = _EVERYWHERE
) -> Mapping[Space, int]:
    """Measure how far spaces up to `far` are from `start` by paths without holes (JW-30).

    Holes and spaces that cannot be reached are left out. Without holes it is the plain distance.
    """
    beside = NEIGHBOURS[grid]
    distances = {start: 0}
    edge = [start]
    for length in range(1, far + 1):
        beyond = []
        for space in edge:
            for other in beside[space]:
                if other not in distances and other not in holes:
                    distances[other] = length
                    beyond.append(other)
        if not beyond:
            break
        edge = beyond
    return distances


_KEPT = 4096  # maps differ from game to game; unused entries are forgotten

find_distances = lru_cache(_KEPT)(measure_distances)
"""`measure_distances`, remembered."""


def measure_distance(grid: str, one: Space, other: Space) -> int:
    """Measure the distance on the empty map (JW-2)."""
    return find_distances(grid, frozenset(), one)[other]


@lru_cache(_KEPT)
def list_spaces_within(
    grid: str, holes: frozenset[Space], start: Space, far: int
) -> tuple[Space, ...]:
    """List the other spaces at most this far away by paths without holes, in map order."""
    distances = find_distances(grid, holes, start, far)
    return tuple(sorted((space for space in distances if space != start), key=PLACE.__getitem__))
