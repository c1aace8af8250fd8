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
from msgspec.structs import replace
from PIL import Image

from adjudicator.adapters.render.outlines import UnpaintableError
from adjudicator.adapters.render.painter import paint
from adjudicator.adapters.render.printer import Picture, Printer, draw_pictures
from adjudicator.core.document import Document

FONT = "Source Sans Pro"
_PACKAGE = "font_source_sans_pro"
_FACES = ("SourceSansPro-Regular.ttf", "SourceSansPro-Bold.ttf")
_NEAREST: Final = Image.Resampling.NEAREST
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
"""Bytes of a picture; one that is so full that it would take more is drawn smaller."""
_LESS = 0.6
"""Bytes grow with the zoom a little less than with its square."""
_KEPT = 8
"""Letters of a step go out one after the other, and the pictures of a game may be the same."""


class Artist:
    """Draws the pictures of mails."""

    def __init__(self, printer: Printer) -> None:
        self._printer = printer

    def __call__(self, document: Document, game: str) -> Sequence[Picture]:
        """Draw the pictures of a document with a game's templates in this folder."""
        drawn = draw_pictures(self._printer, document, game)
        return [replace(one, content=render_png(one.whole.decode()), over=b"") for one in drawn]


@lru_cache(_KEPT)
def render_png(svg: str, size: float = 1) -> bytes:
    """Render an SVG as a PNG, in this part of the size that mails have."""
    zoom = _SHARP * size
    drawn = _draw(svg, zoom)
    made = _pack(drawn)
    if len(made) > _MOST:  # coarser edges are seen less than fewer pixels
        made = _pack(drawn, _FEW, _FARTHER)
    while len(made) > _MOST:
        zoom *= (_MOST / len(made)) ** _LESS
        made = _pack(_draw(svg, zoom))
    return made


def _draw(svg: str, zoom: float) -> Image.Image:
    try:
        return paint(svg, zoom, _list_fonts())
    except UnpaintableError:
        return _rasterize(svg, zoom)


def _choose_colours(drawn: Image.Image, most: int, apart: int) -> Image.Image:
    """Choose the most frequent colours, which are flat, as the palette of an image."""
    few = drawn.resize((drawn.width // _SAMPLED or 1, drawn.height // _SAMPLED or 1), _NEAREST)
    found = few.getcolors(few.width * few.height) or []
    chosen: list[Sequence[int]] = []
    for _, colour in sorted(found, reverse=True)[:_LOOKED_AT]:
        assert isinstance(colour, tuple)
        if len(chosen) < most and all(_measure(colour, one) >= apart for one in chosen):
            chosen.append(colour)
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for colour in chosen for part in colour])
    return palette


def _measure(one: Sequence[int], other: Sequence[int]) -> int:
    return abs(one[0] - other[0]) + abs(one[1] - other[1]) + abs(one[2] - other[2])


def _pack(drawn: Image.Image, most: int = _COLOURS, apart: int = _APART) -> bytes:
    made = BytesIO()
    palette = _choose_colours(drawn, most, apart)
    few = drawn.quantize(palette=palette, dither=Image.Dither.NONE)
    few.save(made, "PNG", compress_level=_LEVEL)
    return made.getvalue()


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
