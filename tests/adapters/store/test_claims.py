"""What one daemon alone may do: claims, and games that are locked because something is due."""

import threading
from collections.abc import Callable
from datetime import timedelta

import pytest

from adjudicator.adapters.store.databases import CLOCK_NEWS, POST_NEWS
from adjudicator.adapters.store.store import SqlStore
from adjudicator.adapters.store.trouble import StoreTrouble
from adjudicator.desk.model.mail import Caller, Claim
from adjudicator.desk.model.values import Heartbeat
from tests.adapters.store.examples import LATER, NOON, begin, letter

HELD = timedelta(seconds=20)


def claim(store: SqlStore, owner: str, after: timedelta = timedelta(), name: str = "box") -> bool:
    at = NOON + after
    with store.writing() as books:
        return books.claim(Claim(name=name, owner=owner, until=at + HELD), at)


def test_a_claim_is_one_owners_until_it_expires(store: SqlStore) -> None:
    assert claim(store, "a")
    assert not claim(store, "b")
    assert claim(store, "b", name="another box")
    assert claim(store, "a", HELD / 2), "its owner holds it longer"
    assert not claim(store, "b", HELD)
    assert claim(store, "b", HELD / 2 + HELD)
    assert not claim(store, "a", HELD / 2 + HELD)


def test_claims_are_released_by_their_owner_alone(store: SqlStore) -> None:
    assert claim(store, "a")
    assert claim(store, "b", name="another box")
    with store.writing() as books:
        books.release_claims("b")
        assert [(one.name, one.owner) for one in books.claims()] == [("box", "a")]
    assert not claim(store, "b")
    assert claim(store, "a", name="another box")


def test_of_many_who_claim_at_once_one_succeeds(store: SqlStore) -> None:
    rounds, owners = 10, "abc"
    ready = threading.Barrier(len(owners))
    won: list[tuple[int, str]] = []

    def run(owner: str) -> None:
        for number in range(rounds):
            ready.wait()
            if claim(store, owner, name=f"box {number}"):
                won.append((number, owner))

    threads = [threading.Thread(target=run, args=(owner,)) for owner in owners]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(number for number, _ in won) == list(range(rounds))


def test_a_claim_that_is_undone_was_never_made(store: SqlStore) -> None:
    with store.trying() as books:
        assert books.claim(Claim(name="box", owner="a", until=LATER), NOON)
    assert claim(store, "b")


def test_a_game_is_locked_if_something_is_due_and_nobody_else_is_at_it(
    store: SqlStore, engine: str
) -> None:
    begin(store)
    with store.writing() as books:
        books.wake_game("ember", LATER)
    with store.writing() as books:
        assert not books.lock_awake("ember", NOON)
        assert not books.lock_awake("nowhere", LATER)
    with store.writing() as first:
        assert first.lock_awake("ember", LATER)
        if engine == "postgresql":  # on a file the second would wait until the first has ended
            with store.writing() as second:
                assert not second.lock_awake("ember", LATER)
        first.wake_game("ember", None)
    with store.writing() as books:
        assert not books.lock_awake("ember", LATER), "the other has done what was due"


def test_letters_of_a_dead_owner_are_released_and_no_others(store: SqlStore) -> None:
    begin(store)
    with store.writing() as books:
        for number in (1, 2):
            books.save(letter(number=number))
    with store.writing() as books:
        assert [one.number for one in books.claim_letters("dead", LATER, 1, NOON)] == [1]
        assert [one.number for one in books.claim_letters("living", LATER, 1, NOON)] == [2]
        assert books.letter_holders() == ["dead", "living"]
        books.release_letters("dead")
        assert books.letter_holders() == ["living"]
        assert [one.number for one in books.claim_letters("other", LATER, 9, NOON)] == [1]


def test_heartbeats_are_listed_by_how_their_names_begin(store: SqlStore) -> None:
    names = ["daemon", "daemon a", "daemon \U0001f680", "daemons", "game daemon a"]
    with store.writing() as books:
        for name in names:
            books.save(Heartbeat(name=name, at=NOON))
    with store.reading() as books:
        assert [beat.name for beat in books.heartbeats("daemon ")] == names[1:3]
        assert [beat.name for beat in books.heartbeats()] == names
    with store.writing() as books:
        books.forget_heartbeat("daemon a")
        assert [beat.name for beat in books.heartbeats("daemon ")] == names[2:3]


def test_letters_that_several_send_are_counted_together(store: SqlStore) -> None:
    ready = threading.Barrier(2)
    hour, next_hour = (Caller(address="letters out", day=day) for day in ("T12", "T13"))
    with store.writing() as books:
        assert books.add_answers(hour, 1) == 1

    def run() -> None:
        for _ in range(10):
            ready.wait()
            with store.writing() as books:
                assert books.caller("letters out") is not None, "as it was before"
                books.add_answers(hour, 3)

    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with store.writing() as books:
        assert books.add_answers(hour, 0) == 61
        assert books.add_answers(next_hour, 2) == 2, "each hour is counted from its beginning"


@pytest.mark.parametrize("engine", ["postgresql"])
def test_others_hear_of_letters_and_games_once_they_are_committed(
    place: str, opened: Callable[[str], SqlStore]
) -> None:
    mine, other = opened(place), opened(place)
    assert other.await_news(0) == set()
    assert mine.await_news(0) == set()
    begin(mine)
    assert other.await_news(10) == {CLOCK_NEWS}
    with mine.trying() as books:
        books.save(letter())
    with mine.writing() as books:
        books.wake_game("ember", LATER)
    with mine.writing() as books:
        books.save(letter())
        assert other.await_news(0) == set(), "nothing is known before the commit"
    assert other.await_news(10) == {POST_NEWS}
    assert mine.await_news(0) == set(), "what one has done is no news"


@pytest.mark.parametrize("engine", ["postgresql"])
def test_who_listens_hears_again_after_the_connection_was_cut(
    place: str, opened: Callable[[str], SqlStore]
) -> None:
    mine, other = opened(place), opened(place)
    begin(mine)
    assert other.await_news(0) == set()
    with mine.engine.begin() as connection:
        connection.exec_driver_sql(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    with pytest.raises(StoreTrouble):
        other.await_news(10)
    assert other.await_news(0) == set()
    with mine.writing() as books:
        books.save(letter())
    assert other.await_news(10) == {POST_NEWS}
