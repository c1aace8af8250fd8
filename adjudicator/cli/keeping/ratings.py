"""The table of players: how everybody has done in the games that are over."""

from collections.abc import Container, Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path

import click

from adjudicator.adapters.archive.stored_game import Dossier
from adjudicator.cli.terminal.arguments import complete_kinds, find_kind
from adjudicator.cli.terminal.options import Setting, command
from adjudicator.cli.terminal.output import (
    format_table,
    print_data,
    print_document,
    print_note,
)
from adjudicator.cli.wiring import Office
from adjudicator.core.document import Document
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.values import Seating
from adjudicator.desk.questions.ratings import (
    RATING_COLUMNS,
    Ended,
    format_rating,
    list_ratings,
    list_unrated,
    read_ended,
)
from adjudicator.desk.steps.record import Record, read_record

_Played = tuple[Record, Sequence[Seating]]


@command(
    "adjudicator ratings",
    "adjudicator ratings --kind jump-wars --archives old-games",
)
@click.option("--kind", shell_complete=complete_kinds, help="Only games of this kind.")
@click.option(
    "--archives",
    metavar="DIR",
    type=click.Path(file_okay=False),
    help="Also the games in this folder, an archive in each folder below it.",
)
def ratings_command(
    setting: Setting, kind: str | None, archives: str | None, as_json: bool
) -> None:
    """Show how everybody has done in finished games, with a rating.

    `share` is the average share of the victory, `missed` counts steps without
    orders, and `reaction` is the median time from the opening of a step to the
    orders. Players who prefer `ratings: no` are left out.
    """
    office = setting.office
    only_kind = find_kind(office.library, kind).kind if kind else None
    unrated: frozenset[str] = frozenset()
    games_played: list[_Played] = []
    if not office.empty:
        with office.reading() as books:
            unrated = list_unrated(books.players())
            games = books.games()
            games_played += [(read_record(books, one.id), books.seatings(one.id)) for one in games]
    for dossier in _read_archives(office, Path(archives)) if archives else ():
        unrated |= set(dossier.unrated)
        games_played.append((dossier.record, dossier.seatings))
    rows = list_ratings(_list_ended(office, games_played, unrated, only_kind))
    if as_json:
        print_document(rows)
    elif rows:
        print_data(_format_ratings(rows))
    else:
        print_note("No game is over yet.")


def _read_archives(office: Office, folder: Path) -> Iterator[Dossier]:
    """Read the games of archives, which are checked by playing them again where need be."""
    from adjudicator.adapters.archive.folder import load_archive
    from adjudicator.adapters.archive.rebuild import rebuild_archive

    if not folder.is_dir():
        raise Refused(f"{folder} is no folder; name the one whose folders are archives")
    for place in sorted(one for one in folder.iterdir() if one.is_dir()):
        archive = rebuild_archive(load_archive(place), office.library)
        if archive.is_playable:
            yield archive.dossier


def _list_ended(
    office: Office, games: Iterable[_Played], unrated: Container[str], only_kind: str | None
) -> list[Ended]:
    """List the games that are over, each once, also where there is an archive of it."""
    endings: dict[tuple[str, datetime], Ended] = {}
    for record, seatings in games:
        game = record.game
        kind = office.library.kind(game.kind, game.components)
        ending = (
            read_ended(record, seatings, kind, unrated) if only_kind in (None, game.kind) else None
        )
        if ending is not None:
            endings.setdefault((game.id, game.created), ending)
    return list(endings.values())


def _format_ratings(rows: Sequence[Document]) -> str:
    return format_table(RATING_COLUMNS, [format_rating(row) for row in rows])
