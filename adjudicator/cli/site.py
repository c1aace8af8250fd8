"""Write games as pages to browse: site."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import click
from msgspec import Struct

from adjudicator.adapters.archive.folder import load_archive
from adjudicator.adapters.archive.places import Files
from adjudicator.adapters.archive.rebuild import rebuild_archive
from adjudicator.adapters.archive.reports import check_report_shapes
from adjudicator.adapters.archive.stored_game import Dossier, collect_dossier
from adjudicator.adapters.archive.verify import verify_archive
from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.site.build import build_game, digest_version
from adjudicator.adapters.site.exhibit import make_exhibit
from adjudicator.adapters.site.write import (
    check_site_folder,
    digest_facts,
    is_current,
    list_private_games,
    write_front,
    write_game,
)
from adjudicator.cli.terminal.arguments import (
    complete_games,
    complete_seats,
    find_game,
    find_seat,
    is_archive,
)
from adjudicator.cli.terminal.options import Setting, command
from adjudicator.cli.terminal.output import (
    find_own_command,
    print_data,
    print_document,
    print_note,
    show_progress,
)
from adjudicator.cli.wiring import Office, find_readable_settings
from adjudicator.core.events import format_count
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.ports import Books
from adjudicator.desk.model.settings import read_settings
from adjudicator.desk.model.values import Game, Status


@command(
    "adjudicator site ember --out pages",
    "adjudicator site --all --out pages",
    "adjudicator site ember --seat red --out red-only",
    "adjudicator site games/jump_wars/ember --out pages",
)
@click.argument("games", nargs=-1, metavar="[GAME|FOLDER]...", shell_complete=complete_games)
@click.option("--all", "every", is_flag=True, help="Every game of the home.")
@click.option("--out", required=True, metavar="DIR", help="The folder of the site.")
@click.option("--public", is_flag=True, help="Show running games as everybody may know them.")
@click.option(
    "--seat",
    shell_complete=complete_seats,
    help="Show a running game as this seat may know it, for its player alone.",
)
def site_command(
    setting: Setting,
    games: tuple[str, ...],
    every: bool,
    out: str,
    public: bool,
    seat: str | None,
    as_json: bool,
) -> None:
    """Write games as pages: the position turn by turn, orders, charts, press.

    Plain files for any browser, no server needed; they load nothing from
    elsewhere. A finished game is written whole. Of a running one only what
    everybody may know is written, with --seat also what that seat knows.
    A FOLDER is an archive. Pages that are already in DIR are updated.
    """
    _check(games, out, every=every, public=public, seat=seat)
    office, folder = setting.office, Path(out)
    url = _find_url(office, folder)
    sources = list(_find_games(office, games, every=every))
    files_written: list[str] = []
    names: set[tuple[str, str]] = set()
    with show_progress("Writing pages", len(sources)) as report_progress:
        for number, read in enumerate(sources):
            source = read()
            game = source.game
            if (game.kind, game.id) in names:  # one would overwrite the pages of the other
                raise Refused(
                    f"two of these games are called {game.id}; write each into a folder of its own"
                )
            names.add((game.kind, game.id))
            report_progress(number, game.id)
            if seat is None and _stands(office, source, folder, url):
                continue
            dossier = source.collect()
            who = _choose_reader(dossier, public=public, seat=seat)
            if who:
                check_site_folder(folder, private=True)
                _note_look(office, dossier, who)
            facts = "" if who else source.facts
            files_written += update_game(office, dossier, folder, seat=who, url=url, facts=facts)
    files_written += write_front(folder, office.printer, url)
    # the writer of a public site is warned of private pages beside it
    for name, seats in () if seat else list_private_games(folder):
        print_note(f"Note: {out} also shows what {' and '.join(seats)} alone may know of {name}.")
    if as_json:
        print_document({"index": str(folder / "index.html"), "changed": files_written})
        return
    print_data(str(folder / "index.html"))
    files = format_count(len(files_written), "file")
    print_note(f"{files} written or removed. Open it in a browser.")


class _Source(Struct, frozen=True):
    """A game that is to be shown; all of it is read only where its pages do not stand."""

    game: Game
    facts: str
    """The digest of what its pages hang on; empty for an archive, which is verified each time."""
    collect: Callable[[], Dossier]


def _find_url(office: Office, out: Path) -> str:
    """Find where this folder is on the web, if the daemon writes it and its settings say so."""
    settings = find_readable_settings(office)
    if settings is None or not settings.site or Path(settings.site) != out.absolute():
        return ""
    return settings.site_url.rstrip("/")


def _stands(office: Office, source: _Source, out: Path, url: str) -> bool:
    """Whether the pages of a game are there, and nothing on them has changed."""
    game = source.game
    if not source.facts:
        return False
    version = digest_version(tuple(office.library.templates()), office.library.kind(game.kind), url)
    return is_current(out, f"{game.kind}/{game.id}", source.facts, version)


def _check(games: Sequence[str], out: str, *, every: bool, public: bool, seat: str | None) -> None:
    if not out:
        raise click.UsageError("--out needs the name of a folder")
    if bool(games) == every:
        raise click.UsageError("name the games, or use --all")
    if public and seat:
        raise click.UsageError("use --public or --seat, not both")
    if seat and len(games) != 1:
        raise click.UsageError("--seat is for one game")


def _find_games(
    office: Office, games: Sequence[str], *, every: bool
) -> Iterator[Callable[[], _Source]]:
    """Find the games, to be read one at a time: all of them might not fit into memory."""
    if every:
        games = _list_games(office)
    for name in dict.fromkeys(games):
        if not every and is_archive(name):
            yield partial(_read_folder, office, name)
        else:
            with office.reading() as books:
                yield partial(_read_books, office, find_game(books, name).id)


def _list_games(office: Office) -> list[str]:
    """All games that everybody may know of; the GM reads which are left out."""
    with office.reading() as books:
        games = books.games()
        names = [game.id for game in games if may_be_listed(books, game)]
    if not games:
        raise Refused("there are no games yet; make one: adjudicator new")
    for game in games:
        if game.id not in names:
            print_note(f"{game.id} is for people the GM invited: left out until it begins.")
    if not names:
        raise Refused("no game can be shown to everybody yet; name those that are to be shown")
    return names


def may_be_listed(books: Books, game: Game) -> bool:
    """Whether everybody may know of a game; of one for the invited only once it has begun."""
    return not read_settings(game.settings).invited or books.last_link(game.id) is not None


def _read_books(office: Office, name: str) -> _Source:
    with office.reading() as books:
        game = books.game(name)
        facts = digest_facts(books, game)

    def collect() -> Dossier:
        with office.reading() as books:
            return collect_dossier(books, name)

    return _Source(game, facts, collect)


def _read_folder(office: Office, folder: str) -> _Source:
    dossier = read_shown_archive(office.library, load_archive(Path(folder)), folder)
    return _Source(dossier.record.game, "", lambda: dossier)


def read_shown_archive(library: FolderLibrary, files: Files, folder: str) -> Dossier:
    """Read an archive to show; raises Refused if it was changed after it was recorded."""
    for fault in verify_archive(files, library, name=Path(folder).name).faults:
        raise Refused(
            f"{folder} is not as it was recorded: {fault.file}: {fault.message} "
            f"(`{find_own_command('verify', folder)}` lists all)"
        )
    dossier = rebuild_archive(files, library).dossier
    check_report_shapes(dossier.record, library)
    return dossier


def _choose_reader(dossier: Dossier, *, public: bool, seat: str | None) -> str | None:
    """Choose the seat whose view of a running game is shown, and print what is shown."""
    game = dossier.record.game
    if game.status is Status.OVER:
        if not dossier.record.is_revealed:
            print_note(f"{game.id} was withdrawn, so nothing of it is shown.")
        elif seat or public:
            print_note(f"{game.id} is over, so everything is shown.")
        return None
    if seat:
        return find_seat(game, seat)
    if not public:
        print_note(f"{game.id} is not over: only what everybody may know is written.")
    return None


def _note_look(office: Office, dossier: Dossier, who: str) -> None:
    """Note that the GM looked, before showing anything, if the game is in this home."""
    game, links = dossier.record.game.id, dossier.record.links
    if office.empty or not links:
        return
    with office.reading() as books:
        is_ours = any(one.id == game for one in books.games()) and links[0] in books.links(game)
    if is_ours:
        office.record_look(game, f"the site of {who}")


def update_site(
    office: Office, dossier: Dossier, out: Path, *, url: str = "", facts: str = ""
) -> tuple[str, ...]:
    """Update a game's public pages and what lies above them; returns the names of changed files."""
    files = update_game(office, dossier, out, url=url, facts=facts)
    return (*files, *write_front(out, office.printer, url))


def update_game(
    office: Office,
    dossier: Dossier,
    out: Path,
    *,
    seat: str | None = None,
    url: str = "",
    facts: str = "",
) -> tuple[str, ...]:
    """Update a game's pages alone."""
    game = dossier.record.game
    kind = office.library.kind(game.kind)
    exhibit = make_exhibit(dossier, kind, kind.game, seat=seat)
    folders = tuple(office.library.templates())
    return write_game(
        out,
        f"{game.kind}/{game.id}",
        lambda old_pages: build_game(office.printer, folders, kind, exhibit, old_pages, url, facts),
    )
