"""The first page of a site: every game that has a folder there."""

from collections.abc import Iterable

from msgspec import Struct

from adjudicator.adapters.render.printer import Printer
from adjudicator.adapters.site.captions import describe_sheet_status
from adjudicator.adapters.site.sheet import GameSheet
from adjudicator.core.document import Document
from adjudicator.desk.model.values import Status

_ORDER = (Status.RUNNING, Status.PAUSED, Status.OPEN, Status.OVER)


class Catalogue(Struct, frozen=True):
    """The games of a site, those that are played first, then by age."""

    games: tuple[GameSheet, ...]


def make_catalogue(sheets: Iterable[GameSheet]) -> Catalogue:
    """The games in the order of the page."""
    by_age = sorted(sheets, key=lambda one: (one.created, one.kind, one.id), reverse=True)
    return Catalogue(tuple(sorted(by_age, key=lambda one: _ORDER.index(Status(one.status)))))


def render_front(printer: Printer, given: Catalogue) -> dict[str, bytes]:
    """The files at the top of a site."""
    games = [_entry(sheet) for sheet in given.games]
    return {
        "index.html": printer.page("index.html", {"games": games}, "site").encode(),
        "site.css": printer.text("site.css", {}, "site").encode(),
        "site.js": printer.text("site.js", {}, "site").encode(),
    }


def _entry(sheet: GameSheet) -> Document:
    state = describe_sheet_status(sheet)
    turn = sheet.steps[-1].turn if sheet.steps else ""
    folder = f"{sheet.kind}/{sheet.id}"
    shot = sheet.steps[-1].pictures[0] if sheet.steps and sheet.steps[-1].pictures else None
    players = [f"{seat} {' '.join(held)}" for seat, held in sheet.players.items()]
    said = [sheet.id, sheet.kind, sheet.title, state, turn, *players, sheet.said]
    return {
        "id": sheet.id,
        "title": sheet.title,
        "state": state,
        "alone": " and ".join(sheet.shown) if sheet.private else "",
        "turns": turn,
        "seats": sheet.seats,
        "players": sheet.players,
        "said": sheet.said,
        "link": f"{folder}/index.html",
        "picture": {
            "file": f"{folder}/{shot.file}",
            "alt": shot.alt,
            "width": shot.width,
            "height": shot.height,
        }
        if shot
        else None,
        "words": " ".join(said).lower(),  # as the page's script does, which leaves a ß
    }
