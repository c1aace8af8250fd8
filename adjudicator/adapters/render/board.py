"""Helpers for pictures of boards: where spaces are, what is taken, and arrows that go round it."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from math import atan2, cos, hypot, pi, sin
from typing import Any

from msgspec import Struct

from adjudicator.adapters.render.svg_helpers import Arrow, Point, make_arrow

_Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""

_RINGED = 0.56
"""So much of a space's width what stands there reaches below and above its middle."""
_Window = tuple[float, float, float, float]
"""Left, top, width, height."""
_BUCKET = 64
_NEAR = 27
"""So far from the middle of its space the number of an arrow stands, if there is room."""
_FAR = 40
_TURNS = (0, 0.7, -0.7, 1.4, -1.4, 2.2, -2.2, pi)
"""Where around its space it can stand, from the arrow's own direction."""
_TRIED = 4
"""Of these places, the freest, from which lines are tried."""
_SIDES = (0, 0.6, -0.6)
"""Where an arrow can arrive, likewise."""
_BENDS = (0.24, -0.24, 0.6, -0.6)
_PARTS = (0.15, 0.32, 0.49, 0.66, 0.83, 0.97)
_HEAD = 15
_ROOM = 7
"""So far a line keeps from what stands there."""


class Board(Struct, frozen=True, kw_only=True):
    """A board of columns and numbered rows; on hexes every other row is moved by half a space."""

    columns: str
    rows: int
    left: float
    top: float
    wide: float
    tall: float
    hexes: bool = False

    def find(self, space: str) -> Point:
        """Find the middle of a space."""
        row = int(space[1:])
        shift = self.wide / 2 if self.hexes and row % 2 == 0 else 0
        across = self.left + (self.columns.index(space[0]) + 0.5) * self.wide + shift
        return across, self.top + (row - 0.5) * self.tall

    def list_spaces(self) -> Iterator[str]:
        """List all spaces, row by row."""
        return (f"{column}{row}" for row in range(1, self.rows + 1) for column in self.columns)

    def list_near(
        self, starts: Iterable[str], far: int, holes: Collection[str], *, crossing: bool
    ) -> list[str]:
        """List the spaces, holes apart, at most so many steps from one of these.

        Ways lead through no hole, unless they may cross holes.
        """
        spaces, edge = set(starts), set(starts)
        goals: set[str] = set()
        for _ in range(far):
            beyond = {other for space in edge for other in self._list_beside(space)}
            goals |= beyond
            edge = {one for one in beyond - spaces if crossing or one not in holes}
            spaces |= edge
        return [space for space in self.list_spaces() if space in goals and space not in holes]

    def _list_beside(self, space: str) -> Iterator[str]:
        column, row = self.columns.index(space[0]), int(space[1:])
        for down in (-1, 0, 1):
            sides: tuple[int, ...] = (-1, 0, 1)
            if self.hexes:  # rows above and below are half a space off
                sides = ((0, 1) if row % 2 == 0 else (-1, 0)) if down else (-1, 1)
            for side in sides:
                is_there = 0 <= column + side < len(self.columns) and 0 < row + down <= self.rows
                if is_there and (side or down):
                    yield f"{self.columns[column + side]}{row + down}"

    def find_window(
        self, fleets: Mapping[str, int], widths: Sequence[float], part: float, edge: float
    ) -> _Window:
        """Find the part of the picture that shows where most fleets are, the closest that can be.

        It is `part` as high as wide, and its left and upper `edge` hide what lies below.
        """
        spots = [(*self.find(space), number) for space, number in fleets.items()]
        room = self.wide * _RINGED
        right = max(widths)  # of the whole picture: what stands in the last column may be wider
        first = self.top + self.tall / 2 - room - 2 - edge
        low = self.top + (self.rows - 0.5) * self.tall + room + 4
        best: tuple[float, _Window] | None = None
        for wide in widths:
            high = wide * part
            for x in _list_corners([one[0] for one in spots], wide, edge, self.left - edge, right):
                for y in _list_corners([one[1] for one in spots], high, edge, first, low):
                    count = sum(
                        number
                        for across, down, number in spots
                        if x + edge < across - self.wide / 2 + 1
                        and across + self.wide / 2 - 1 < x + wide
                        and y + edge < down - room + 6
                        and down + room < y + high
                    )
                    if best is None or count > best[0]:
                        best = count, (round(x, 1), round(y, 1), wide, round(high, 1))
        assert best is not None
        return best[1]


class Route(Struct, frozen=True):
    """An arrow and where the number at its tail stands."""

    arrow: Arrow
    number: Point


class Crowd:
    """What stands on a picture already, within its bounds, found by where it is."""

    def __init__(self, bounds: _Box) -> None:
        self._bounds = bounds
        self._boxes: dict[tuple[int, int], list[_Box]] = defaultdict(list)

    def take(self, middle: Point, wide: float, tall: float) -> None:
        """Take the room of something of this size."""
        box = _make_box(middle, wide, tall)
        for place in _list_buckets(box, _ROOM):
            self._boxes[place].append(box)

    def measure_cover(self, middle: Point, wide: float, tall: float) -> float:
        """Measure how much something of this size covers of what is there or outside."""
        box = _make_box(middle, wide, tall)
        others = {other for place in _list_buckets(box) for other in self._boxes.get(place, ())}
        outside = wide * tall - _measure_overlap(box, self._bounds)
        return outside + sum(_measure_overlap(box, other) for other in others)

    def place(self, places: Sequence[Point], wide: float, tall: float) -> Point:
        """Choose the first of these places that is free, else the freest, and take it."""
        best = min(places, key=lambda one: self.measure_cover(one, wide, tall))
        self.take(best, wide, tall)
        return best

    def route(
        self,
        start: Point,
        end: Point,
        *,
        wide: float,
        tall: float,
        goal: tuple[float, float] = (8, 8),
    ) -> Route:
        """Route an arrow from the space at `start` to what stands at `end`, clear of all else.

        Its number of this size stands where it starts; `goal` is half the size of what it reaches.
        """
        angle = atan2(end[1] - start[1], end[0] - start[0])
        best: tuple[float, Point, Point, Point] | None = None
        for cost, tail in self._list_tails(start, angle, wide, tall):
            back = atan2(tail[1] - end[1], tail[0] - end[0])
            for side in _SIDES:
                tip = _find_edge(end, goal, back + side)
                for bend in _BENDS:
                    by = _bend_line(tail, tip, bend)
                    away = hypot(tip[0] - tail[0], tip[1] - tail[1])
                    more = cost + abs(bend) * away * 0.55 + abs(side) * 8 + max(0, 44 - away) * 3
                    if best is not None and more >= best[0]:
                        continue
                    more += sum(map(self._count_hits, _list_points(tail, by, tip)))
                    if best is None or more < best[0]:
                        best = more, tail, by, tip
        assert best is not None
        _, tail, by, tip = best
        self.take(tail, wide, tall)
        for point in _list_points(tail, by, tip)[1:]:
            self.take(point, 3, 3)
        arrow = make_arrow(tail, tip, after=min(wide, tall) / 2 - 2, by=by, head=_HEAD)
        return Route(arrow, (round(tail[0], 1), round(tail[1], 1)))

    def _list_tails(
        self, start: Point, angle: float, wide: float, tall: float
    ) -> Sequence[tuple[float, Point]]:
        """List where the number can stand, the best first, with what is against it."""
        tails = []
        for far in (_NEAR, _FAR):
            for turn in _TURNS:
                x, y = far * cos(angle + turn), (far - 2) * sin(angle + turn)
                spot = start[0] + x, start[1] + y
                cover = self.measure_cover(spot, wide, tall) * 0.5
                tails.append((cover + abs(turn) * 14 + far, spot))
        return sorted(tails)[:_TRIED]

    def _count_hits(self, point: Point) -> float:
        x, y = point
        left, top, right, bottom = self._bounds
        if not (left < x < right and top < y < bottom):
            return 90
        near = self._boxes.get((int(x // _BUCKET), int(y // _BUCKET)), ())
        return sum(
            60
            for box in near
            if box[0] - _ROOM < x < box[2] + _ROOM and box[1] - _ROOM < y < box[3] + _ROOM
        )


def join_jumps(jumps: Iterable[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
    """Join the jumps of a side from one space to another, which are one arrow on a picture."""
    arrows: dict[tuple[str, str, str], Mapping[str, Any]] = {}
    for one in jumps:
        key = one["seat"], one["from"], one["to"]
        more = arrows[key]["fleets"] if key in arrows else 0
        is_all = "all" in (more, one["fleets"])
        arrows[key] = {**one, "fleets": "all" if is_all else more + one["fleets"]}
    return list(arrows.values())


def lay_in_rows(wides: Sequence[float], room: float) -> Sequence[tuple[float, int]]:
    """Lay things of these widths in rows, from the left: how far each is in, and in which row."""
    places: list[tuple[float, int]] = []
    x, row = 0.0, 0
    for wide in wides:
        if x and x + wide > room:
            x, row = 0.0, row + 1
        places.append((round(x, 1), row))
        x += wide
    return places


def split_label(words: str, size: float, room: float) -> Sequence[str]:
    """Split words into as few lines as fit into the room, as even as can be."""
    parts = words.split()
    for lines in range(1, len(parts) + 1):
        cuts = combinations(range(1, len(parts)), lines - 1)
        ways = ([" ".join(parts[a:b]) for a, b in pairwise((0, *cut, len(parts)))] for cut in cuts)
        best = min(ways, key=lambda split: max(measure_text(line, size) for line in split))
        if max(measure_text(line, size) for line in best) <= room:
            return best
    return parts


def mark(groups: Sequence[tuple[Sequence[Any], Any]]) -> Sequence[tuple[Any, Any]]:
    """List the members of all groups, each with its group's mark."""
    return [(one, sign) for members, sign in groups for one in members]


def measure_text(words: object, size: float) -> float:
    """Measure about how wide bold words are in the font of pictures; others are a tenth less."""
    return sum(_WIDE.get(sign, 0.56) for sign in str(words)) * size


_WIDE: Mapping[str, float] = {
    **dict.fromkeys("il.,:;'!|I ", 0.28),
    **dict.fromkeys("fjrt()-", 0.38),
    **dict.fromkeys("mM%", 0.86),
    **dict.fromkeys("wOGQCDNHU", 0.7),
    "W": 0.9,
}


def _list_corners(
    spots: Sequence[float], long: float, edge: float, least: float, most: float
) -> Sequence[float]:
    """List where a window this long can begin: with all in its middle, then with any of them."""
    goals = [(min(spots) + max(spots)) / 2, *sorted(set(spots))]
    corners = (max(least, one - (long + edge) / 2) for one in goals)
    return [max(0.0, min(one, most - long)) for one in corners]


def _make_box(middle: Point, wide: float, tall: float) -> _Box:
    x, y = middle
    return x - wide / 2, y - tall / 2, x + wide / 2, y + tall / 2


def _list_buckets(box: _Box, more: float = 0) -> Sequence[tuple[int, int]]:
    across = range(int((box[0] - more) // _BUCKET), int((box[2] + more) // _BUCKET) + 1)
    down = range(int((box[1] - more) // _BUCKET), int((box[3] + more) // _BUCKET) + 1)
    return [(x, y) for x in across for y in down]


def _measure_overlap(one: _Box, other: _Box) -> float:
    wide = min(one[2], other[2]) - max(one[0], other[0])
    tall = min(one[3], other[3]) - max(one[1], other[1])
    return wide * tall if wide > 0 and tall > 0 else 0


def _find_edge(middle: Point, half: tuple[float, float], angle: float) -> Point:
    """Find where a way out of a box leaves it."""
    x, y = cos(angle), sin(angle)
    far = min(half[0] / abs(x) if x else 1e9, half[1] / abs(y) if y else 1e9)
    return middle[0] + x * far, middle[1] + y * far


def _bend_line(tail: Point, tip: Point, bend: float) -> Point:
    """Find the point that a line is drawn to by, so far beside its middle."""
    return (
        (tail[0] + tip[0]) / 2 - (tip[1] - tail[1]) * bend,
        (tail[1] + tip[1]) / 2 + (tip[0] - tail[0]) * bend,
    )


def _list_points(tail: Point, by: Point, tip: Point) -> Sequence[Point]:
    """List points of the bent line between."""
    return [
        (
            (1 - t) ** 2 * tail[0] + 2 * t * (1 - t) * by[0] + t * t * tip[0],
            (1 - t) ** 2 * tail[1] + 2 * t * (1 - t) * by[1] + t * t * tip[1],
        )
        for t in _PARTS
    ]
