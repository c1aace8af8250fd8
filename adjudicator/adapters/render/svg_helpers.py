"""Helpers for templates of pictures: arrows and scales."""

from collections.abc import Iterable, Mapping, Sequence
from math import ceil, cos, hypot, log10, pi, sin

from msgspec import Struct

from adjudicator.core.events import find_initials

Point = tuple[float, float]

_BEND = 0.14
"""How far an arrow leaves the straight line, of its length; two that meet stay apart."""
_STEPS = (1, 2, 5, 10)


class Arrow(Struct, frozen=True):
    """A bent line that ends in a head."""

    line: str
    """Path data, up to where the head begins."""
    head: str
    """The corners of the head, as a polygon has them."""


def make_arrow(
    start: Point,
    end: Point,
    *,
    after: float = 0,
    before: float = 0,
    head: float = 14,
    by: Point | None = None,
) -> Arrow:
    """Make an arrow that starts so far after one point and ends so far before the other.

    It bends a little off the straight line, or halfway towards the point `by`.
    """
    away = hypot(end[0] - start[0], end[1] - start[1]) or 1.0
    bend = by or (
        (start[0] + end[0]) / 2 - (end[1] - start[1]) * _BEND,
        (start[1] + end[1]) / 2 + (end[0] - start[0]) * _BEND,
    )
    first = _move_towards(start, bend, min(after, away * 0.3))
    last = _move_towards(end, bend, min(before, away * 0.4))
    neck = _move_towards(last, bend, head)
    line = f"M{_format_point(first)}Q{_format_point(bend)} {_format_point(neck)}"
    across = ((neck[1] - last[1]) * 0.5, (last[0] - neck[0]) * 0.5)
    corners = (
        last,
        (neck[0] + across[0], neck[1] + across[1]),
        (neck[0] - across[0], neck[1] - across[1]),
    )
    return Arrow(line, " ".join(_format_point(corner) for corner in corners))


def _move_towards(start: Point, end: Point, far: float) -> Point:
    away = hypot(end[0] - start[0], end[1] - start[1]) or 1.0
    part = far / away
    return start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part


def make_burst(centre: Point, inner: Point, outer: Point, points: int = 9) -> str:
    """Return the corners of a star, as wide and high as these, as the points of an SVG polygon."""
    corners = []
    for n in range(2 * points):
        reach = inner if n % 2 else outer
        turn = pi * n / points - pi / 2
        corners.append((centre[0] + reach[0] * cos(turn), centre[1] + reach[1] * sin(turn)))
    return " ".join(_format_point(corner) for corner in corners)


def find_on_circle(centre: Point, reach: float, part: float) -> Point:
    """Find the point of a circle at this fraction of a turn, clockwise from the top."""
    return find_on_ellipse(centre, (reach, reach), part)


def find_on_ellipse(centre: Point, reach: Point, part: float) -> Point:
    """Find the point of an ellipse at this fraction of a turn, clockwise from the top."""
    turn = 2 * pi * part
    return _round_point((centre[0] + reach[0] * sin(turn), centre[1] - reach[1] * cos(turn)))


def make_scale(most: float, lines: int = 4) -> list[int]:
    """Choose round numbers from 0 to at least the greatest value, in about that many steps."""
    least = max(1.0, most / lines)
    size = 10 ** int(log10(least))
    step = next(size * one for one in _STEPS if size * one >= least)
    return [step * n for n in range(ceil(max(1.0, most) / step) + 1)]


def trace_line(
    values: Sequence[Mapping[str, float]],
    side: str,
    places: Sequence[float],
    box: tuple[float, float, float, float],
    most: float,
) -> str:
    """Trace a side's values through a chart's box (left, top, width, height) as path data.

    Places are from 0 to 1. The line has gaps where nothing is known of the side.
    """
    left, top, wide, high = box
    parts, is_known = [], False
    for numbers, place in zip(values, places, strict=True):
        if side in numbers:
            y = top + high - max(numbers[side], 0) / most * high
            parts.append(f"{'L' if is_known else 'M'}{round(left + place * wide, 1)} {round(y, 1)}")
        is_known = side in numbers
    return "".join(parts)


def keep_apart(places: Sequence[float], least: float, low: float, high: float) -> list[float]:
    """Move the places until any two are at least `least` apart, within low and high."""
    order = sorted(range(len(places)), key=places.__getitem__)
    spots = list(places)
    edge = low
    for n in order:
        spots[n] = max(spots[n], edge)
        edge = spots[n] + least
    edge = high
    for n in reversed(order):
        spots[n] = min(spots[n], edge)
        edge = spots[n] - least
    return spots


def name_sides(sides: Iterable[str]) -> dict[str, str]:
    """Name each side by its initials, the same as in the text."""
    return {side: short.capitalize() for side, short in find_initials(tuple(sides)).items()}


def _round_point(point: Point) -> Point:
    return round(point[0], 1), round(point[1], 1)


def _format_point(point: Point) -> str:
    return f"{point[0]:.1f},{point[1]:.1f}"
