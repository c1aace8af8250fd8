"""Draw pictures as PNG for mail programs; the same on every machine.

Only fonts that a package brings are looked at, so that the same report gives the same picture
wherever it is painted.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from importlib.resources import files
from io import BytesIO

import resvg_py
from msgspec.structs import replace
from PIL import Image

from adjudicator.adapters.render.printer import Picture, Printer, draw_pictures
from adjudicator.core.document import Document

FONT = "Source Sans Pro"
_PACKAGE = "font_source_sans_pro"
_FACES = ("SourceSansPro-Regular.ttf", "SourceSansPro-Bold.ttf")
_SHARP = 1.0
"""Pixels to a unit: as many as a page is wide, more than most phones are."""
_COLOURS = 96
"""So many are enough for flat colours and their edges, and a third of the bytes."""
_KEPT = 16
"""Letters of a step go out one after the other, and their pictures are the same for all."""


class Artist:
    """Draws the pictures of mails."""

    def __init__(self, printer: Printer) -> None:
        self._printer = printer

    def __call__(self, document: Document, game: str) -> Sequence[Picture]:
        """Draw the pictures of a document with a game's templates in this folder."""
        drawn = draw_pictures(self._printer, document, game)
        return [replace(one, content=render_png(one.content.decode())) for one in drawn]


@lru_cache(_KEPT)
def render_png(svg: str) -> bytes:
    """Render an SVG as a PNG."""
    full = resvg_py.svg_to_bytes(
        svg_string=svg,
        zoom=_SHARP,
        skip_system_fonts=True,
        font_files=_list_fonts(),
        font_family=FONT,
        sans_serif_family=FONT,
        languages=["en"],
    )
    flat = Image.open(BytesIO(full)).convert("RGB")
    few = flat.quantize(_COLOURS, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    made = BytesIO()
    few.save(made, "PNG", compress_level=8)  # nearly as small as 9 makes it, in a third of the time
    return made.getvalue()


@cache
def _list_fonts() -> list[str]:
    folder = files(_PACKAGE) / "files"
    return [str(folder / face) for face in _FACES]
