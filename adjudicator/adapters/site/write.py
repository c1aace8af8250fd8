"""Writing a site: only what changed, each file whole; files that belong to no game are removed."""

import os
from collections.abc import Callable, Collection, Iterator
from functools import partial
from pathlib import Path

import msgspec
from msgspec import structs

from adjudicator.adapters.files import (
    is_inside,
    lock_folder,
    remove_file,
    replace_file,
    sweep_folder,
)
from adjudicator.adapters.render.printer import Printer
from adjudicator.adapters.rights import PUBLISHED_FILE_MODE, SITE_MARK, set_rights
from adjudicator.adapters.site.build import BuiltGame, KeptSite
from adjudicator.adapters.site.front import LISTS, render_front
from adjudicator.adapters.site.sheet import SHEET_FILE, SITE_VERSION, GameSheet
from adjudicator.core.document import digest, encode
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.ports import Books
from adjudicator.desk.model.settings import settings_of
from adjudicator.desk.model.values import Game, Status
from adjudicator.desk.questions.ratings import list_unrated

_RULES = "rules.html"
_INDEX = "index.html"
BuildGame = Callable[[KeptSite | None], BuiltGame]


def write_game(out: Path, folder: str, build: BuildGame) -> tuple[str, ...]:
    """Write the current pages of this game; returns which of its files changed.

    Files are written before those that link to them: pictures, then pages; the front comes last. An
    interrupted write leaves an old page; writing again repairs that. Writers wait for each other.
    """
    check_site_folder(out)
    with lock_folder(out, published=True):
        old_site = _find_kept(out / folder)
        site = build(old_site)
        check_site_folder(out, private=site.sheet.private)
        files = [f"{folder}/{path}" for path in _write_folder(out / folder, site, old_site)]
        files += _write_rules(out, folder, site)
        _set_rights(out, folder, site.sheet)
        return tuple(files)


def write_front(out: Path, printer: Printer, url: str = "") -> tuple[str, ...]:
    """Write what lies at the top of the site, for the games that are there."""
    with lock_folder(out, published=True):
        sweep_folder(out)
        sheets = list(_list_sheets(out))
        published = not any(sheet.private for sheet in sheets)
        top = render_front(printer, sheets, url)
        write = partial(replace_file, published=published)
        files = [name for name in sorted(top, reverse=True) if write(out / name, top[name])]
        for name in sorted(_find_left_over(out, top)):
            remove_file(out, name)
            files.append(name)
        set_rights(out, top, published=published)
        return tuple(files)


def _find_left_over(out: Path, top: Collection[str]) -> Iterator[str]:
    """Find pages of ours in lists that have become shorter."""
    for folder in LISTS:
        for path in (out / folder).glob("*.html"):
            name = f"{folder}/{path.name}"
            if name not in top and SITE_MARK in path.read_bytes():
                yield name


def _set_rights(out: Path, folder: str, sheet: GameSheet) -> None:
    """Set the rights of files, since public and private games may share the folder of a kind."""
    kind, _, name = folder.partition("/")
    top, inside = (out / kind, name) if sheet.private else (out, folder)
    files = [f"{inside}/{path}" for path in (*sheet.files, SHEET_FILE)]
    set_rights(top, files, published=not sheet.private)


def _write_folder(place: Path, site: BuiltGame, old_site: KeptSite | None) -> Iterator[str]:
    """Write the folder after a list of what it may hold, so that no file is overlooked there."""
    sweep_folder(place, deep=True)
    write = partial(replace_file, published=not site.sheet.private)
    if not _has_content(place / SHEET_FILE, site.files[SHEET_FILE]):
        write(place / SHEET_FILE, encode(_make_interim_sheet(site.sheet, old_site)))
    for path in sorted(site.files, key=lambda name: (name == _INDEX, name)):
        if path != SHEET_FILE and write(place / path, site.files[path]):
            yield path
    for path in sorted(_list_files(old_site) - {SHEET_FILE, *site.sheet.files}):
        remove_file(place, path)
        yield path
    if write(place / SHEET_FILE, site.files[SHEET_FILE]):
        yield SHEET_FILE
    os.utime(place / SHEET_FILE)  # no file of the folder is younger: see is_current


def _make_interim_sheet(sheet: GameSheet, old_site: KeptSite | None) -> GameSheet:
    """List all files that the folder may hold if we are killed midway, and for whom."""
    before = old_site.sheet if old_site else None
    return structs.replace(
        sheet,
        shown=tuple(dict.fromkeys((*sheet.shown, *(before.shown if before else ())))),
        facts="",
        made={},
        steps=(),
        files={**(before.files if before else {}), **sheet.files},
    )


def _has_content(path: Path, content: bytes) -> bool:
    try:
        return path.read_bytes() == content
    except OSError:
        return False


def _write_rules(out: Path, folder: str, site: BuiltGame) -> Iterator[str]:
    """Write the rules of the kind."""
    beside = f"{Path(folder).parent}/{_RULES}"
    sweep_folder((out / beside).parent)
    if replace_file(out / beside, site.rules, published=not site.sheet.private):
        yield beside


def check_site_folder(out: Path, *, private: bool = False) -> None:
    """Refuse to overwrite a page of another program, or to mix private and public sites."""
    index = out / _INDEX
    if index.is_file() and SITE_MARK not in index.read_bytes():
        raise Refused(
            f"{index} exists and is not part of such a site; name another folder with --out"
        )
    for one in _list_sheets(out) if private else ():
        if not one.private and one.status != Status.OVER:
            raise Refused(
                f"{out} holds the pages of {one.id} for everybody; what one "
                "seat alone may know needs another folder: name it with --out"
            )


def list_private_games(out: Path) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """List the games of which the site holds private knowledge, with the seats it belongs to."""
    return tuple((one.id, one.shown) for one in _list_sheets(out) if one.private)


def digest_facts(books: Books, game: Game) -> str:
    """Digest what the public pages of a game hang on; only public facts, since it is published.

    While nobody's orders have been told, not even the last link of the chain is in them.
    """
    link = books.last_link(game.id)
    settings = settings_of(game.settings)
    facts: list[object] = [game.status, game.created, game.seats, settings.zone]
    if link:
        has_names = game.status is Status.OVER or not settings.anonymous
        unrated = list_unrated(books.people(game.id)) if game.status is Status.OVER else ()
        facts += [link.digest, sum(not one.to for one in books.press(game.id))]
        for one in books.seatings(game.id):
            who = one.player if has_names else None
            facts.append([one.seat, one.number, one.kind, one.since, who, who in unrated])
    return digest(encode(facts))


def is_current(out: Path, folder: str, facts: str, version: str) -> bool:
    """Whether the public pages of a game hold these facts, and nobody touched them since."""
    place = out / folder
    sheet = _read_sheet(place / SHEET_FILE)
    if sheet is None or sheet.private or (sheet.facts, sheet.version) != (facts, version):
        return False
    try:
        time_ns = (place / SHEET_FILE).stat().st_mtime_ns
        files = (Path(place, file).stat() for file in sheet.files)
        untouched = all(
            one.st_mtime_ns <= time_ns and one.st_mode & 0o777 == PUBLISHED_FILE_MODE
            for one in files
        )
    except OSError:
        return False
    return untouched and (place.parent / _RULES).is_file()


def _find_kept(place: Path) -> KeptSite | None:
    sheet = _read_sheet(place / SHEET_FILE)
    if sheet is None:
        return None

    def read(path: str) -> bytes | None:
        try:
            return (place / path).read_bytes() if is_inside(path) else None
        except OSError:
            return None

    return KeptSite(sheet, read)


def _list_files(old_site: KeptSite | None) -> set[str]:
    return {path for path in old_site.sheet.files if is_inside(path)} if old_site else set()


def has_games(out: Path) -> bool:
    """Whether pages of a game lie there."""
    return any(True for _ in _list_sheets(out))


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
    is_own = sheet.site == SITE_VERSION and path.parent.parts[-2:] == (sheet.kind, sheet.id)
    return sheet if is_own and sheet.status in list(Status) else None
