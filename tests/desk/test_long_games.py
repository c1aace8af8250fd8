"""What is read in a long game: no more than in a short one, however much was written in it."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest

from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.store.prepared import Query
from adjudicator.desk.clock.tick import tick
from adjudicator.desk.model.context import Context, Sender
from adjudicator.desk.questions.answer import answer_questions
from adjudicator.desk.questions.screens import find_report, show_game
from tests.desk.conftest import GAME, Desk

SEATS = ("red", "blue", "green")
EARLY, LATE = 4, 16


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Callable[[], Any]:
    """Counts the rows that are read from the books, by what they hold."""
    read: list[Counter[str]] = []
    whole = Query.values

    def count(query: Query[Any], *given: Any) -> list[Any]:
        found = whole(query, *given)
        for rows in read:
            rows[query._value.__name__] += len(found)
        return found

    monkeypatch.setattr(Query, "values", count)

    @contextmanager
    def counting() -> Iterator[Counter[str]]:
        read.append(Counter())
        yield read[-1]
        read.pop()

    return counting


def _order(desk: Desk) -> None:
    for seat in SEATS:
        desk.send(seat, f"pass: yes\npress: [{{to: all, text: {desk.step().name} is quiet}}]")


def _ask(context: Context, words: str) -> None:
    seating, step = context.seatings["red"], context.open_step()
    sender = Sender(seat="red", seating=seating, step=step, at=context.at)
    assert answer_questions(context, sender, words).letter is not None


def _list_acts(desk: Desk) -> Sequence[Callable[[], object]]:
    """List what is done in every step, and what is asked in any."""
    return (
        lambda: desk.see(lambda books: show_game(books, desk.library, GAME)),
        lambda: desk.see(lambda books: find_report(books, GAME, seat="red")),
        lambda: desk.see(lambda books: find_report(books, GAME)),
        lambda: desk.act(_ask, "report"),
        lambda: desk.act(_ask, "status"),
        lambda: desk.act(_ask, "map"),
        lambda: desk.act(tick, read_until=desk.at, boot=0.0),
        lambda: _order(desk),
        lambda: desk.close(now=False),
    )


def test_a_step_reads_as_little_late_in_a_game_as_early(
    desk: Desk, counted: Callable[[], Any]
) -> None:
    desk.library = FolderLibrary()
    desk.new(kind="jump-wars", luck={"red": "owls"}, settings={"pace": "72h", "settle": "0m"})
    read: dict[int, list[Counter[str]]] = {}
    while (number := desk.step().number) <= LATE:
        read[number] = []
        for act in _list_acts(desk):
            with counted() as rows:
                act()
            read[number].append(rows)
    assert read[LATE] == read[EARLY]
    assert all(rows.total() for rows in read[LATE])
