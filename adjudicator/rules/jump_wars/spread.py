"""Homeworlds as far apart as possible (JW-4): exact, for 2 to 8 of them on both grids.

`spread` gives a set of spaces whose smallest distance is the largest there is and, among those,
whose sum of distances is the largest. `search` finds it by going through all sets, leaving out
those that cannot be better; that takes seconds for the larger ones, so what it found stands here
(`make soak` finds it again). Where several sets are equally good, one of them is taken.
"""

from collections.abc import Collection, Mapping
from functools import cache

from adjudicator.rules.jump_wars.space import SPACES, Space, distance

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


def spread(grid: str, number: int, taken: Collection[Space] = ()) -> tuple[Space, ...]:
    """A best set of this many spaces, none of them taken already, in map order."""
    known = _FOUND[grid].get(number, "").split()
    if known and not any(space in taken for space in known):
        return tuple(space for space in SPACES if space in known)
    return search(grid, number, tuple(space for space in SPACES if space in taken))


@cache
def search(grid: str, number: int, taken: tuple[Space, ...] = ()) -> tuple[Space, ...]:
    """The same, found anew."""
    free = [space for space in SPACES if space not in taken]
    table = [[distance(grid, one, other) for other in free] for one in free]
    for least in range(max(map(max, table)), 0, -1):
        found = _Search(table, number, least).best
        if found:
            return tuple(free[place] for place in sorted(found))
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

    def _extend(self, chosen: tuple[int, ...], ways: list[tuple[int, int]], total: int) -> None:
        """`ways` are the places that may follow, each with its distances to those chosen."""
        missing = self.number - len(chosen)
        if not missing:
            if total > self.most:
                self.best, self.most = chosen, total
            return
        bounds = self._bounds(ways, missing)
        top = sorted((bound for bound, _sum, _place in bounds), reverse=True)
        if len(top) < missing or 2 * total + sum(top[:missing]) <= 2 * self.most:
            return
        rest = sum(top[: missing - 1])
        # The farthest first: good sets come early and cut the others short.
        for index, (bound, far, place) in enumerate(bounds):
            if 2 * total + bound + rest <= 2 * self.most:
                continue
            row = self.table[place]
            others = [
                (other_far + row[other], other)
                for _bound, other_far, other in bounds[index + 1 :]
                if row[other] >= self.least
            ]
            self._extend((*chosen, place), others, total + far)

    def _bounds(self, ways: list[tuple[int, int]], missing: int) -> list[tuple[int, int, int]]:
        """What each place can add at most, twice, as each distance belongs to two places."""
        found = []
        for far, place in sorted(ways, key=lambda way: (-way[0], way[1])):
            row = self.table[place]
            beside = sorted((row[other] for _far, other in ways if other != place), reverse=True)
            usable = [length for length in beside[: missing - 1] if length >= self.least]
            if len(usable) == missing - 1:
                found.append((2 * far + sum(usable), far, place))
        return found
