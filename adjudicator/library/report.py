"""The report of a game that is held as a value: its document, rendered in every format."""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from adjudicator.adapters.games.library import FolderKind, FolderLibrary
from adjudicator.core.document import Document, decode, digest, encode
from adjudicator.core.report import REPORT_VERSION
from adjudicator.desk.outbox.report import complete_report

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


def make_report(
    library: FolderLibrary, kind: FolderKind, part: Document, facts: Document
) -> GameReport:
    """The report made of the game's own part and the facts around it."""
    document = complete_report(part, _known(facts))
    return GameReport(encode(document), kind.game, _folders(library.templates()))


def _folders(templates: Sequence[Path]) -> tuple[Path, ...]:
    return tuple(templates)


def _known(facts: Document) -> Document:
    """What the desk would add: there is no clock, no press and no receipt here."""
    seat, step, owed = facts["seat"], facts["open"], facts["due"]
    form = owed[seat].form if seat in owed else (step or "").partition("-")[2]
    due = {"step": step, "form": form, "deadline": None, "zone": "UTC", "waiting": seat in owed}
    envelope = {"game": facts["game"]["id"], "step": step, "key": None, "after": 0}
    own = facts["orders"]
    taken = {"receipt": None, "digest": None if own is None else digest(encode(own))}
    begun = facts["step"].partition("-")[2] != "setup"
    return {
        "report": REPORT_VERSION,
        "game": facts["game"],
        "seat": seat,
        "player": None,
        "number": facts["number"],
        "step": facts["step"],
        "due": due if step else None,
        "orders": taken if seat and begun else None,
        "form": {"envelope": envelope, "orders": None} if seat and step else None,
        "press": [],
    }
