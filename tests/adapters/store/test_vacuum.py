"""Packs and retention: the store becomes smaller, and what is read stays the same."""

from datetime import timedelta

import pytest
from msgspec.structs import replace
from sqlalchemy import delete, func, select, update

from adjudicator.adapters.store import tables as t
from adjudicator.adapters.store.opening import open_store
from adjudicator.adapters.store.store import SqlStore
from adjudicator.adapters.store.trouble import StoreTrouble
from adjudicator.adapters.store.upkeep import vacuum as upkeep
from adjudicator.adapters.store.upkeep.damage import find_damage
from adjudicator.adapters.store.upkeep.transfer import copy_store
from adjudicator.adapters.store.upkeep.vacuum import Freed, vacuum_portion
from adjudicator.core.document import digest
from adjudicator.desk.model.errors import Already
from adjudicator.desk.steps.record import Record, read_record
from tests.adapters.store.examples import closed, letter
from tests.adapters.store.playing import AT, GAME, begin, go_on, verified

PACK = 8
"""As many steps are packed together here, fewer than in life, so that the game need not be long."""
STEPS = PACK + 2
"""As many are closed before the first ones are packed."""


@pytest.fixture
def played(store: SqlStore, monkeypatch: pytest.MonkeyPatch) -> SqlStore:
    """A game that goes on, with two steps more than a pack holds."""
    monkeypatch.setattr(upkeep, "STEPS_IN_A_PACK", PACK)
    for _ in range(STEPS):
        with store.writing() as books:
            if books.games():
                go_on(books)
            else:
                begin(books)
    return store


def vacuum(store: SqlStore, days: int = 90) -> Freed:
    freed = Freed()
    while portion := vacuum_portion(store, before=AT - timedelta(days=days), at=AT):
        freed += portion
    return freed


def read(store: SqlStore) -> tuple[Record, object]:
    with store.reading() as books:
        return read_record(books, GAME), books.letters(GAME)


def test_old_steps_are_packed_and_read_as_before(played: SqlStore) -> None:
    before = read(played)
    freed = vacuum(played)
    assert freed.steps == PACK
    assert freed.size > 100_000
    assert read(played) == before
    assert vacuum(played) == Freed()
    assert verified(played) == STEPS
    with played.reading() as books:
        assert books.step(GAME, 1).state == before[0].steps[1].state
        assert books.papers(GAME, 2) == list(before[0].list_papers(before[0].steps[2]))


def test_a_finished_game_is_packed_to_its_end(played: SqlStore) -> None:
    with played.engine.begin() as connection:
        connection.execute(update(t.games).values(status="over"))
        connection.execute(update(t.steps).where(t.steps.c.closed.is_(None)).values(void=True))
    before = read(played)
    assert vacuum(played).steps == len(before[0].steps)
    assert read(played) == before


def test_the_game_goes_on_after_packing(played: SqlStore) -> None:
    vacuum(played)
    with played.writing() as books:
        go_on(books)
    assert verified(played) == STEPS + 1


def test_packed_steps_can_be_undone_but_not_rewritten(played: SqlStore) -> None:
    vacuum(played)
    with played.writing() as books:
        step = books.step(GAME, 3)
        books.save(replace(step, void=True))
    with played.reading() as books:
        assert books.step(GAME, 3) == replace(step, void=True)
    with pytest.raises(Already), played.writing() as books:
        books.save(closed(2, game=GAME, phase="plan"))


def test_a_letter_that_waits_in_a_pack_still_goes_out(played: SqlStore) -> None:
    vacuum(played)
    with played.writing() as books:
        (first, *_) = books.claim_letters("a", AT + timedelta(hours=1), 1, AT)
        assert first.document.startswith(b"{")
        books.save(replace(first, content=b"written", results={"ada@example.org": {"status": 1}}))
    with played.writing() as books:
        books.save(replace(first, status="sent", content=b"written"))


def test_a_pack_goes_with_its_game_and_into_a_copy(
    played: SqlStore, tmp_path_factory: pytest.TempPathFactory
) -> None:
    vacuum(played)
    file = tmp_path_factory.mktemp("copy") / "copy.db"
    copy_store(played, file)
    with open_store(file) as copy:
        assert read(copy) == read(played)
    with played.writing() as books:
        books.delete_game(GAME)
    with played.engine.connect() as connection:
        assert connection.execute(select(func.count()).select_from(t.packs)).scalar_one() == 0


def test_a_damaged_pack_is_said_to_be_one(played: SqlStore) -> None:
    vacuum(played)
    assert find_damage(played) == []
    with played.engine.begin() as connection:
        connection.execute(update(t.packs).values(content=b"nothing"))
    assert find_damage(played) == [f"older steps of {GAME} cannot be read"]
    with pytest.raises(StoreTrouble, match="a row of steps cannot be read"):
        read(played)
    with played.engine.begin() as connection:
        connection.execute(delete(t.packs))
    with pytest.raises(StoreTrouble, match="a row of steps cannot be read"):
        read(played)


def test_old_letters_keep_their_digest_alone(store: SqlStore) -> None:
    ages = ((200, "sent"), (150, "queued"), (100, "withdrawn"), (80, "sent"))
    with store.writing() as books:
        for number, (days, status) in enumerate(ages, 1):
            given = {"game": GAME, "kind": "notice", "step": 0, "status": status}
            made = AT - timedelta(days=days)
            content = b"bytes of %d" % number
            books.save(letter(number=number, made=made, content=content, **given))
    assert vacuum(store).letters == 2
    with store.reading() as books:
        found = [one for one in books.letters(GAME) if one.kind == "notice"]
    assert [one.content for one in found] == [None, b"bytes of 2", None, b"bytes of 4"]
    assert [one.digest for one in found] == [digest(b"bytes of 1"), "", digest(b"bytes of 3"), ""]
    assert vacuum(store, days=30).letters == 1  # the setting has changed
