"""What is asked of all games and all letters costs no more because there are more of them."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from msgspec.structs import replace

from adjudicator.adapters.store.books import SqlBooks
from adjudicator.adapters.store.statements.queue import CLAIM_LETTERS
from adjudicator.adapters.store.store import SqlStore
from adjudicator.desk.model.ports import Books
from adjudicator.desk.model.values import Status
from tests.adapters.store.examples import LATER, NOON, begin, game, letter, note, step

FEW, MANY = 24, 240
HELD = timedelta(minutes=5)
AT_ONCE = 4

Work = Callable[[Books], object]
WORKS: dict[str, Work] = {
    "urgent letters": lambda books: books.claim_letters("a", LATER, AT_ONCE, NOON, urgent=True),
    "other letters": lambda books: books.claim_letters("a", LATER, AT_ONCE, NOON, urgent=False),
    "whether letters are due": lambda books: books.are_letters_due(NOON, urgent=True),
    "a letter to be queued": lambda books: books.save(letter("red", kind="notice")),
    "the letter sent last": lambda books: books.last_sent(),
    "a page of games": lambda books: books.urgent_names(every=False, skip=0, most=10),
    "a page of all games": lambda books: books.urgent_names(every=True, skip=0, most=10),
    "games to join": lambda books: books.games(are_open=True),
    "signups of an address": lambda books: books.signups_of("ada@example.org"),
    "who follows what": lambda books: books.observed("ada@example.org"),
    "the rules played": lambda books: books.rules_played(),
    "games that are due": lambda books: books.awake(LATER),
    "games that moved on": lambda books: books.games_moved(LATER),
}


def fill(store: SqlStore, begin: int, end: int) -> None:
    """Add so many games, and letters: half of them for one reader, a quarter was tried before."""
    with store.writing() as books:
        for number in range(begin, end):
            name = f"game{number:03}"
            books.add_game(game(name, rules_digest=f"d{number % 2}"))
            books.save(step(0, name, closed=NOON, state=b"{}"))
            books.save(step(1, name, deadline=NOON + timedelta(hours=number)))
            books.save(note(game=name))
            books.wake_game(name, None)
            for kind in ("report", "press"):
                seat = "red" if number % 2 else f"seat{number}"
                books.save(letter(seat, kind=kind, number=number + 2))
    with store.writing() as books:
        for urgent in (True, False):
            books.claim_letters("b", NOON + HELD, (end - begin) // 4, NOON, urgent=urgent)


def count_work(store: SqlStore, work: Work) -> int:
    """Count the instructions of SQLite's machine, in tens."""
    count = 0

    def note_ten() -> None:
        nonlocal count
        count += 1

    with store.trying() as books:
        assert isinstance(books, SqlBooks)
        driver: Any = books._transaction.connection
        driver.set_progress_handler(note_ten, 10)
        try:
            work(books)
            books.flush()
        finally:
            driver.set_progress_handler(None, 0)
    return count


@pytest.mark.parametrize("engine", ["sqlite"])
def test_the_database_does_no_more_work(store: SqlStore) -> None:
    begin(store)
    with store.writing() as books:
        books.save(letter(kind="notice", number=9, status="sent"))
    fill(store, 0, FEW)
    few = {name: count_work(store, work) for name, work in WORKS.items()}
    fill(store, FEW, MANY)
    many = {name: count_work(store, work) for name, work in WORKS.items()}
    assert {name: (few[name], many[name]) for name in WORKS if many[name] > few[name] + 5} == {}


@pytest.mark.parametrize("engine", ["postgresql"])
@pytest.mark.parametrize("urgent", [True, False])
def test_a_claim_reads_no_more_rows_than_it_may_take(store: SqlStore, *, urgent: bool) -> None:
    begin(store)
    fill(store, 0, MANY)
    with store.trying() as books:
        assert isinstance(books, SqlBooks)
        claim = CLAIM_LETTERS[urgent].compile("postgresql")
        given = claim.bound({"owner": "a", "until": LATER, "at": NOON, "limit": AT_ONCE})
        with books._transaction.cursor() as cursor:
            cursor.execute("ANALYZE outbox")
            cursor.execute("SET LOCAL enable_seqscan = off")  # few rows are read fastest whole
            cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {claim.text}", given)
            ((found,),) = cursor.fetchall()
    rows = {one["Node Type"]: count_rows(one) for one in walk(found[0]["Plan"])}
    assert max(rows.values()) <= 2 * AT_ONCE, rows


def walk(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for one in plan.get("Plans", ()):
        yield from walk(one)


def count_rows(plan: dict[str, Any]) -> float:
    """Count what a part of the plan read: what it gave on and what it dropped."""
    dropped = sum(count for name, count in plan.items() if name.startswith("Rows Removed"))
    return float((plan["Actual Rows"] + dropped) * plan["Actual Loops"])


def test_pages_keep_up_with_what_happens(store: SqlStore) -> None:
    begin(store)
    for name, hours in [("oak", 3), ("ash", 1), ("elm", 2)]:
        with store.writing() as books:
            books.add_game(game(name))
            books.save(step(0, name, closed=NOON, state=b"{}"))
            books.save(step(1, name, deadline=NOON + timedelta(hours=hours)))

    def read(*, every: bool = False) -> list[str]:
        with store.reading() as books:
            names = list(books.urgent_names(every=every, skip=0, most=9))
            assert books.count_games(every=every) == len(names)
            return names

    assert read() == ["ash", "elm", "oak", "ember"]
    with store.writing() as books:
        books.locked("ash")
        books.save(step(1, "ash", deadline=LATER + HELD))
        books.save(replace(books.locked("oak"), open_step=None, status=Status.OPEN))
        books.save(replace(books.locked("elm"), status=Status.OVER))
    assert read() == ["ember", "ash", "oak"]
    assert read(every=True) == ["ember", "ash", "oak", "elm"]
