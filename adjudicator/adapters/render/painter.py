"""Paint the SVG of our own pictures with Pillow, several times as fast as a whole SVG program.

What it does not know, it refuses, and resvg draws the picture. Every shape becomes a mask, drawn
larger and reduced; shapes that come again and again, as terrain and tags do, are kept.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import product
from math import ceil, cos, floor, hypot, pi, sin
from typing import Final
from xml.etree.ElementTree import Element, fromstring

from PIL import Image, ImageColor, ImageDraw, ImageFont

from adjudicator.adapters.render.outlines import (
    GROWING,
    Outline,
    UnpaintableError,
    cut_line,
    grow_outline,
    shift_line,
    trace_outline,
)
from adjudicator.adapters.render.printer import READER_MARK
from adjudicator.adapters.render.svg_helpers import Point

_Matrix = tuple[float, float, float, float, float, float]
_Masks = tuple[tuple[Image.Image, int, int], ...]
"""The parts of a mask, and where each begins beside the whole pixel that its shape is at."""

_SVG: Final = "{http://www.w3.org/2000/svg}"
_STYLES: Final = (
    *("fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap"),
    *("fill-opacity", "stroke-opacity", "font-size", "font-weight", "text-anchor"),
)
_SHAPES: Final = {
    "path": ("d",),
    "polygon": ("points",),
    "circle": ("cx", "cy", "r"),
    "ellipse": ("cx", "cy", "rx", "ry"),
    "rect": ("x", "y", "width", "height", "rx"),
}
_KNOWN: Final = frozenset(
    (
        *(*_STYLES, "transform", "id", "href", "x", "y", "xmlns", "viewBox", "role"),
        *("aria-hidden", "width", "height", "font-family", "stroke-linejoin", "paint-order"),
        *("textLength", "lengthAdjust"),  # the length that words have in our font anyway
    )
)
_NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)")
_VIEW = re.compile(r'<svg [^>]*viewBox="(-?[\d.]+(?: -?[\d.]+){3})"')
_CHANGE = re.compile(r"(translate|scale|rotate)\(([^)]*)\)")
_QUARTER = 4
"""Places within a pixel where a shape can begin; nobody sees more."""
_CACHE_SIZE = 1024
_FINE = 4
_COARSE = 2
_SHARP = 0.5 / _QUARTER
_SPACIOUS = 50_000
_TILE = 48
"""Pixels of a large mask, and those of its parts each way."""
_LARGE = 240
"""From so many pixels on a mask is drawn less fine, since there are so many of them."""


_MARK: Final = READER_MARK.decode()


def paint(svg: str, zoom: float, fonts: tuple[str, ...]) -> Image.Image:
    """Paint an SVG; what lies before its mark is remembered."""
    ground, mark, _ = svg.partition(_MARK)
    if not mark:
        return _Painter(svg, zoom, fonts).canvas
    return _Painter(svg, zoom, fonts, _paint_ground(f"{ground}</svg>", zoom, fonts)).canvas


def paint_over(svg: str, zoom: float, fonts: tuple[str, ...], ground: Image.Image) -> Image.Image:
    """Paint what an SVG has over a picture of the part that it views."""
    return _Painter(svg, zoom, fonts, ground).canvas


@lru_cache(4)
def _paint_ground(svg: str, zoom: float, fonts: tuple[str, ...]) -> Image.Image:
    return _Painter(svg, zoom, fonts).canvas


class _Painter:
    """Paints one SVG, from its mark on if its ground is given."""

    def __init__(
        self, svg: str, zoom: float, fonts: tuple[str, ...], ground: Image.Image | None = None
    ) -> None:
        root = fromstring(svg)  # noqa: S314 - our own templates wrote it
        self._fonts = fonts
        self._nodes = {one.get("id", ""): one for one in root.iter() if one.get("id")}
        x, y, *long = find_view(svg)
        size = int(long[0] * zoom + 0.5), int(long[1] * zoom + 0.5)
        self.canvas = ground.copy() if ground else Image.new("RGB", size, "#000")
        if ground and "reader" in self._nodes:
            nodes = list(root)
            for one in nodes[: nodes.index(self._nodes["reader"])]:
                root.remove(one)
        self._walk(root, {"fill": "#000"}, (zoom, 0, 0, zoom, -x * zoom, -y * zoom))

    def _walk(self, node: Element, above: Mapping[str, str], matrix: _Matrix) -> None:
        kind = node.tag.removeprefix(_SVG)
        if kind in ("title", "defs", "desc"):
            return
        own: Mapping[str, str] = node.attrib
        style = {**above, **{key: own[key] for key in _STYLES if key in own}}
        if "transform" in node.attrib:
            matrix = _change(matrix, node.attrib["transform"])
        if kind in ("svg", "g"):
            _check(node)
            for child in node:
                self._walk(child, style, matrix)
        elif kind == "use":
            _check(node)
            target = self._nodes.get(node.get("href", "").removeprefix("#"))
            if target is None:
                raise UnpaintableError("it uses what is not there")
            own_matrix = _multiply(matrix, (1, 0, 0, 1, _number(node, "x"), _number(node, "y")))
            self._walk(target, style, own_matrix)
        elif kind == "text":
            self._write(node, style, matrix)
        elif kind in _SHAPES:
            _check(node, _SHAPES[kind])
            self._draw((kind, *(node.get(key, "") for key in _SHAPES[kind])), style, matrix)
        else:
            raise UnpaintableError(f"it has {kind}")

    def _draw(self, shape: Outline, style: Mapping[str, str], matrix: _Matrix) -> None:
        a, b, c, d, e, f = matrix
        x, y = floor(e), floor(f)
        pixel_matrix = (a, b, c, d, _quarter(e - x), _quarter(f - y))
        if style["fill"] != "none":
            opacity = float(style.get("fill-opacity", 1))
            box = _find_plain_box(shape, matrix, self.canvas.size) if opacity == 1 else None
            if box:
                self.canvas.paste(_find_colour(style["fill"]), box)
            else:
                self._lay(_make_fill(shape, pixel_matrix, opacity), (x, y), style["fill"])
        if style.get("stroke", "none") != "none":
            wide = float(style.get("stroke-width", 1))
            dashes = style.get("stroke-dasharray", "")
            cap, opacity = style.get("stroke-linecap", ""), float(style.get("stroke-opacity", 1))
            masks = _make_stroke(shape, pixel_matrix, wide, dashes, cap, opacity)
            self._lay(masks, (x, y), style["stroke"])

    def _lay(self, masks: _Masks, at: tuple[int, int], colour: str) -> None:
        ink = _find_colour(colour)
        for mask, left, top in masks:
            x, y = at[0] + left, at[1] + top
            self.canvas.paste(ink, (x, y, x + mask.width, y + mask.height), mask)

    def _write(self, node: Element, style: Mapping[str, str], matrix: _Matrix) -> None:
        a, b, _, _, _, _ = matrix
        if b or len(node):
            raise UnpaintableError("its words are turned")
        _check(node)
        words = node.text or ""
        x, y = _apply(matrix, (_number(node, "x"), _number(node, "y")))
        face = self._fonts[1 if style.get("font-weight") == "700" else 0]
        size = round(float(style.get("font-size", 16)) * a, 2)
        edge = round(float(style.get("stroke-width", 1)) * a / 2)
        if style.get("stroke", "none") == "none":
            edge = 0
        for around in (edge, 0) if edge else (0,):
            mask, left, top, long = _make_words(words, face, size, around)
            start = x - long * {"middle": 0.5, "end": 1}.get(style.get("text-anchor", ""), 0)
            colour = style["stroke"] if around else style["fill"]
            self._lay(((mask, left, top),), (round(start), round(y)), colour)


def find_view(svg: str) -> tuple[float, ...]:
    """Find the view of an SVG: left, top, width, height."""
    match = _VIEW.search(svg)
    if match is None:
        raise UnpaintableError("it says nothing of its view")
    return tuple(map(float, match[1].split()))


def _check(node: Element, more: Sequence[str] = ()) -> None:
    for name, value in node.attrib.items():
        if name not in _KNOWN and name not in more and not name.startswith("data-"):
            raise UnpaintableError(f"it has {name}")
        if "url(" in value:
            raise UnpaintableError("it refers to colours")


def _number(node: Element, key: str) -> float:
    return float(node.get(key, 0))


def _quarter(part: float) -> float:
    return round(part * _QUARTER) / _QUARTER


@lru_cache(_CACHE_SIZE)
def _find_colour(colour: str) -> tuple[int, ...]:
    try:
        return ImageColor.getrgb(colour)
    except ValueError:
        raise UnpaintableError(f"it has the colour {colour}") from None


def _multiply(one: _Matrix, other: _Matrix) -> _Matrix:
    a, b, c, d, e, f = one
    g, h, i, j, k, l = other  # noqa: E741
    return (
        *(a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j),
        *(a * k + c * l + e, b * k + d * l + f),
    )


def _change(matrix: _Matrix, changes: str) -> _Matrix:
    if _CHANGE.sub("", changes).strip():
        raise UnpaintableError(f"it is changed by {changes}")
    for name, numbers in _CHANGE.findall(changes):
        values = [float(one) for one in _NUMBER.findall(numbers)]
        if name == "translate":
            matrix = _multiply(matrix, (1, 0, 0, 1, values[0], values[1] if len(values) > 1 else 0))
        elif name == "scale":
            matrix = _multiply(matrix, (values[0], 0, 0, values[-1], 0, 0))
        else:
            turn = values[0] * pi / 180
            matrix = _multiply(matrix, (cos(turn), sin(turn), -sin(turn), cos(turn), 0, 0))
    return matrix


def _apply(matrix: _Matrix, point: Point) -> Point:
    a, b, c, d, e, f = matrix
    return a * point[0] + c * point[1] + e, b * point[0] + d * point[1] + f


def _find_plain_box(
    shape: Outline, matrix: _Matrix, size: tuple[int, int]
) -> tuple[int, int, int, int] | None:
    """Find the whole pixels that a rectangle fills; None for one that has soft edges.

    At the end of the picture every edge is hard.
    """
    if shape[0] != "rect" or shape[5] or matrix[1] or matrix[2]:
        return None
    x, y, wide, tall = (float(one or 0) for one in shape[1:5])
    edges = *_apply(matrix, (x, y)), *_apply(matrix, (x + wide, y + tall))
    left, top, right, low = (round(edge) for edge in edges)
    ends = (0, 0, *size)
    is_hard = (
        abs(edge - round(edge)) < _SHARP or abs(edge - end) <= 0.5
        for edge, end in zip(edges, ends, strict=True)
    )
    return (left, top, right, low) if all(is_hard) else None


@lru_cache(_CACHE_SIZE)
def _make_fill(shape: Outline, matrix: _Matrix, opacity: float) -> _Masks:
    lines = [[_apply(matrix, one) for one in points] for points, _ in trace_outline(shape)]
    mask, left, top, fine = _begin_mask(lines, 0)
    draw = ImageDraw.Draw(mask)
    for points in lines:
        if len(points) > 2:
            draw.polygon([((x - left) * fine, (y - top) * fine) for x, y in points], fill=255)
    return _keep(mask.reduce(fine), left, top, opacity)


@lru_cache(_CACHE_SIZE)
def _make_stroke(
    shape: Outline, matrix: _Matrix, wide: float, dashes: str, cap: str, opacity: float
) -> _Masks:
    thick = wide * hypot(matrix[0], matrix[1])
    if not dashes and shape[0] in GROWING:
        return _make_rim(shape, matrix, wide, opacity)
    traces = trace_outline(shape)
    if dashes:
        traces = tuple(part for line in traces for part in cut_line(line, dashes))
    lines = [[_apply(matrix, one) for one in points] for points, _ in traces]
    mask, left, top, fine = _begin_mask(lines, thick + 1)
    draw, half = ImageDraw.Draw(mask), thick * fine / 2
    for points, (_, is_closed) in zip(lines, traces, strict=True):
        here = [((x - left) * fine, (y - top) * fine) for x, y in points]
        here = [one for one, after in zip(here, [*here[1:], None], strict=True) if one != after]
        if len(here) < 2:
            continue
        if is_closed:
            draw.polygon(shift_line(here, half, is_closed=True), fill=255)
            draw.polygon(shift_line(here, -half, is_closed=True), fill=0)
            continue
        back = shift_line(here[::-1], half, is_closed=False)
        draw.polygon([*shift_line(here, half, is_closed=False), *back], fill=255)
        if cap == "round":
            for x, y in (here[0], here[-1]):
                draw.ellipse((x - half, y - half, x + half, y + half), fill=255)
    return _keep(mask.reduce(fine), left, top, opacity)


def _make_rim(shape: Outline, matrix: _Matrix, wide: float, opacity: float) -> _Masks:
    """Draw the line round a shape as what is in a larger one and not in a smaller one."""
    traces = (trace_outline(grow_outline(shape, far)) for far in (wide / 2, -wide / 2))
    lines = [[_apply(matrix, one) for one in points] for ((points, _),) in traces]
    mask, left, top, fine = _begin_mask(lines, 0)
    draw = ImageDraw.Draw(mask)
    for points, fill in zip(lines, (255, 0), strict=True):
        draw.polygon([((x - left) * fine, (y - top) * fine) for x, y in points], fill=fill)
    return _keep(mask.reduce(fine), left, top, opacity)


def _keep(mask: Image.Image, left: int, top: int, opacity: float) -> _Masks:
    """Keep a mask as faint as this; of a large one, as of a slanted line, what is not empty."""
    faint = mask if opacity == 1 else mask.point(_list_faint(opacity))
    if mask.width * mask.height < _SPACIOUS:
        return ((faint, left, top),)
    parts = product(range(0, mask.width, _TILE), range(0, mask.height, _TILE))
    cut = (
        (faint.crop((x, y, min(x + _TILE, mask.width), min(y + _TILE, mask.height))), x, y)
        for x, y in parts
    )
    return tuple((part, left + x, top + y) for part, x, y in cut if part.getbbox())


@lru_cache(64)
def _list_faint(opacity: float) -> list[int]:
    return [round(value * opacity) for value in range(256)]


def _begin_mask(lines: Sequence[Sequence[Point]], more: float) -> tuple[Image.Image, int, int, int]:
    """Begin a mask that has room for the lines: where it lies, and how much finer it is."""
    across = [x for points in lines for x, _ in points] or [0]
    down = [y for points in lines for _, y in points] or [0]
    left, top = floor(min(across) - more), floor(min(down) - more)
    wide, tall = ceil(max(across) + more) - left + 1, ceil(max(down) + more) - top + 1
    fine = _FINE if max(wide, tall) < _LARGE else _COARSE
    return Image.new("L", (wide * fine, tall * fine)), left, top, fine


@lru_cache(_CACHE_SIZE)
def _make_words(
    words: str, face: str, size: float, around: int
) -> tuple[Image.Image, int, int, float]:
    """Write words: the mask, where it begins beside the point they stand at, and their length."""
    font = _open_font(face, size)
    left, top, right, bottom = font.getbbox(words, anchor="ls", stroke_width=around)
    left, top = floor(left), floor(top)
    mask = Image.new("L", (max(1, ceil(right) - left), max(1, ceil(bottom) - top)))
    draw = ImageDraw.Draw(mask)
    draw.text((-left, -top), words, fill=255, font=font, anchor="ls", stroke_width=around)
    return mask, left, top, font.getlength(words)


@lru_cache(64)
def _open_font(face: str, size: float) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(face, size, layout_engine=ImageFont.Layout.BASIC)
