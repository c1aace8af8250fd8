"""Writing a site: only what changed, each file whole; files that belong to no game are removed."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import msgspec
from msgspec import structs

from adjudicator.adapters.archive.public import publish_press
from adjudicator.adapters.files import (
    is_inside,
    lock_folder,
    remove_file,
    replace_file,
    sweep_folder,
)
from adjudicator.adapters.render.printer import Printer
from adjudicator.adapters.rights import SITE_MARK, set_rights
from adjudicator.adapters.site import press
from adjudicator.adapters.site.build import BuiltGame, KeptSite, render_front
from adjudicator.adapters.site.sheet import SHEET_FILE, SITE_VERSION, GameSheet
from adjudicator.core.document import digest, encode
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.ports import Books
from adjudicator.desk.model.values import Game, Status

_RULES = "rules.html"
_UNKNOWN = -1
_INDEX = "index.html"
BuildGame = Callable[[KeptSite | None], BuiltGame]


def write_site(out: Path, printer: Printer, folder: str, build: BuildGame) -> tuple[str, ...]:
    """Write the current pages of this game to the site; returns which of its files changed.

    Files are written before those that link to them: pictures, then pages, then the index. An
    interrupted write leaves an old page; writing again repairs that. Writers wait for each other.
    """
    check_site_folder(out)
    with lock_folder(out, published=True):
        kept = _find_kept(out / folder)
        built = build(kept)
        check_site_folder(out, private=built.sheet.private)
        changed = [f"{folder}/{path}" for path in _write_game(out / folder, built, kept)]
        changed += _write_around(out, printer, folder, built)
        _set_rights(out, folder, built.sheet)
        return tuple(changed)


def _set_rights(out: Path, folder: str, sheet: GameSheet) -> None:
    """Set the rights of files, since public and private games may share the folder of a kind."""
    kind, _, name = folder.partition("/")
    top, inside = (out / kind, name) if sheet.private else (out, folder)
    files = [f"{inside}/{path}" for path in (*sheet.files, SHEET_FILE)]
    set_rights(top, files, published=not sheet.private)


def _write_game(place: Path, built: BuiltGame, kept: KeptSite | None) -> Iterator[str]:
    """Write the folder after a list of what it may hold, so that no file is overlooked there."""
    sweep_folder(place, deep=True)
    write = partial(replace_file, published=not built.sheet.private)
    if not _has_content(place / SHEET_FILE, built.files[SHEET_FILE]):
        write(place / SHEET_FILE, encode(_make_interim_sheet(built.sheet, kept)))
    for path in sorted(built.files, key=lambda name: (name == _INDEX, name)):
        if path != SHEET_FILE and write(place / path, built.files[path]):
            yield path
    for path in sorted(_list_files(kept) - {SHEET_FILE, *built.sheet.files}):
        remove_file(place, path)
        yield path
    if write(place / SHEET_FILE, built.files[SHEET_FILE]):
        yield SHEET_FILE


def _make_interim_sheet(sheet: GameSheet, kept: KeptSite | None) -> GameSheet:
    """List all files that the folder may hold if we are killed midway, and for whom."""
    before = kept.sheet if kept else None
    return structs.replace(
        sheet,
        shown=tuple(dict.fromkeys((*sheet.shown, *(before.shown if before else ())))),
        late=_UNKNOWN,
        steps=(),
        files={**(before.files if before else {}), **sheet.files},
    )


def _has_content(path: Path, content: bytes) -> bool:
    try:
        return path.read_bytes() == content
    except OSError:
        return False


def _write_around(out: Path, printer: Printer, folder: str, built: BuiltGame) -> Iterator[str]:
    """Write the first page and the rules of the kind."""
    beside = f"{Path(folder).parent}/{_RULES}"
    sweep_folder(out)
    sweep_folder((out / beside).parent)
    sheets = list(_list_sheets(out))
    published = not any(sheet.private for sheet in sheets)
    write = partial(replace_file, published=published)
    if write(out / beside, built.rules):
        yield beside
    top = render_front(printer, sheets)
    yield from (name for name in sorted(top, reverse=True) if write(out / name, top[name]))
    set_rights(out, top, published=published)


def check_site_folder(out: Path, *, private: bool = False) -> None:
    """Refuse to overwrite a page of another program, or to mix private and public sites."""
    index = out / _INDEX
    if index.is_file() and SITE_MARK not in index.read_bytes():
        raise Refused(
            f"{index} exists and is not part of such a site; name another folder with --out"
        )
    told = [one.id for one in _list_sheets(out) if not one.private and one.status != Status.OVER]
    if private and told:
        raise Refused(
            f"{out} holds the pages of {told[0]} for everybody; what one "
            "seat alone may know needs another folder: name it with --out"
        )


def list_private_games(out: Path) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """List the games of which the site holds private knowledge, with the seats it belongs to."""
    return tuple((one.id, one.shown) for one in _list_sheets(out) if one.private)


def is_behind(out: Path, books: Books, game: Game) -> bool:
    """Whether the game's pages on a public site are missing or out of date."""
    sheet = _read_sheet(out / game.kind / game.id / SHEET_FILE)
    if sheet is None or sheet.private:
        return True
    link = books.last_link(game.id)
    steps = books.steps(game.id)
    late = press.find_press_since(publish_press(books.press(game.id), steps), steps)
    now = (game.status, link.number if link else 0, len(late))
    return (sheet.status, sheet.links, sheet.late) != now


def _find_kept(place: Path) -> KeptSite | None:
    sheet = _read_sheet(place / SHEET_FILE)
    if sheet is None:
        return None

    def stands(path: str, wanted: str) -> bool:
        try:
            return is_inside(path) and digest((place / path).read_bytes()) == wanted
        except OSError:
            return False

    return KeptSite(sheet, stands)


def _list_files(kept: KeptSite | None) -> set[str]:
    return {path for path in kept.sheet.files if is_inside(path)} if kept else set()


def _list_sheets(out: Path) -> Iterator[GameSheet]:
    for path in sorted(out.glob(f"*/*/{SHEET_FILE}")):
        sheet = _read_sheet(path)
        if sheet is not None:
            yield sheet


def _read_sheet(path: Path) -> GameSheet | None:
    """Read a game.json of ours; None if there is no readable one."""
    try:
        sheet = msgspec.json.decode(path.read_bytes(), type=GameSheet)
    except (OSError, msgspec.DecodeError):
        return None
    mine = sheet.site == SITE_VERSION and path.parent.parts[-2:] == (sheet.kind, sheet.id)
    return sheet if mine and sheet.status in list(Status) else None
