"""The bytes of letters are squeezed as they are written, and read as they were given."""

import zlib

import pytest
from msgspec.structs import replace
from sqlalchemy import text

from adjudicator.adapters.store.cells import SQUEEZED_HEAD, squeeze
from adjudicator.adapters.store.migrations.revisions import VERSION_TABLE
from adjudicator.adapters.store.opening import open_store
from adjudicator.adapters.store.store import SqlStore
from adjudicator.adapters.store.trouble import StoreTrouble
from adjudicator.desk.model.errors import Already
from adjudicator.desk.model.ports import Books
from tests.adapters.store.examples import LATER, NOON, game, letter, paper, seating, step

REPORT = b'{"told":"' + b"red jumped from A1 to B2. " * 400 + b'"}'
MAIL = b"Subject: Turn 4\n\n" + b"red jumped from A1 to B2.\n" * 400


@pytest.fixture
def kept(store: SqlStore) -> SqlStore:
    """A report, and the letter that brings it and was written."""
    with store.writing() as books:
        books.add_game(game())
        books.save(step(0, predecessor=None))
        books.save(step())
        books.save(seating())
        books.save(paper(document=REPORT))
        books.save(letter(document=REPORT, content=MAIL))
    return store


def stored(store: SqlStore) -> bytes:
    """What the row of the letter holds."""
    with store.look() as transaction:
        return bytes(transaction.ask("SELECT content FROM outbox"))


def withdraw(books: Books) -> None:
    (waiting,) = books.letters("ember")
    books.save(replace(waiting, status="withdrawn"))


def test_they_take_a_fraction_and_come_back_whole(kept: SqlStore) -> None:
    assert len(stored(kept)) < len(MAIL) / 10
    with kept.reading() as books:
        assert books.paper("ember", "red") == paper(document=REPORT)
        assert books.letters("ember") == [letter(document=REPORT, content=MAIL)]


def test_another_zlib_makes_no_other_letter(kept: SqlStore) -> None:
    """Releases of zlib squeeze differently: the letter is the same, and another one is refused."""
    other = stored(kept)[:SQUEEZED_HEAD] + zlib.compress(MAIL, 0)
    with kept.engine.begin() as connection:
        connection.execute(text("UPDATE outbox SET content = :it").bindparams(it=other))
    with pytest.raises(Already), kept.writing() as books:
        books.save(letter(document=REPORT, content=MAIL[:-1]))
    with pytest.raises(Already), kept.writing() as books:
        books.save(letter(document=REPORT[:-1] + b" }", content=MAIL))
    with kept.writing() as books:
        withdraw(books)
    with kept.reading() as books:
        assert [one.status for one in books.letters("ember")] == ["withdrawn"]


def test_squeezed_reports_are_read_as_well(kept: SqlStore) -> None:
    """Some databases have them, and letters with them that still wait to be written and sent."""
    with kept.engine.begin() as connection:
        for table in ("papers", "outbox"):
            change = text(f"UPDATE {table} SET document = :it")
            connection.execute(change.bindparams(it=squeeze(REPORT)))
        connection.execute(text("UPDATE outbox SET content = NULL"))
    with kept.writing() as books:
        assert books.paper("ember", "red") == paper(document=REPORT)
        (claimed,) = books.claim_letters("a", LATER, 1, NOON)
        assert claimed.document == REPORT
        books.save(replace(claimed, content=MAIL))
    with kept.writing() as books:
        books.save(replace(claimed, content=MAIL, status="sent"))
    with kept.reading() as books:
        assert books.letters("ember")[0].status == "sent"


def test_damaged_ones_are_said_to_be(kept: SqlStore) -> None:
    damaged = stored(kept)[:-9]
    with kept.engine.begin() as connection:
        connection.execute(text("UPDATE outbox SET content = :it").bindparams(it=damaged))
    with pytest.raises(StoreTrouble, match="a row of outbox cannot be read"), kept.reading() as own:
        own.letters("ember")


def test_letters_that_an_older_program_left_go_out(kept: SqlStore, place: str) -> None:
    with kept.engine.begin() as connection:
        connection.execute(text("UPDATE outbox SET content = :it").bindparams(it=MAIL))
        connection.execute(text(f"UPDATE {VERSION_TABLE} SET version_num = '0018'"))
    with open_store(place) as store:
        assert len(stored(store)) < len(MAIL) / 10
        with store.writing() as books:
            (claimed,) = books.claim_letters("a", LATER, 1, NOON)
            assert (claimed.document, claimed.content) == (REPORT, MAIL)
            books.save(replace(claimed, status="sent"))
