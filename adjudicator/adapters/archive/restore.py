"""Importing a game from an archive: the database is built up again."""

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import TypeVar

from msgspec import to_builtins

from adjudicator.adapters.archive.read import Archive
from adjudicator.desk.model.errors import Refused, Unknown
from adjudicator.desk.model.history import write_note
from adjudicator.desk.model.ports import Books
from adjudicator.desk.model.values import OutgoingLetter, Player
from adjudicator.desk.steps.record import IMPORT_ACT

T = TypeVar("T")


def restore_game(books: Books, archive: Archive) -> tuple[str, ...]:
    """Write the archived game into the books; returns what the GM must do now."""
    dossier = archive.dossier
    record = dossier.record
    game = record.game
    _refuse(books, archive)
    books.add_game(game)
    strangers = _players(books, archive)
    for link in record.links:
        books.save_link(game.id, link)
    _save(books.save_seating, dossier.seatings)
    _save(books.save_step, record.steps)
    _save(books.save_orders, record.orders)
    _save(books.save_paper, record.papers)
    _save(books.save_note, dossier.notes)
    _save(books.save_press, dossier.press)
    _save(books.save_absence, dossier.absences)
    _save(books.save_observer, dossier.observers)
    _save(books.save_signup, dossier.signups)
    _save(books.save_letter, _letters(archive))
    if not strangers:
        return ()
    return (f"the archive contains no address of {', '.join(strangers)}",)


def note_import(books: Books, archive: Archive, *, at: datetime) -> None:
    """Write down that the game was imported, with what no note of its history tells."""
    record = archive.dossier.record
    text = "imported from its record" if archive.is_record else "imported from its archive"
    told = archive.dossier.notes
    data = {
        "since": 0 if told else record.since,
        "starts": [] if told else [to_builtins(start) for start in record.starts],
        "retold": record.retold,
    }
    write_note(books, record.game.id, IMPORT_ACT, text, at=at, data=data)


def _save(save: Callable[[T], None], values: Iterable[T]) -> None:
    for value in values:
        save(value)


def _players(books: Books, archive: Archive) -> list[str]:
    """Save everybody who holds or held a seat; returns the names that come without addresses."""
    dossier = archive.dossier
    known = {player.name for player in books.players()}
    for player in dossier.players:
        if player.name not in known:
            books.save_player(player)
    known |= {player.name for player in dossier.players}
    seated = {seating.player for seating in dossier.seatings if seating.player}
    strangers = sorted(seated - known)
    for name in strangers:
        books.save_player(Player(name=name))
    return strangers


def _letters(archive: Archive) -> Iterator[OutgoingLetter]:
    """The last letters that went out, as far as their numbers: counting goes on from them."""
    record = archive.dossier.record
    step = record.steps[-1].number if record.steps else 0
    for seat, numbers in archive.dossier.letters.items():
        for kind, number in numbers.items():
            yield OutgoingLetter(
                game=record.game.id,
                step=step,
                seat=seat,
                kind=kind,
                number=number,
                document=b"{}",
                template="archive/1",
                message_id=f"<{record.game.id}.{seat}.{kind}.{number}@archive.invalid>",
                made=record.game.created,
                status="withdrawn",
            )


def _refuse(books: Books, archive: Archive) -> None:
    game = archive.dossier.record.game.id
    if not archive.is_playable:
        raise Refused(
            f"{game}: a running game is imported from its full archive with private.yaml in it; "
            "this one contains no seed"
        )
    try:
        books.game(game)
    except Unknown:
        return
    raise Refused(f"{game}: there is a game of this name already; import into another --home")
