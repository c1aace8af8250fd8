"""The first page of a site: every game that has a folder there."""

from collections.abc import Iterable

from adjudicator.adapters.render.printer import Printer
from adjudicator.adapters.site.sheet import GameSheet, describe_status
from adjudicator.core.document import Document
from adjudicator.desk.model.values import Status

_ORDER = (Status.RUNNING, Status.PAUSED, Status.OPEN, Status.OVER)


def render_front(printer: Printer, sheets: Iterable[GameSheet]) -> dict[str, bytes]:
    """The files at the top of a site: games that are played come first, then the newest."""
    by_age = sorted(sheets, key=lambda one: (one.created, one.kind, one.id), reverse=True)
    games = sorted(by_age, key=lambda one: _ORDER.index(Status(one.status)))
    facts = {"games": [_describe_game(sheet) for sheet in games]}
    return {
        "index.html": printer.page("index.html", facts, "site").encode(),
        "site.css": printer.text("site.css", {}, "site").encode(),
        "site.js": printer.text("site.js", {}, "site").encode(),
    }


def _describe_game(sheet: GameSheet) -> Document:
    state = describe_status(sheet.status, begun=bool(sheet.steps))
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
