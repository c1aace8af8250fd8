"""Letters are claimed by one sender at a time."""

import threading
from datetime import timedelta

import pytest
from msgspec.structs import replace

from adjudicator.adapters.store.store import SqlStore
from adjudicator.desk.model.errors import Already
from tests.adapters.store.examples import NOON, begin, letter

HELD = timedelta(minutes=5)


def queue(store: SqlStore, count: int) -> None:
    begin(store)
    with store.writing() as books:
        for number in range(1, count + 1):
            books.save(letter(number=number))


def claim(
    store: SqlStore, owner: str, limit: int = 10, after: timedelta = timedelta()
) -> list[int]:
    at = NOON + after
    with store.writing() as books:
        return [one.number for one in books.claim_letters(owner, at + HELD, limit, at)]


def test_the_oldest_go_first_and_only_once(store: SqlStore) -> None:
    queue(store, 5)
    assert claim(store, "a", 2) == [1, 2]
    assert claim(store, "b", 2) == [3, 4]
    assert claim(store, "a") == [5]
    assert claim(store, "a") == []


def test_urgent_letters_and_the_others_are_claimed_apart(store: SqlStore) -> None:
    begin(store)
    queued = [("red", "press"), ("red", "report"), ("nobody", "answer"), ("public", "report")]
    queued += [("red", "answer"), ("gm", "notice"), ("gm", "press")]
    with store.writing() as books:
        for seat, kind in queued:
            books.save(letter(seat, kind=kind))
    with store.writing() as books:
        others, urgent = (
            [(one.seat, one.kind) for one in books.claim_letters("a", NOON, 9, NOON, urgent=wanted)]
            for wanted in (False, True)
        )
    assert urgent == [("red", "report"), ("red", "answer"), ("gm", "notice")]
    assert sorted([*urgent, *others]) == sorted(queued)


def test_urgent_letters_are_claimed_by_turns_of_their_readers(store: SqlStore) -> None:
    """Who waits for one letter does not wait for the hundred that somebody else has caused."""
    begin(store)
    readers = ["red"] * 100 + ["blue", "red", "amber", "blue"]
    with store.writing() as books:
        for number, seat in enumerate(readers, start=1):
            books.save(letter(seat, kind="receipt", number=number))

    def claim_urgent(limit: int) -> list[int]:
        with store.writing() as books:
            claimed = books.claim_letters("a", NOON + HELD, limit, NOON, urgent=True)
            return [one.number for one in claimed]

    assert claim_urgent(4) == [1, 2, 101, 103]
    assert claim_urgent(2) == [3, 104], "the oldest of each that are left"
    assert claim_urgent(3) == [4, 5, 6]
    assert len(claim_urgent(200)) == 104 - 9
    assert claim_urgent(1) == []


def test_a_receipt_goes_before_the_reports_of_others(store: SqlStore) -> None:
    """Reports take long to be written; who has just written wants to know that it was taken."""
    begin(store)
    with store.writing() as books:
        for seat, kind in [("red", "report"), ("blue", "report"), ("amber", "receipt")]:
            books.save(letter(seat, kind=kind))
    with store.writing() as books:
        claimed = books.claim_letters("a", NOON + HELD, 1, NOON, urgent=True)
    assert [(one.seat, one.kind) for one in claimed] == [("amber", "receipt")]


def test_a_claim_expires(store: SqlStore) -> None:
    queue(store, 1)
    assert claim(store, "a") == [1]
    early, late = NOON + HELD - timedelta(microseconds=1), NOON + HELD
    for urgent in (None, True, False):
        with store.reading() as books:
            due = [books.are_letters_due(at, urgent=urgent) for at in (early, late)]
        assert due == [False, urgent is not False]
    assert claim(store, "b", after=early - NOON) == []
    assert claim(store, "b", after=HELD) == [1]


def test_only_queued_letters_are_claimed(store: SqlStore) -> None:
    queue(store, 4)
    with store.writing() as books:
        for number, status in enumerate(("sent", "withdrawn", "failed"), 1):
            books.save(letter(number=number, status=status))
    assert claim(store, "a") == [4]


def test_what_is_queued_can_be_kept_in_by_kind_and_seat(store: SqlStore) -> None:
    begin(store)
    sent = letter(number=9, status="sent", kind="reminder")
    with store.writing() as books:
        books.save(sent)
        for seat in ("red", "blue", "amber"):
            books.save(letter(seat, kind="reminder"))
        books.save(letter())
        books.save(letter(number=2, step=0, kind="reminder"))
        books.withdraw_letters("ember", 1, ["red", "blue"], "reminder")
        books.withdraw_letters("ember", 1, [], "reminder")
    with store.reading() as books:
        kept_in = [one for one in books.letters("ember") if one.status == "withdrawn"]
        assert [(one.seat, one.kind, one.number) for one in kept_in] == [
            ("red", "reminder", 1),
            ("blue", "reminder", 1),
        ]


def test_what_is_claimed_and_moved_on_is_not_claimed_again(store: SqlStore) -> None:
    queue(store, 1)
    claim(store, "a")
    with store.writing() as books:
        books.save(letter(number=1, status="sent", content=b"bytes"))
    assert claim(store, "b", after=2 * HELD) == []


def test_two_senders_share_the_work(store: SqlStore) -> None:
    queue(store, 40)
    ready = threading.Barrier(2)
    claimed: list[int] = []

    def run(owner: str) -> None:
        ready.wait()
        while found := claim(store, owner, 3):
            claimed.extend(found)

    threads = [threading.Thread(target=run, args=(owner,)) for owner in ("a", "b")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(claimed) == list(range(1, 41))


def test_what_became_of_a_letter_is_kept_once_and_leaves_its_bytes_alone(store: SqlStore) -> None:
    queue(store, 2)
    claim(store, "a", 1)
    kept = letter(number=1, content=b"bytes")
    with store.writing() as books:
        books.save(kept)
    results = {"ada@example.org": {"status": "taken"}}
    sent = replace(kept, status="sent", attempts=1, content=None, results=results)
    for _ in range(2):  # a second time where nobody knows whether the first was committed
        with store.writing() as books:
            books.record_results(sent)
    with store.reading() as books:
        assert books.letter(*kept.name) == replace(sent, content=b"bytes")
    with store.writing() as books:
        books.save(letter(number=2, status="withdrawn"))
    for one in (replace(sent, number=2), replace(sent, status="failed")):
        with pytest.raises(Already), store.writing() as books:
            books.record_results(one)
