"""Take a game with all its papers out of the store, and put it back."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from adjudicator.core.document import Document, Seat
from adjudicator.desk.model.errors import Refused, Unknown
from adjudicator.desk.model.history import find_public_data, write_note
from adjudicator.desk.model.people import GM, NOBODY, PUBLIC
from adjudicator.desk.model.ports import Books, Saved
from adjudicator.desk.model.values import (
    Absence,
    Game,
    HistoryNote,
    Observer,
    OrderSet,
    OutgoingLetter,
    PlanAhead,
    Player,
    Press,
    Seating,
    Signup,
)
from adjudicator.desk.outbox.queue import ANSWER, NOTICE, PRESS, RECEIPT, REMINDER, REPORT
from adjudicator.desk.questions.ratings import list_unrated
from adjudicator.desk.steps.record import IMPORT_ACT, Record, read_record

ReportFacts = Mapping[str, Mapping[str, Document]]
"""By step and reader, what of a report's facts the rest of the record does not tell."""


class Dossier(Struct, frozen=True, kw_only=True):
    """The facts about a game that an archive holds."""

    record: Record
    """With the orders that were executed, and those on file in the open step."""
    seatings: tuple[Seating, ...]
    players: tuple[Player, ...] = ()
    """Those who hold or held a seat; none in a public archive."""
    unrated: tuple[str, ...] = ()
    """The names of those who want to stay out of tables."""
    notes: tuple[HistoryNote, ...] = ()
    press: tuple[Press, ...] = ()
    plans: tuple[PlanAhead, ...] = ()
    absences: tuple[Absence, ...] = ()
    observers: tuple[Observer, ...] = ()
    signups: tuple[Signup, ...] = ()
    letters: Mapping[Seat, Mapping[str, int]] = {}
    """The number of the last letter of each kind to each reader, so that counting goes on and no
    Message-ID comes twice; the letters are not kept."""
    seed_digest: str = ""
    """Of the seed where that is not told."""
    withheld: frozenset[tuple[str, Seat]] = frozenset()
    """The reports, by step and seat, that cannot be checked without private press left out here."""


class Archive(Struct, frozen=True, kw_only=True):
    """A game as read from its archive."""

    dossier: Dossier
    """Without seed where `opened` is false, without orders and states where `whole` is; of a
    record without states, events and reports: they are computed again (rebuild.py)."""
    is_record: bool
    whole: bool
    """Whether it holds everything needed for a replay, apart from the seed."""
    opened: bool
    """Whether the seed is there."""
    rendered: str
    """The digest of what made its texts."""
    facts: ReportFacts = {}
    """Of a record: what else its reports tell."""

    @property
    def is_playable(self) -> bool:
        """Whether the game can be played again."""
        return self.whole and self.opened


KEPT_LETTERS = (ANSWER, NOTICE, PRESS, RECEIPT, REMINDER)
"""Of these; a seat's reports are counted by themselves."""


def collect_dossier(books: Books, game: str) -> Dossier:
    """Collect everything about a game that is worth keeping from the store."""
    record = read_record(books, game)
    seatings = tuple(books.seatings(game))
    players = tuple(books.people(game))
    return Dossier(
        record=replace(record, orders=(*record.orders, *_list_waiting(books, record.game))),
        seatings=seatings,
        players=players,
        unrated=tuple(sorted(list_unrated(players))),
        notes=tuple(replace(note, data=find_public_data(note)) for note in books.notes(game)),
        press=tuple(books.press(game)),
        plans=tuple(books.plans(game)),
        absences=tuple(books.absences(game)),
        observers=tuple(books.observers(game)),
        signups=tuple(books.signups(game)),
        letters=_last_letters(books, record.game),
    )


def _last_letters(books: Books, game: Game) -> dict[Seat, dict[str, int]]:
    kinds = {
        **dict.fromkeys((*game.seats, GM, NOBODY), KEPT_LETTERS),
        PUBLIC: (*KEPT_LETTERS, REPORT),
    }
    return {reader: _find_last(books, game.id, reader, kinds[reader]) for reader in kinds}


def _find_last(books: Books, game: str, reader: Seat, kinds: Sequence[str]) -> dict[str, int]:
    numbers = {kind: books.last_letter(game, reader, kind) for kind in kinds}
    return {kind: number for kind, number in numbers.items() if number}


def _list_waiting(books: Books, game: Game) -> tuple[OrderSet, ...]:
    """List the orders on file in the open step: the last set of each seat."""
    if game.open_step is None:
        return ()
    last = {orders.seat: orders for orders in books.orders(game.id, game.open_step)}
    return tuple(last.values())


# ---- back into the store


def restore_game(books: Books, archive: Archive) -> tuple[str, ...]:
    """Write the archived game to the store; returns what the GM must do next."""
    dossier = archive.dossier
    record = dossier.record
    game = record.game
    _refuse(books, archive)
    books.add_game(game)
    strangers = _save_players(books, archive)
    for link in record.links:
        books.save_link(game.id, link)
    values: tuple[Saved, ...] = (
        *dossier.seatings,
        *record.steps,
        *record.orders,
        *record.papers,
        *dossier.notes,
        *dossier.press,
        *dossier.plans,
        *dossier.absences,
        *dossier.observers,
        *dossier.signups,
        *_list_letters(archive),
    )
    for value in values:
        books.save(value)
    if not strangers:
        return ()
    return (f"the archive contains no address of {', '.join(strangers)}",)


def note_import(books: Books, archive: Archive, *, at: datetime) -> None:
    """Record that the game was imported, with the facts that its history lacks."""
    record = archive.dossier.record
    text = "imported from its record" if archive.is_record else "imported from its archive"
    notes = archive.dossier.notes
    data = {
        "since": 0 if notes else record.since,
        "starts": [] if notes else [to_builtins(start) for start in record.starts],
        "retold": record.retold,
    }
    write_note(books, record.game.id, IMPORT_ACT, text, at=at, data=data)


def _save_players(books: Books, archive: Archive) -> list[str]:
    """Save everybody who holds or held a seat; returns the names without addresses."""
    dossier = archive.dossier
    names = {player.name for player in books.players()}
    for player in dossier.players:
        if player.name not in names:
            books.save(player)
    names |= {player.name for player in dossier.players}
    seated = {seating.player for seating in dossier.seatings if seating.player}
    strangers = sorted(seated - names)
    for name in strangers:
        books.save(Player(name=name))
    return strangers


def _list_letters(archive: Archive) -> Iterator[OutgoingLetter]:
    """List the last letters sent, with their numbers only, so that counting continues from them."""
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
    raise Refused(f"{game}: there is already a game of this name; import into another --home")
