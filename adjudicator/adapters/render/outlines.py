"""Outlines of shapes as straight lines: bends are followed, lines cut into dashes and shifted."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from math import cos, hypot, pi, sin
from typing import Final

from adjudicator.adapters.render.svg_helpers import Point

Trace = tuple[tuple[Point, ...], bool]
"""Points, and whether they close."""
Outline = tuple[str, ...]
"""The kind of an element, and what it takes to draw it."""

_NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)")
_COMMAND = re.compile(r"([MLHVQCTZmlhvqctz])([^MLHVQCTZmlhvqctz]*)")
_SIZES: Final = {"H": 1, "V": 1, "Q": 4, "C": 6}
_STEPS: Final = 8
"""Straight parts of a bend."""
_ROUND: Final = tuple((cos(pi * n / 20), sin(pi * n / 20)) for n in range(40))
"""Points of a circle."""
_BLUNT: Final = 0.3
"""Where a corner is so sharp that a line round it would end in a spike, it is cut."""


class UnpaintableError(ValueError):
    """A picture has something that only an SVG program can draw."""


GROWING: Final = frozenset(("circle", "ellipse", "rect"))
"""Shapes of which a larger one is a shape of the same kind."""


def grow_outline(shape: Outline, far: float) -> Outline:
    """Make a shape larger by so much on every side; corners that are not round stay so."""
    kind, x, y, *sizes = shape
    if kind != "rect":
        return (kind, x, y, *(str(max(0.0, float(size) + far)) for size in sizes))
    wide, tall, bend = (float(one or 0) for one in sizes)
    sides = max(0.0, wide + 2 * far), max(0.0, tall + 2 * far), max(0.0, bend + far) if bend else 0
    return (kind, str(float(x or 0) - far), str(float(y or 0) - far), *map(str, sides))


@lru_cache(1024)
def trace_outline(shape: Outline) -> tuple[Trace, ...]:
    """Trace a shape as lines of points, in its own measure."""
    kind, *values = shape
    if kind == "path":
        return tuple(_trace_path(values[0]))
    if kind == "polygon":
        numbers = [float(one) for one in _NUMBER.findall(values[0])]
        return ((tuple(zip(numbers[::2], numbers[1::2], strict=True)), True),)
    x, y, *size = (float(one or 0) for one in values)
    if kind == "rect":
        return ((tuple(_trace_rect(x, y, *size)), True),)
    wide, tall = size[0], size[-1]
    return ((tuple(_trace_ellipse(x, y, wide, tall, 0, 40)), True),)


def _trace_ellipse(
    x: float, y: float, wide: float, tall: float, first: int, last: int
) -> Iterator[Point]:
    for n in range(first, last):
        across, down = _ROUND[n % len(_ROUND)]
        yield x + wide * across, y + tall * down


def _trace_rect(x: float, y: float, wide: float, tall: float, round_by: float) -> Iterator[Point]:
    corners = ((wide, tall), (0, tall), (0, 0), (wide, 0))
    for n, (right, low) in enumerate(corners):
        across, down = x + right, y + low
        if not round_by:
            yield across, down
            continue
        inner_x = across - round_by if right else across + round_by
        inner_y = down - round_by if low else down + round_by
        yield from _trace_ellipse(inner_x, inner_y, round_by, round_by, n * 10, n * 10 + 11)


def _trace_path(path: str) -> Iterator[Trace]:
    """Trace a path; it has no arcs, which are rare and long to tell."""
    if "A" in path.upper():
        raise UnpaintableError("it has arcs")
    points: list[Point] = []
    here, by = (0.0, 0.0), None
    for command, numbers in _COMMAND.findall(path):
        kind, values = command.upper(), [float(one) for one in _NUMBER.findall(numbers)]
        if kind in "ZM" and points:
            yield tuple(points), kind == "Z"
            here, points = points[0] if kind == "Z" else here, []
        size = _SIZES.get(kind, 2)
        for at in range(0, len(values), size):
            goals = _find_goals(kind, values[at : at + size], here, is_near=command.islower())
            if kind == "T":
                goals = [(2 * here[0] - by[0], 2 * here[1] - by[1]) if by else here, *goals]
            if not points:
                points = [here] if kind != "M" else []
            points += _bend([here, *goals]) if len(goals) > 1 else goals
            by = goals[0] if kind in "QT" else None
            here = goals[-1]
    if points:
        yield tuple(points), False


def _find_goals(kind: str, part: Sequence[float], here: Point, *, is_near: bool) -> list[Point]:
    """Find the points that a command names."""
    base = here if is_near else (0.0, 0.0)
    if kind == "H":
        return [(base[0] + part[0], here[1])]
    if kind == "V":
        return [(here[0], base[1] + part[0])]
    return [(base[0] + x, base[1] + y) for x, y in zip(part[::2], part[1::2], strict=True)]


def _bend(points: Sequence[Point]) -> Iterator[Point]:
    """Follow a bend of two or three parts by straight ones."""
    for n in range(1, _STEPS + 1):
        part = n / _STEPS
        chain = list(points)
        while len(chain) > 1:
            chain = [
                (a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part)
                for a, b in pairwise(chain)
            ]
        yield chain[0]


def cut_line(line: Trace, dashes: str) -> Iterator[Trace]:
    """Cut a line into dashes."""
    sizes = [float(one) for one in _NUMBER.findall(dashes)]
    points = [*line[0], *(line[0][:1] if line[1] else ())]
    dash, n, rest, here = [points[0]], 0, sizes[0], points[0]
    for goal in points[1:]:
        away = hypot(goal[0] - here[0], goal[1] - here[1])
        while away > rest:
            part = rest / away
            here = here[0] + (goal[0] - here[0]) * part, here[1] + (goal[1] - here[1]) * part
            if n % 2 == 0:
                yield (*dash, here), False
            n += 1
            dash, away, rest = [here], away - rest, sizes[n % len(sizes)]
        dash.append(goal)
        rest -= away
        here = goal
    if n % 2 == 0 and len(dash) > 1:
        yield tuple(dash), False


def shift_line(points: Sequence[Point], far: float, *, is_closed: bool) -> list[Point]:
    """Shift a line sideways; a closed one grows by a positive distance, whichever way it turns."""
    ends = [*points[1:], points[0]]
    sides = [_find_side(*line) for line in zip(points, ends, strict=True)]
    if not is_closed:
        sides[-1] = sides[-2]
    elif sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(points, ends, strict=True)) < 0:
        far = -far
    befores = [sides[-1] if is_closed else sides[0], *sides]
    corners = []
    for (x, y), one, other in zip(points, befores[:-1], sides, strict=True):
        across, down = (one[0] + other[0]) / 2, (one[1] + other[1]) / 2
        if not (any(one) and any(other)):  # a line without length has no side
            across, down = max(one, other, key=any)
        size = max(across * across + down * down, _BLUNT)
        corners.append((x + across / size * far, y + down / size * far))
    return corners


def _find_side(start: Point, end: Point) -> Point:
    """Find the way to the side of a line, of length 1; nothing where it has no length."""
    away = hypot(end[0] - start[0], end[1] - start[1]) or float("inf")
    return (end[1] - start[1]) / away, (start[0] - end[0]) / away
