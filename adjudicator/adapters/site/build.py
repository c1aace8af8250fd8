"""All files of a game's folder, the rules of its kind and the first page of a site.

Pure: the same game, the same bytes. Pictures are drawn for new steps, and left where they stand
for the others.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import Path

from msgspec import Struct

from adjudicator.adapters.archive.reports import digest_templates
from adjudicator.adapters.games.library import FolderKind
from adjudicator.adapters.render import board, svg_helpers
from adjudicator.adapters.render.order_page import FOLDER, list_pages, render_order_page
from adjudicator.adapters.render.printer import Picture, Printer, draw_pictures, draw_thumb
from adjudicator.adapters.site.charts import measure_game
from adjudicator.adapters.site.exhibit import Exhibit, Scene
from adjudicator.adapters.site.pages import render_game_page, render_seat_page
from adjudicator.adapters.site.rules_page import make_rules_page
from adjudicator.adapters.site.sheet import SHEET_FILE, GameSheet, Shot, Stop
from adjudicator.core.document import digest, encode
from adjudicator.desk.model.values import Status
from adjudicator.desk.questions.ratings import (
    RATING_COLUMNS,
    Ended,
    format_rating,
    list_ratings,
)

_ORDER = (Status.RUNNING, Status.PAUSED, Status.OPEN, Status.OVER)


class KeptSite(Struct, frozen=True):
    """What an earlier writing left in the game's folder."""

    sheet: GameSheet
    stands: Callable[[str, str], bool]
    """Whether the file of this name still has this digest."""


class BuiltGame(Struct, frozen=True, kw_only=True):
    """A game's folder as it is to be."""

    folder: str
    """jump-wars/ember"""
    sheet: GameSheet
    files: Mapping[str, bytes]
    """By path below the folder; those that stand there already are not among them."""
    rules: bytes
    """rules.html, beside the folder."""


def build_game(
    printer: Printer,
    folders: tuple[Path, ...],
    kind: FolderKind,
    game: Exhibit,
    kept: KeptSite | None,
) -> BuiltGame:
    """Build the game's pages, pictures and documents; only new pictures are drawn."""
    charts, instead = measure_game(printer, game)
    version = _digest_templates(folders, game.templates)
    standing = dict(_find_standing(game, version, kept))
    files: dict[str, bytes] = {}
    stops: list[Stop] = []
    for scene in game.scenes:
        pictures = {} if scene.name in standing else _draw(printer, game, scene, instead)
        shots = tuple(pictures)
        files |= {shot.file: content for shot, content in pictures.items()}
        stops.append(standing.get(scene.name) or _make_stop(scene, shots))
        files[stops[-1].report] = scene.paper
    thumb = _draw_thumb(printer, game)
    files |= {shot.file: content for shot, content in thumb.items()}
    rules = kind.rulebook
    files["index.html"] = render_game_page(printer, game, stops, charts, rules).encode()
    for seat in game.seats:
        files[f"seats/{seat}.html"] = render_seat_page(printer, game, seat, charts, rules).encode()
    known = kept.sheet.files if kept else {}
    stand = {one.file: known[one.file] for stop in standing.values() for one in stop.pictures}
    sheet = GameSheet(
        id=game.id,
        kind=game.kind,
        title=game.title,
        status=game.status,
        created=game.created,
        seats=game.seats,
        players={seat: tuple(one.name for one in held) for seat, held in game.holders.items()},
        shown=game.shown,
        winners=game.winners,
        said=game.outcome,
        ended=game.ended,
        late=len(game.press),
        links=game.links,
        version=version,
        steps=tuple(stops),
        thumb=next(iter(thumb), None),
        files={file: digest(content) for file, content in files.items()} | stand,
    )
    return BuiltGame(
        folder=f"{game.kind}/{game.id}",
        sheet=sheet,
        files={**files, SHEET_FILE: encode(sheet)},
        rules=_render_rules(printer, kind),
    )


def _digest_templates(folders: tuple[Path, ...], templates: str) -> str:
    """Digest the templates and code that pictures are drawn with."""
    lines = [digest(Path(str(one.__file__)).read_bytes()) for one in (svg_helpers, board)]
    return digest(f"{digest_templates(folders, templates)} {lines}".encode())[:16]


def _find_standing(
    game: Exhibit, version: str, kept: KeptSite | None
) -> Iterator[tuple[str, Stop]]:
    """Find the steps whose pictures are all up to date."""
    if kept is None or kept.sheet.version != version:
        return
    papers = {scene.name: digest(scene.paper) for scene in game.scenes}
    for stop in kept.sheet.steps:
        files = [one.file for one in stop.pictures]
        if papers.get(stop.step) == stop.digest and all(
            kept.stands(file, kept.sheet.files.get(file, "")) for file in files
        ):
            yield stop.step, stop


def _draw(
    printer: Printer, game: Exhibit, scene: Scene, without: Collection[str]
) -> dict[Shot, bytes]:
    """Draw the pictures of a step, except those that charts replace."""
    drawn = draw_pictures(printer, scene.public, game.templates, without)
    return {_make_shot(one, scene): one.content for one in drawn}


def _draw_thumb(printer: Printer, game: Exhibit) -> dict[Shot, bytes]:
    """Draw what stands for the game in the index, if it is another picture than on its page."""
    scene = game.scenes[-1] if game.scenes else None
    drawn = draw_thumb(printer, scene.public, game.templates) if scene else None
    return {_make_shot(drawn, scene): drawn.content} if scene and drawn else {}


def _make_shot(one: Picture, scene: Scene) -> Shot:
    file = f"{scene.folder}/{one.name}.svg"
    return Shot(name=one.name, file=file, alt=one.alt, width=one.width, height=one.height)


def _make_stop(scene: Scene, shots: tuple[Shot, ...]) -> Stop:
    return Stop(
        step=scene.name,
        turn=scene.public["turn"],
        headline=scene.public["headline"],
        report=f"{scene.folder}/report.json",
        digest=digest(scene.paper),
        pictures=shots,
    )


def _render_rules(printer: Printer, kind: FolderKind) -> bytes:
    html, chapters = make_rules_page(kind.rules_text, kind.kind)
    facts = {"title": kind.title, "book": html, "chapters": chapters}
    return printer.page("rules.html", facts, "site").encode()


def render_front(printer: Printer, sheets: Iterable[GameSheet]) -> dict[str, bytes]:
    """Render the files at the top of a site: running games first, then the newest."""
    by_age = sorted(sheets, key=lambda one: (one.created, one.kind, one.id), reverse=True)
    games = sorted(by_age, key=lambda one: _ORDER.index(Status(one.status)))
    standing = {"tables": list(_list_tables(games)), "columns": RATING_COLUMNS}
    return {
        **{f"{FOLDER}/{one}.html": render_order_page(printer, one) for one in list_pages(printer)},
        "index.html": printer.page("index.html", {"games": games}, "site").encode(),
        "players.html": printer.page("players.html", standing, "site").encode(),
        "site.css": printer.text("site.css", {}, "site").encode(),
        "site.js": printer.text("site.js", {}, "site").encode(),
    }


def _list_tables(sheets: Iterable[GameSheet]) -> Iterator[tuple[str, list[tuple[object, ...]]]]:
    """List the tables of players: one over all games, and one for each of several kinds."""
    groups: dict[str, list[Ended]] = {"All games": []}
    for sheet in sorted(sheets, key=lambda one: one.kind):
        if sheet.ended is not None:
            groups["All games"].append(sheet.ended)
            groups.setdefault(sheet.title, []).append(sheet.ended)
    for title, ended in list(groups.items())[: 1 if len(groups) == 2 else None]:
        rows = list_ratings(ended)
        if rows:
            yield title, [format_rating(row) for row in rows]
