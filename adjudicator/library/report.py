"""The report of a game that is held as a value: its document, rendered in every format."""

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from adjudicator.core.document import decode

if TYPE_CHECKING:
    from adjudicator.adapters.render.printer import Printer

WIDTH = 78
"""Columns of a report's text where nobody asks for another width."""


class GameReport(Struct, frozen=True):
    """What a reader is told of a step, report/1; texts and pictures are made from it alone."""

    content: bytes
    """The document as canonical JSON."""
    folder: str
    """Of the game's templates."""
    templates: tuple[Path, ...]

    @property
    def document(self) -> dict[str, Any]:
        """The document; `adjudicator report --fields KIND` explains everything in it."""
        return dict(decode(self.content))

    def json(self) -> str:
        """The document as JSON."""
        return self.content.decode()

    def text(self, width: int = WIDTH) -> str:
        """The report as a letter shows it in plain text, at most so many columns wide."""
        return self._printer().text("report.txt", self.document, self.folder, width)

    def html(self) -> str:
        """The report as a page that needs no other file."""
        return self._printer().page("report.html", self.document, self.folder)

    def pictures(self) -> dict[str, str]:
        """The pictures of the position as SVG, by name; empty where the game draws none."""
        from adjudicator.adapters.render.pictures import draw_pictures

        drawn = draw_pictures(self._printer(), self.document, self.folder)
        return {picture.name: picture.content.decode() for picture in drawn}

    def _printer(self) -> "Printer":
        return open_printer(self.templates)


@lru_cache(maxsize=4)
def open_printer(templates: tuple[Path, ...]) -> "Printer":
    """The printer of these folders; its templates are compiled once."""
    from adjudicator.adapters.render.printer import Printer

    return Printer(templates)
