"""Pictures of a position: as SVG, made of a report's document alone, and as letters carry them.

Every `templates/<game>/*.svg.j2` is a picture; where it comes to nothing there is none. Its <title>
is the text for whoever does not see it.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from html import unescape

from msgspec import Struct

from adjudicator.adapters.render.printer import Printer
from adjudicator.core.document import Document

_TITLE = re.compile(r"<title>(.*?)</title>", re.DOTALL)
_WIDTH = re.compile(r'<svg [^>]*?width="(\d+)"')


class Picture(Struct, frozen=True, kw_only=True):
    """A picture of a report's position."""

    name: str
    """As its template is called: map."""
    content: bytes
    """SVG as drawn, PNG in mails."""
    alt: str
    """What it shows, in words."""
    width: int
    """In the page's measure."""


def draw_pictures(printer: Printer, document: Document, game: str) -> Iterator[Picture]:
    """The pictures of a report, in the order of their names; other letters have none."""
    if "position" not in document:
        return
    for template in printer.pictures(game):
        svg = printer.picture(template, document, game)
        if "<svg" in svg:
            title, width = _TITLE.search(svg), _WIDTH.search(svg)
            assert title is not None, f"{game}/{template} has no <title> to say what it shows"
            assert width is not None, f"{game}/{template} does not say how wide it is"
            yield Picture(
                name=template.partition(".")[0],
                content=svg.encode(),
                alt=" ".join(unescape(title[1]).split()),
                width=int(width[1]),
            )


DrawPictures = Callable[[Document, str], Sequence[Picture]]
"""The pictures of a document of a game, by the folder of its texts."""
