"""Draw pictures as PNG for mail programs; the same on every machine.

Only fonts that a package brings are looked at, so that the same report gives the same picture
wherever it is painted.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from importlib.resources import files
from io import BytesIO
from typing import Final

import resvg_py
from msgspec import Struct
from msgspec.structs import replace
from PIL import Image

from adjudicator.adapters.render.outlines import UnpaintableError
from adjudicator.adapters.render.painter import find_view, paint, paint_over
from adjudicator.adapters.render.printer import Picture, Printer, draw_near, draw_pictures
from adjudicator.core.document import Document

FONT = "Source Sans Pro"
_PACKAGE = "font_source_sans_pro"
_FACES = ("SourceSansPro-Regular.ttf", "SourceSansPro-Bold.ttf")
_NEAREST: Final = Image.Resampling.NEAREST
_SMOOTH: Final = Image.Resampling.HAMMING
_SHARP = 1.5
"""Pixels to a unit: a phone has about three dots to a pixel of a page, and shows 336 of these."""
_COLOURS = 40
"""So many are enough for flat colours and their edges."""
_FEW, _FARTHER = 26, 40
"""Colours, and how far they are apart, of a picture that takes too many bytes otherwise."""
_LOOKED_AT = 300
_APART = 30
"""So far two of them are apart at least, in the sum of their parts: others take the nearest."""
_SAMPLED = 4
"""Of so many pixels, one each way is looked at to choose the colours."""
_LEVEL = 6
"""Of compression; a higher one takes three times the time for a tenth of the bytes."""
_MOST = 100_000
"""Bytes of a picture; one that is so full that it would take more is made smaller."""
_SPARED = 1.06
"""Of so many times the bytes that there are room for, fewer colours save what is too much."""
_SOFT = 1.15
"""Bytes of a picture that was made smaller, with soft edges, to those that its pixels are worth."""
_LESS = 0.72
"""Bytes grow with the zoom less than with its square."""
_AIM = 0.985
"""Of the room, so that the first picture which is made smaller fits as a rule."""
_CACHE_SIZE = 8
"""Letters of a step go out one after the other, and the pictures of a game may be the same."""


class Album(Struct, frozen=True, kw_only=True):
    """The pictures of a document, still to be rendered."""

    pictures: tuple[Picture, ...]
    near: Picture | None = None
    """What lies over the part of the first of them that a mail shows on top."""

    def name_sources(self, token: str) -> "Album":
        """Name the pictures as the parts of a letter are, after its token."""
        pictures = [replace(one, source=f"{one.name}.png@{token}") for one in self.pictures]
        near = self.near and replace(self.near, source=f"{self.near.name}-near.png@{token}")
        return Album(pictures=tuple(pictures), near=near)

    def render(self, one: Picture, room: int = _MOST, least: float = 0) -> Picture:
        """Render a picture as a PNG that takes no more room, if it need not be less sharp."""
        if one is self.near:
            whole, over = self.pictures[0].whole.decode(), one.content.decode()
            return replace(one, content=_fit(_draw_near(whole, over), room, least))
        content = render_png(one.whole.decode(), room=room, least=least)
        return replace(one, content=content, over=b"")


NO_ALBUM = Album(pictures=())


class Artist:
    """Draws the pictures of mails."""

    def __init__(self, printer: Printer) -> None:
        self._printer = printer

    def __call__(self, document: Document, game: str) -> Album:
        """Draw the pictures of a document with a game's templates in this folder."""
        pictures = tuple(draw_pictures(self._printer, document, game))
        # who asks for the position alone gets the whole of it
        is_asked = bool(document.get("alone"))
        first = None if is_asked or not pictures else pictures[0]
        near = draw_near(self._printer, document, game, first) if first else None
        return Album(pictures=pictures, near=near)


@lru_cache(_CACHE_SIZE)
def render_png(svg: str, size: float = 1, room: int = _MOST, least: float = 0) -> bytes:
    """Render an SVG as a PNG, in this part of the size that mails have.

    Where there is no room, it is less sharp, but so sharp at least.
    """
    return _fit(_draw(svg, _SHARP * size), room, least)


def _fit(image: Image.Image, room: int, least: float) -> bytes:
    content = _pack(image)
    if room < len(content) <= room * _SPARED:  # coarser edges are seen less than fewer pixels
        content = _pack(image, _FEW, _FARTHER)
    part, lowest = 1.0, min(1.0, least / _SHARP)
    while len(content) > room and part > lowest:
        share = _AIM * room / (len(content) * (_SOFT if part == 1 else 1))
        part = max(lowest, part * share**_LESS)
        size = int(image.width * part + 0.5), int(image.height * part + 0.5)
        content = _pack(image.resize(size, _SMOOTH), _FEW, _FARTHER)
    return content


@lru_cache(2)
def _draw(svg: str, zoom: float) -> Image.Image:
    try:
        return paint(svg, zoom, _list_fonts())
    except UnpaintableError:
        return _rasterize(svg, zoom)


def _draw_near(whole: str, over: str) -> Image.Image:
    """Cut the part that an SVG views out of a picture, and draw what the SVG has over it."""
    view = find_view(over)
    left, top, wide, high = (round(one * _SHARP) for one in view)
    part = _draw(whole, _SHARP).crop((left, top, left + wide, top + high))
    return paint_over(over, _SHARP, _list_fonts(), part)


def _choose_colours(image: Image.Image, most: int, apart: int) -> Image.Image:
    """Choose the most frequent colours, which are flat, as the palette of an image."""
    few = image.resize((image.width // _SAMPLED or 1, image.height // _SAMPLED or 1), _NEAREST)
    counts = few.getcolors(few.width * few.height) or []
    colours: list[Sequence[int]] = []
    for _, colour in sorted(counts, reverse=True)[:_LOOKED_AT]:
        assert isinstance(colour, tuple)
        if len(colours) < most and all(_measure(colour, one) >= apart for one in colours):
            colours.append(colour)
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for colour in colours for part in colour])
    return palette


def _measure(one: Sequence[int], other: Sequence[int]) -> int:
    return abs(one[0] - other[0]) + abs(one[1] - other[1]) + abs(one[2] - other[2])


def _pack(image: Image.Image, most: int = _COLOURS, apart: int = _APART) -> bytes:
    file = BytesIO()
    palette = _choose_colours(image, most, apart)
    few = image.quantize(palette=palette, dither=Image.Dither.NONE)
    few.save(file, "PNG", compress_level=_LEVEL)
    return file.getvalue()


def _rasterize(svg: str, zoom: float) -> Image.Image:
    full = resvg_py.svg_to_bytes(
        svg_string=svg,
        zoom=zoom,
        skip_system_fonts=True,
        font_files=list(_list_fonts()),
        font_family=FONT,
        sans_serif_family=FONT,
        languages=["en"],
    )
    return Image.open(BytesIO(full)).convert("RGB")


@cache
def _list_fonts() -> tuple[str, ...]:
    folder = files(_PACKAGE) / "files"
    return tuple(str(folder / face) for face in _FACES)
