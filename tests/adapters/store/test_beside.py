"""Files beside the books that say what the books must know, while a daemon goes on."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from adjudicator.cli.serving.lease import LENGTH, Lease
from adjudicator.cli.wiring import DATABASE_VARIABLE, Office
from adjudicator.desk.model.epochs import count_rounds
from tests.adapters.store.examples import NOON, begin, link

OLDER = "older than what the server did last"


@pytest.fixture
def office(
    place: str, engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Office]:
    """Of a home whose books are on this engine, with a game."""
    if engine == "postgresql":
        monkeypatch.setenv(DATABASE_VARIABLE, place)
    made = Office(str(tmp_path))
    made.home.secret()
    begin(made.store)
    with made.acting() as books:
        books.save_link("ember", link())
    yield made
    made.close()


def beat(office: Office, times: int) -> int:
    """Make rounds as a daemon does, and record them; how many there are."""
    with office.store.writing() as books:
        lease = Lease.take(office.home.path, books, at=NOON, boot=0.0)
    try:
        for _ in range(times):
            with office.store.writing() as books:
                lease.round = lease.renew(books, at=NOON, boot=0.0, problems=())
            office.record_round(lease.round)
        with office.store.writing() as books:
            lease.give_back(books, at=NOON - LENGTH, boot=0.0)
    finally:
        lease.unlock()
    return lease.round


def test_rounds_that_are_made_while_books_are_read_are_no_fault_of_theirs(office: Office) -> None:
    beat(office, 1)
    with office.reading() as books:
        before = count_rounds(books)
        after = beat(office, 5)
        assert after > before + 5
        assert count_rounds(books) == before, "open books show the moment of their opening"
        assert office.find_journal_fault(books) is None


def test_steps_that_are_closed_while_books_are_read_are_no_fault_of_theirs(office: Office) -> None:
    with office.reading() as books:
        before = books.heads()
        with office.acting() as daemon:
            daemon.save_link("ember", link(link()))
        remembered = office.journal.read()
        assert remembered is not None
        assert remembered.heads["ember"].link == before["ember"].link + 1
        assert books.heads() == before, "open books show the moment of their opening"
        assert office.find_journal_fault(books) is None


def test_books_that_are_a_few_rounds_older_are_refused_at_once_and_later(office: Office) -> None:
    beat(office, 1)
    with office.reading() as books:
        (then,) = books.heartbeats()
    made = beat(office, 3)
    with office.store.writing() as books:  # as a backup that is put back has them
        for later in books.heartbeats():
            books.forget_heartbeat(later.name)
        books.save(replace(then, facts={**then.facts, "until": NOON.isoformat()}))
        assert count_rounds(books) < made - 1
    for _ in range(2):
        with office.reading() as books:
            fault = office.find_journal_fault(books)
        assert OLDER in str(fault)
        with pytest.raises(type(fault), match=OLDER), office.repairing() as books:
            office.require_whole(books)


def test_a_round_that_was_lost_with_the_machine_is_no_fault(office: Office) -> None:
    made = beat(office, 3)
    office.record_round(made - 2)
    with office.reading() as books:
        assert office.find_journal_fault(books) is None
    office.record_round(made + 1)
    with office.reading() as books:
        assert office.find_journal_fault(books) is None
