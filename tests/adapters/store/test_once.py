"""What must not happen twice is refused by the database itself, and names what it was."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from adjudicator.adapters.store.store import SqlStore
from adjudicator.adapters.store.trouble import StoreTrouble
from adjudicator.desk.model.errors import Already, Unknown
from adjudicator.desk.model.ports import Books
from tests.adapters.store.examples import (
    LATER,
    begin,
    close,
    closed,
    game,
    letter,
    link,
    note,
    order_set,
    paper,
    seating,
    step,
)

Save = Callable[[Books], None]

TWICE: dict[str, tuple[Save, Save, str]] = {
    "a game's name": (
        lambda books: None,
        lambda books: books.add_game(game(kind="jump-gate")),
        "there is already a game called ember; choose another name",
    ),
    "a step closed with another state": (
        lambda books: books.save(closed()),
        lambda books: books.save(closed(state=b'{"turn":2}')),
        "step 1-plan of ember is already closed; roll it back to change it",
    ),
    "a step closed with other events": (
        lambda books: books.save(closed()),
        lambda books: books.save(closed(events=b"[]")),
        "step 1-plan of ember is already closed; roll it back to change it",
    ),
    "a step closed at another time": (
        lambda books: books.save(closed()),
        lambda books: books.save(closed(closed=LATER + timedelta(microseconds=1))),
        "step 1-plan of ember is already closed; roll it back to change it",
    ),
    "a closed step opened again": (
        lambda books: books.save(closed()),
        lambda books: books.save(step()),
        "step 1-plan of ember is already closed; roll it back to change it",
    ),
    "a set of orders rewritten": (
        lambda books: books.save(order_set()),
        lambda books: books.save(order_set(orders=b"{}", digest="def")),
        "ember has other orders of red on file as number 1 of step 1",
    ),
    "a seat's report": (
        lambda books: books.save(paper()),
        lambda books: books.save(paper()),
        "ember has a report 1 for red already",
    ),
    "the public's report": (
        lambda books: books.save(paper(None)),
        lambda books: books.save(paper(None)),
        "ember has a report 1 for the public already",
    ),
    "a letter that says something else": (
        lambda books: books.save(letter()),
        lambda books: books.save(letter(document=b"[]")),
        "the report 1 for red in step 1 of ember is already on its way; a letter goes out once",
    ),
    "a letter under another Message-ID": (
        lambda books: books.save(letter()),
        lambda books: books.save(letter(message_id="<new@example.org>")),
        "the report 1 for red in step 1",
    ),
    "a sent letter queued again": (
        lambda books: books.save(letter(status="sent")),
        lambda books: books.save(letter()),
        "the report 1 for red in step 1",
    ),
    "a withdrawn letter sent": (
        lambda books: books.save(letter(status="withdrawn")),
        lambda books: books.save(letter(status="sent")),
        "the report 1 for red in step 1",
    ),
    "a letter rendered anew": (
        lambda books: books.save(letter(content=b"first")),
        lambda books: books.save(letter(content=b"second")),
        "the report 1 for red in step 1",
    ),
    "a link's number": (
        lambda books: books.save_link("ember", link()),
        lambda books: books.save_link("ember", link()),
        "the chain of ember has a link 0 already",
    ),
    "a note's number": (
        lambda books: books.save(note()),
        lambda books: books.save(note(text="another")),
        "the history of ember has an entry 1 already",
    ),
}


@pytest.mark.parametrize("case", TWICE)
def test_refused_in_a_later_transaction(store: SqlStore, case: str) -> None:
    first, second, words = TWICE[case]
    begin(store)
    with store.writing() as books:
        first(books)
    with pytest.raises(Already) as refusal, store.writing() as books:
        second(books)
    assert str(refusal.value).startswith(words)


@pytest.mark.parametrize("case", TWICE)
def test_refused_in_the_same_transaction(store: SqlStore, case: str) -> None:
    """Then nothing of it stands, the first one neither."""
    first, second, _ = TWICE[case]
    begin(store)

    def both(books: Books) -> None:
        first(books)
        books.save(seating())
        second(books)

    with pytest.raises(Already), store.writing() as books:
        both(books)
    with store.reading() as books:
        assert books.seatings("ember") == []
        assert books.step("ember", 1) == step()


def test_a_whole_closing_happens_once(store: SqlStore) -> None:
    begin(store)
    with store.writing() as books:
        close(books)
    with pytest.raises(Already), store.writing() as books:
        close(books)


def test_a_failed_letter_is_queued_again(store: SqlStore) -> None:
    begin(store)
    with store.writing() as books:
        books.save(letter(status="failed", content=b"bytes"))
        books.save(letter(content=b"bytes"))
        assert books.letters("ember") == [letter(content=b"bytes")]


@pytest.mark.parametrize(
    "save",
    [
        lambda books: books.save(order_set("green")),
        lambda books: books.save(order_set(step=9)),
        lambda books: books.save(paper(step=9)),
        lambda books: books.save(step(3, predecessor=2)),
        lambda books: books.save(seating("green")),
        lambda books: books.save(note(game="ashes")),
    ],
)
def test_nothing_is_kept_for_what_is_not_there(store: SqlStore, save: Save) -> None:
    """A game, seat or step that is named has to be on file by the end of the transaction."""
    begin(store)
    with pytest.raises(StoreTrouble, match="does not exist"), store.writing() as books:
        save(books)


def test_a_link_of_no_game_is_refused(store: SqlStore) -> None:
    begin(store)
    with pytest.raises(Unknown, match="no game called ashes"), store.writing() as books:
        books.save_link("ashes", link())


def test_within_a_transaction_the_order_of_saving_is_free(store: SqlStore) -> None:
    with store.writing() as books:
        books.save(paper("blue"))
        books.save(order_set())
        books.save(step(1, predecessor=0))
        books.save(step(0))
        books.add_game(game())
    with store.reading() as books:
        assert books.papers("ember") == [paper("blue")]
