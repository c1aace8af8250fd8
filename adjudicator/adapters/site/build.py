"""All files of a game's folder, and the rules of its kind; pure: the same game, the same bytes."""

from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from adjudicator.adapters.archive.reports import digest_templates
from adjudicator.adapters.games.library import FolderKind
from adjudicator.adapters.render import svg_helpers
from adjudicator.adapters.render.printer import Printer
from adjudicator.adapters.site.charts import measure_game
from adjudicator.adapters.site.exhibit import Exhibit
from adjudicator.adapters.site.pages import render_game_page, render_seat_page
from adjudicator.adapters.site.pictures import KeptSite, draw_steps
from adjudicator.adapters.site.rules_page import make_rules_page
from adjudicator.adapters.site.sheet import SHEET_FILE, GameSheet
from adjudicator.core.document import digest, encode


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
    """The game's pages, pictures and documents; pictures are drawn for what is new only."""
    measured = measure_game(printer, game)
    made = _digest_templates(folders, game.templates)
    drawn = tuple(draw_steps(printer, game, made, measured.instead, kept))
    stops = tuple(one.stop for one in drawn)
    files = {file: content for one in drawn for file, content in one.files.items()}
    files |= {stop.report: scene.paper for stop, scene in zip(stops, game.scenes, strict=True)}
    rules, charts = kind.rulebook, measured.charts
    files["index.html"] = render_game_page(printer, game, stops, charts, rules).encode()
    for seat in game.seats:
        files[f"seats/{seat}.html"] = render_seat_page(printer, game, seat, charts, rules).encode()
    digests = {file: digest(content) for file, content in files.items()}
    for one in drawn:
        digests |= one.kept
    sheet = GameSheet(
        id=game.id,
        kind=game.kind,
        title=game.title,
        status=game.status,
        created=game.created,
        seats=game.seats,
        players={seat: tuple(one.name for one in held) for seat, held in game.holders.items()},
        shown=game.shown,
        winners=tuple(game.over["winners"]) if game.over else None,
        said=game.outcome,
        late=len(game.press),
        links=game.links,
        version=made,
        steps=stops,
        files=digests,
    )
    return BuiltGame(
        folder=f"{game.kind}/{game.id}",
        sheet=sheet,
        files={**files, SHEET_FILE: encode(sheet)},
        rules=_render_rules(printer, kind),
    )


def _digest_templates(folders: tuple[Path, ...], templates: str) -> str:
    """Of what pictures are drawn with."""
    lines = Path(svg_helpers.__file__).read_bytes()
    return digest(f"{digest_templates(folders, templates)} {digest(lines)}".encode())[:16]


def _render_rules(printer: Printer, kind: FolderKind) -> bytes:
    book = make_rules_page(kind.rules_text, kind.kind)
    facts = {"title": kind.title, "book": book.html, "chapters": book.chapters}
    return printer.page("rules.html", facts, "site").encode()
