"""All files of a game's folder, and the rules of its kind; pure: the same game, the same bytes."""

from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from adjudicator.adapters import drawing
from adjudicator.adapters.archive.texts import version
from adjudicator.adapters.library import FolderKind
from adjudicator.adapters.render import Printer
from adjudicator.adapters.site.exhibit import Exhibit
from adjudicator.adapters.site.measures import measures
from adjudicator.adapters.site.pages import game_page, seat_page
from adjudicator.adapters.site.rulespage import book_of
from adjudicator.adapters.site.sheet import NAME, Sheet
from adjudicator.adapters.site.shots import Kept, shots
from adjudicator.adapters.site.wording import said
from adjudicator.core.canonical import digest, encode

__all__ = ["Built", "Kept", "build"]


class Built(Struct, frozen=True, kw_only=True):
    """A game's folder as it is to be."""

    folder: str
    """jump-wars/ember"""
    sheet: Sheet
    files: Mapping[str, bytes]
    """By path below the folder; those that stand there already are not among them."""
    rules: bytes
    """rules.html, beside the folder."""


def build(
    printer: Printer, folders: tuple[Path, ...], kind: FolderKind, game: Exhibit, kept: Kept | None
) -> Built:
    """The game's pages, pictures and documents; pictures are drawn for what is new only."""
    measured = measures(printer, game)
    made = _version(folders, game.templates)
    drawn = tuple(shots(printer, game, made, measured.instead, kept))
    stops = tuple(one.stop for one in drawn)
    files = {file: content for one in drawn for file, content in one.files.items()}
    files |= {stop.report: scene.paper for stop, scene in zip(stops, game.scenes, strict=True)}
    rules, charts = kind.rulebook, measured.charts
    files["index.html"] = game_page(printer, game, stops, charts, rules).encode()
    for seat in game.seats:
        files[f"seats/{seat}.html"] = seat_page(printer, game, seat, charts, rules).encode()
    digests = {file: digest(content) for file, content in files.items()}
    for one in drawn:
        digests |= one.kept
    sheet = Sheet(
        id=game.id,
        kind=game.kind,
        title=game.title,
        status=game.status,
        created=game.created,
        seats=game.seats,
        players={seat: tuple(one.name for one in held) for seat, held in game.holders.items()},
        shown=game.shown,
        winners=tuple(game.over["winners"]) if game.over else None,
        said=said(game),
        late=len(game.press),
        links=game.links,
        version=made,
        steps=stops,
        files=digests,
    )
    return Built(
        folder=f"{game.kind}/{game.id}",
        sheet=sheet,
        files={**files, NAME: encode(sheet)},
        rules=_rules(printer, kind),
    )


def _version(folders: tuple[Path, ...], templates: str) -> str:
    """Of what pictures are drawn with."""
    lines = Path(drawing.__file__).read_bytes()
    return digest(f"{version(folders, templates)} {digest(lines)}".encode())[:16]


def _rules(printer: Printer, kind: FolderKind) -> bytes:
    book = book_of(kind.rules_text, kind.kind)
    facts = {"title": kind.title, "book": book.html, "chapters": book.chapters}
    return printer.page("rules.html", facts, "site").encode()
