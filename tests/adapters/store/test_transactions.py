"""All or nothing, one after the other, and a look that does not move."""

import threading
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from adjudicator.adapters.store.store import SqlStore
from adjudicator.adapters.store.trouble import StoreTrouble
from adjudicator.desk.acts.edit import edit_position, open_position
from adjudicator.desk.acts.end import end_game
from adjudicator.desk.acts.rollback import roll_back, undo_rollback
from adjudicator.desk.acts.start import undo_start
from adjudicator.desk.model.context import Context
from adjudicator.desk.model.errors import Already, Refused
from adjudicator.desk.model.ports import Books
from adjudicator.desk.steps.lock import lock_game
from adjudicator.desk.steps.record import check_chain, read_record
from adjudicator.desk.steps.replay import replay_game
from tests.adapters.store import playing
from tests.adapters.store.examples import NOON, begin, close, game, letter, note, player, step
from tests.adapters.store.faults import PulledPlugError, watched
from tests.at_the_desk import close_step

Open = Callable[[str], SqlStore]


def everything(store: SqlStore, of: str = "ember") -> list[object]:
    """All that the books say of the game."""
    looks = ("seatings", "steps", "orders", "papers", "letters", "links", "notes")
    with store.reading() as books:
        return [books.game(of), *(getattr(books, look)(of) for look in looks)]


def close_and_fail(books: Books) -> None:
    close(books)
    books.locked("ember")
    raise Refused("changed my mind")


def to_the_end(store: SqlStore) -> list[str]:
    """What follows a closing: on a server others are told of post and clock, then it is kept."""
    told = ["SELECT pg_notify(%s, %s)"] * 2 if store.is_shared else []
    return [*told, "COMMIT"]


def test_a_closing_broken_at_any_statement_leaves_nothing(store: SqlStore) -> None:
    begin(store)
    everything(store)
    with watched(store) as whole, store.trying() as books:
        close(books)
    before = everything(store)
    statements = [*whole.seen, *to_the_end(store)]
    for at in range(1, len(statements) + 1):
        with watched(store, at) as watch:
            with pytest.raises(PulledPlugError), store.writing() as books:
                close(books)
            assert watch.seen == statements[:at]
        assert everything(store) == before
    assert len(whole.seen) >= 7
    with store.writing() as books:
        close(books)
    assert everything(store) != before


def test_the_desks_own_closing_broken_at_any_statement_leaves_nothing(store: SqlStore) -> None:
    """A real step of a real game; what is left can be verified, and the step be closed again."""
    with store.writing() as books:
        playing.begin(books)
    with watched(store) as whole, store.trying() as books:
        playing.go_on(books)
    for at in range(1, len(whole.seen) + len(to_the_end(store)) + 1):
        with (
            watched(store, at),
            pytest.raises(PulledPlugError),
            store.writing() as books,
        ):
            playing.go_on(books)
        assert playing.verified(store) == 1
    assert len(whole.seen) >= 7
    with store.writing() as books:
        playing.go_on(books)
    assert playing.verified(store) == 2


def _last(books: Books) -> str:
    """The last step that was played and counts."""
    return [s for s in books.steps(playing.GAME) if s.closed and not s.void][-1].name


def _back(books: Books) -> str:
    """The step to before which the last rollback went."""
    notes = [one for one in books.notes(playing.GAME) if one.act == "rollback"]
    return str(notes[-1].data["struck"][0])


def _ruled(books: Books) -> dict[str, Any]:
    document = open_position(Context(books, playing.LIBRARY, playing.GAME))
    return {**document, "turn": document["turn"] + 1}


_GAME = (playing.LIBRARY, playing.GAME)


def _locked(books: Books) -> Context:
    return lock_game(books, *_GAME, at=playing.AT)


ACTS: dict[str, Callable[[Books], object]] = {
    "rollback": lambda b: roll_back(_locked(b), _last(b)),
    "a rollback taken back": lambda b: undo_rollback(_locked(b), _back(b)),
    "a ruling": lambda b: edit_position(_locked(b), _ruled(b), reason="a typing mistake"),
    "an end": lambda b: end_game(_locked(b), winners=["blue"], reason="agreed"),
    "a start taken back": lambda b: undo_start(_locked(b)),
}


@pytest.mark.parametrize("name", ACTS)
def test_every_act_broken_at_any_statement_leaves_nothing(store: SqlStore, name: str) -> None:
    """A clock that went backwards between the acts breaks nothing either."""
    act = ACTS[name]
    with store.writing() as books:
        playing.begin(books)
        playing.go_on(books)
        close_step(books, *_GAME, at=playing.AT - timedelta(days=400), now=True)
        if name == "a rollback taken back":
            ACTS["rollback"](books)
    before = everything(store, playing.GAME)
    with watched(store) as whole, store.trying() as books:
        act(books)
    for at in range(1, len(whole.seen) + 2):  # one more: the commit
        with watched(store, at), pytest.raises(PulledPlugError), store.writing() as books:
            act(books)
        assert everything(store, playing.GAME) == before
    with store.writing() as books:
        act(books)
    with store.reading() as books:
        record = read_record(books, playing.GAME)
    assert everything(store, playing.GAME) != before
    assert [*check_chain(record), *replay_game(record, playing.LIBRARY.kind(playing.KIND))] == []


def test_a_closing_takes_few_statements(store: SqlStore) -> None:
    """What is saved in a row goes out as one statement, however many seats there are."""
    begin(store)
    with watched(store) as watch, store.writing() as books:
        close(books)
    inserts = [words for words in watch.seen if words.startswith("INSERT")]
    assert inserts == [
        f"INSERT INTO {table}"
        for table in ("steps", "orders", "papers", "outbox", "links", "notes")
    ]


def test_an_error_of_the_desk_undoes_everything(store: SqlStore) -> None:
    begin(store)
    before = everything(store)
    with pytest.raises(Refused, match="changed my mind"), store.writing() as books:
        close_and_fail(books)
    assert everything(store) == before


def test_an_error_that_is_not_the_databases_stays_what_it_is(store: SqlStore) -> None:
    with pytest.raises(FileNotFoundError), store.writing():
        open("/nonexistent/orders.yaml")  # noqa: PTH123, SIM115 - never opened


def test_trying_runs_everything_and_keeps_nothing(store: SqlStore) -> None:
    begin(store)
    before = everything(store)
    with store.trying() as books:
        close(books)
        assert books.step("ember", 1).state == b'{"turn":1}'
        assert len(books.letters("ember")) == 3
    assert everything(store) == before
    with pytest.raises(Refused), store.trying() as books:
        close_and_fail(books)
    assert everything(store) == before


def test_trying_finds_what_writing_would(store: SqlStore) -> None:
    begin(store)
    with pytest.raises(Already), store.trying() as books:
        books.add_game(game())


def test_what_waits_is_seen_by_the_next_look(store: SqlStore) -> None:
    begin(store)
    with store.writing() as books:
        books.save(note())
        assert books.notes("ember") == [note()]


WRITES: list[Callable[[Books], object]] = [
    lambda books: books.save(note()),
    lambda books: books.save(game(open_step=None)),
    lambda books: books.save(player()),
    lambda books: books.claim_letters("me", NOON, 1, NOON),
]


@pytest.mark.parametrize("write", WRITES)
def test_writing_in_a_look_is_an_error(store: SqlStore, write: Callable[[Books], object]) -> None:
    begin(store)
    before = everything(store)
    with pytest.raises(RuntimeError, match=r"write in SqlStore\.writing"), store.reading() as books:
        write(books)
    assert everything(store) == before


def test_the_database_itself_guards_a_look(store: SqlStore) -> None:
    """Also against a statement that goes past the books."""
    begin(store)
    with pytest.raises(StoreTrouble), store.reading() as books:
        books._transaction.ask("DELETE FROM notes")  # type: ignore[attr-defined]
    with store.writing() as books:
        books.save(note())


def test_a_look_sees_one_moment(store: SqlStore) -> None:
    begin(store)
    with store.reading() as look:
        assert look.notes("ember") == []
        with store.writing() as books:
            close(books)
        assert look.notes("ember") == []
        assert look.step("ember", 1) == step()
    with store.reading() as look:
        assert len(look.notes("ember")) == 1


def test_books_end_with_their_transaction(store: SqlStore) -> None:
    begin(store)
    with store.writing() as books:
        close(books)
    before = everything(store)
    with pytest.raises(RuntimeError, match="this transaction has ended; open another one"):
        books.withdraw_all_letters()
    assert everything(store) == before


@pytest.mark.parametrize("engine", ["sqlite"])
def test_a_transaction_that_the_database_has_ended_is_never_half_kept(store: SqlStore) -> None:
    """A full disk may undo it in the middle; nobody who overlooks that keeps the rest."""
    begin(store)
    before = everything(store)

    def write() -> None:
        with store.writing() as books:
            books.withdraw_all_letters()
            books._transaction.ask("ROLLBACK")  # type: ignore[attr-defined]
            books.save(note())

    with pytest.raises(RuntimeError, match="this transaction has ended"):
        write()
    assert everything(store) == before


@pytest.mark.parametrize("engine", ["sqlite"])
def test_a_store_closed_in_a_transaction_keeps_no_file_open(place: str, opened: Open) -> None:
    store = opened(place)
    with store.reading() as books:
        books.games()
        store.close()
    names = [Path(one).resolve().name for one in Path("/proc/self/fd").iterdir() if one.exists()]
    assert not [name for name in names if name.startswith(Path(place).name)]


@pytest.mark.parametrize("stores", ["one", "two"])
def test_of_two_who_close_a_step_one_wins(place: str, opened: Open, stores: str) -> None:
    """Each looks whether the step is open, as the desk does, and closes it then."""
    first = opened(place)
    both = [first, first if stores == "one" else opened(place)]
    begin(first)
    ready = threading.Barrier(2)
    outcomes: list[str] = []

    def run(store: SqlStore) -> None:
        ready.wait()
        with store.writing() as books:
            books.locked("ember")
            if books.step("ember", 1).closed:
                outcomes.append("late")
            else:
                close(books)
                outcomes.append("closed")

    threads = [threading.Thread(target=run, args=(store,)) for store in both]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["closed", "late"]
    with first.reading() as books:
        assert len(books.letters("ember")) == 3


def test_two_who_do_not_look_cannot_both_close(store: SqlStore) -> None:
    """The constraints hold where a caller forgot the lock."""
    begin(store)
    ready = threading.Barrier(2)
    outcomes: list[str] = []

    def run() -> None:
        ready.wait()
        try:
            with store.writing() as books:
                books.save(note())
                books.save(letter())
        except Already:
            outcomes.append("already")
        else:
            outcomes.append("written")

    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["already", "written"]


def test_readers_do_not_wait_for_a_writer(place: str, opened: Open) -> None:
    first, second = opened(place), opened(place)
    begin(first)
    with first.writing() as books:
        close(books)
        books.locked("ember")
        assert everything(second)[-1] == []
