"""What was read once in a transaction is known, for as long as it is so; on both engines."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

from adjudicator.adapters.store.prepared import Query
from adjudicator.adapters.store.store import SqlStore
from adjudicator.desk.model.errors import Already
from adjudicator.desk.model.ports import Books
from adjudicator.desk.model.values import Status
from tests.adapters.store.examples import begin, game, player, seating, step


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A table for every look into the database."""
    found: list[str] = []
    whole = Query.values

    def counted(self: Query[Any], connection: object, given: object) -> object:
        found.append("+".join(sorted(self.tables)))
        return whole(self, connection, given)  # type: ignore[arg-type]  # handed on as it came

    monkeypatch.setattr(Query, "values", counted)
    return found


def test_the_same_look_is_taken_once(store: SqlStore, looks: list[str]) -> None:
    begin(store)
    with store.writing() as books:
        looks.clear()
        first = books.step("ember", 1)
        assert books.step("ember", 1) == first
        assert looks == ["steps"]
        assert books.step("ember", 0) != first
        assert looks == ["steps", "steps"]
    with store.writing() as books:  # another transaction knows nothing
        books.step("ember", 1)
    assert looks == ["steps"] * 3


def test_what_is_written_is_seen_at_once(store: SqlStore) -> None:
    begin(store)
    with store.writing() as books:
        before = books.seatings("ember")
        assert books.steps("ember")[-1].number == 1
        books.save(seating("amber", 9))
        assert len(books.seatings("ember")) == len(before) + 1
        assert books.locked("ember").status is Status.RUNNING
        books.save(game(status=Status.PAUSED))
        assert books.locked("ember").status is Status.PAUSED
        assert books.game("ember").status is Status.PAUSED
        books.save(step(2))
        assert books.steps("ember")[-1].number == 2
        assert books.player("Zoe") is None
        books.save(player("Zoe"))
        assert books.player("Zoe") == player("Zoe")
        assert books.player("Zoe") == player("Zoe")


def _steps(books: Books) -> list[int]:
    return [one.number for one in books.steps("ember")]


def _fail(books: Books, *numbers: int) -> None:
    """Parts in parts, each with a step; the innermost fails and only what it did is undone."""
    with books.part():
        first, *others = numbers
        books.save(step(first))
        assert _steps(books)[-1] == first
        if others:
            with suppress(Already):
                _fail(books, *others)
            assert _steps(books)[-1] == first
        raise Already("enough")


def test_a_part_that_fails_is_forgotten(store: SqlStore) -> None:
    begin(store)
    with store.writing() as books:
        with pytest.raises(Already):
            _fail(books, 2)
        assert _steps(books) == [0, 1]


def test_a_part_in_a_part_is_undone_with_it(store: SqlStore) -> None:
    begin(store)
    with store.writing() as books:
        with pytest.raises(Already):
            _fail(books, 2, 3, 4)
        assert _steps(books) == [0, 1]


@pytest.mark.parametrize("engine", ["postgresql"])
def test_a_lock_looks_again_at_everything(place: str, opened: Callable[[str], SqlStore]) -> None:
    """Whoever waits for a lock waits for somebody who changes something.

    On SQLite nobody else can write from the beginning of the transaction on.
    """
    one, other = opened(place), opened(place)
    begin(one)
    with one.writing() as books:
        assert books.steps("ember")[-1].number == 1
        with other.writing() as others:
            others.save(step(2))
        books.locked("ember")
        assert books.steps("ember")[-1].number == 2
