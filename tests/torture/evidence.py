"""What is left when all is over: books, mailboxes and the players' Sent folders."""

import email
import email.policy
import hashlib
import sqlite3
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from contextlib import closing
from pathlib import Path

from msgspec import Struct

from adjudicator.adapters.archive.folder import load_archive
from adjudicator.adapters.archive.verify import verify_archive, verify_record
from adjudicator.adapters.mail.maildir import recipient_folder
from adjudicator.adapters.store.upkeep.damage import find_damage
from adjudicator.cli.demo.mail_programs import list_inbox
from adjudicator.cli.wiring import Office
from adjudicator.desk.model.ports import Books
from adjudicator.desk.model.values import OutgoingLetter
from adjudicator.desk.outbox.tokens import sign_message_id
from adjudicator.desk.steps.record import read_record

_TRACES = ("Return-Path", "Delivered-To", "Received", "X-Peer")
"""What is written on a letter on its way, and is no part of it."""


class Arrived(Struct, frozen=True):
    """A letter in, as the books have it."""

    message_id: str
    digest: str
    answer: str | None


class Queued(Struct, frozen=True):
    """A letter out, as the books have it."""

    name: str
    """The Message-ID without its token."""
    message_id: str
    status: str
    mailboxes: tuple[str, ...]
    """Of those for whom the mail server took it."""
    subject: str
    """What can be told once only: game, step, seat of a report; empty for other letters."""


class Received(Struct, frozen=True):
    """A letter as it lies in a mailbox."""

    mailbox: str
    message_id: str
    digest: str


class Evidence(Struct, frozen=True, kw_only=True):
    """Nothing that a program remembers: only what anybody could look up afterwards."""

    written: tuple[str, ...]
    """The Message-IDs of the players' Sent folders."""
    arrived: tuple[Arrived, ...]
    queued: tuple[Queued, ...]
    received: tuple[Received, ...]
    vanished: frozenset[str]
    """The Message-IDs that were queued in a time which an old backup undid."""
    closed: tuple[str, ...]
    """Each closing of a step, as the history has it."""
    chained: tuple[str, ...]
    """Each step of which a link of the chain tells."""
    verified: int
    """Games and archives that hold."""
    unverified: tuple[str, ...]
    damage: tuple[str, ...]
    """What the database's own check finds."""


def collect_evidence(
    office: Office, out: Path, sent: Path, vanished: AbstractSet[str] = frozenset()
) -> Evidence:
    """From the books of a daemon that has ended."""
    with office.reading() as books:
        games = [game.id for game in books.games()]
        secret = office.home.secret()
        queued = tuple(
            _queued(letter, sign_message_id(books, secret, letter))
            for game in (*games, "")
            for letter in books.letters(game)
        )
        arrived = [Arrived(one.message_id, one.digest, one.answer) for one in books.arrivals()]
        closed = tuple(_closings(books, games))
        chained = tuple(f"{game} {link.step}" for game in games for link in books.links(game))
    faults = list(_verify(office, games))
    return Evidence(
        written=tuple(_message_id(path) for path in list_inbox(sent)),
        arrived=tuple(arrived),
        queued=queued,
        received=tuple(_received(out)),
        vanished=frozenset(vanished),
        closed=closed,
        chained=chained,
        verified=sum(fault is None for fault in faults),
        unverified=tuple(fault for fault in faults if fault is not None),
        damage=tuple(_damage(office)),
    )


def _closings(books: Books, games: list[str]) -> Iterator[str]:
    for game in games:
        for note in books.notes(game):
            if note.act == "close":
                yield f"{game} {note.data['step']}"  # in words, two steps may be called the same


def _queued(letter: OutgoingLetter, message_id: str) -> Queued:
    taken = [name for name, one in letter.results.items() if one["status"] == "taken"]
    subject = f"{letter.game} {letter.step} {letter.seat} {letter.to or ''}"
    return Queued(
        name=letter.message_id,
        message_id=message_id,
        status=letter.status,
        mailboxes=tuple(map(recipient_folder, taken)),
        subject=subject if letter.kind == "report" else "",
    )


def _received(out: Path) -> Iterator[Received]:
    for mailbox in sorted(out.glob("*@*")):
        for path in list_inbox(mailbox):
            letter = email.message_from_bytes(path.read_bytes(), policy=email.policy.compat32)
            for name in _TRACES:
                del letter[name]
            digest = hashlib.sha256(letter.as_bytes()).hexdigest()
            yield Received(mailbox.name, str(letter["Message-ID"]), digest)


def _message_id(path: Path) -> str:
    return str(email.message_from_bytes(path.read_bytes())["Message-ID"])


def _verify(office: Office, games: list[str]) -> Iterator[str | None]:
    """For each game, and each archive in the home: what is wrong with it."""
    for game in games:
        with office.reading() as books:
            record = read_record(books, game)
        kind = office.library.kind(record.game.kind, record.game.components)
        faults = verify_record(record, kind).faults
        yield f"{game}: {faults[0].message}" if faults else None
    for chain in sorted(office.home.path.glob("*/*/chain.txt")):
        faults = verify_archive(load_archive(chain.parent), office.library).faults
        yield f"{chain.parent.name}: {faults[0].file}: {faults[0].message}" if faults else None


def _damage(office: Office) -> Iterator[str]:
    yield from find_damage(office.store)
    if office.url is None:
        with closing(sqlite3.connect(office.home.database)) as connection:
            for row in connection.execute("PRAGMA foreign_key_check"):
                yield f"a row refers to nothing: {row}"
