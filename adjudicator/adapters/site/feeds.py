"""Feeds of what happened last: one for each game, and one for all games of a site.

They tell of closed steps what everybody may know, also on a site for one seat.
"""

from collections.abc import Iterable
from heapq import nlargest
from uuid import NAMESPACE_URL, uuid5

from adjudicator.adapters.render.printer import Printer
from adjudicator.adapters.site.sheet import GameSheet, Stop
from adjudicator.core.document import Document

FEED_FILE = "feed.xml"
_LAST = 30
_NEVER = "1970-01-01T00:00:00+00:00"


def render_game_feed(printer: Printer, sheet: GameSheet, url: str) -> bytes:
    """Render the feed of a game: its last steps, the newest first."""
    entries = [_describe_step(sheet, stop, "") for stop in reversed(sheet.steps[-_LAST:])]
    base = f"{url}/{sheet.kind}/{sheet.id}/" if url else ""
    facts = {
        "id": _name_entry(sheet),
        "title": f"{sheet.id}, {sheet.title}",
        "updated": entries[0]["at"] if entries else sheet.created,
        "base": base,
        "entries": entries,
    }
    return printer.text(FEED_FILE, facts, "site").encode()


def render_feed(printer: Printer, sheets: Iterable[GameSheet], url: str) -> bytes:
    """Render the feed of all games: the last steps of any."""
    steps = ((sheet, n) for sheet in sheets for n in range(len(sheet.steps)))
    last = nlargest(_LAST, steps, key=lambda one: (*_sort_key(*one), one[1]))
    entries = [
        _describe_step(sheet, sheet.steps[n], f"{sheet.kind}/{sheet.id}/") for sheet, n in last
    ]
    facts = {
        "id": f"urn:uuid:{uuid5(NAMESPACE_URL, f'adjudicator:{url}')}",
        "title": "Games played by mail",
        "updated": entries[0]["at"] if entries else _NEVER,
        "base": f"{url}/" if url else "",
        "entries": entries,
    }
    return printer.text(FEED_FILE, facts, "site").encode()


def _sort_key(sheet: GameSheet, step: int) -> tuple[str, str, str]:
    return sheet.steps[step].closed, sheet.kind, sheet.id


def _describe_step(sheet: GameSheet, stop: Stop, folder: str) -> Document:
    is_last = stop is sheet.steps[-1]
    return {
        "id": _name_entry(sheet, stop.step),
        "title": f"{sheet.id}, {stop.turn}: {stop.headline}",
        "at": stop.closed,
        "page": f"{folder}{stop.page}#{stop.step}",
        "summary": sheet.said if is_last else stop.headline,
    }


def _name_entry(sheet: GameSheet, step: str = "") -> str:
    """Name a game or one of its steps for ever, wherever the site moves."""
    name = f"adjudicator:{sheet.kind}/{sheet.id}/{sheet.created}/{step}"
    return f"urn:uuid:{uuid5(NAMESPACE_URL, name)}"
