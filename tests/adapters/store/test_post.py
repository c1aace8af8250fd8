"""Letters in, addresses and what people wish are kept as they were given, on both engines."""

from datetime import timedelta
from typing import Any

import pytest
from msgspec.structs import replace

from adjudicator.adapters.store.store import SqlStore
from adjudicator.desk.model.errors import Already
from adjudicator.desk.model.mail import Caller
from adjudicator.desk.model.ports import Books
from adjudicator.desk.model.values import (
    Absence,
    Address,
    Arrival,
    Heartbeat,
    Observer,
    PlanAhead,
    Press,
    Signup,
)
from tests.adapters.store.examples import LATER, NOON, begin, game, letter, player


def arrival(message_id: str = "<1@example.net>", **changes: Any) -> Arrival:
    given: dict[str, Any] = {
        "message_id": message_id,
        "digest": "d1",
        "arrived": NOON,
        "read": LATER,
        "date": NOON,
        "sender": "ada@example.org",
        "game": "ember",
        "seat": "red",
        "outcome": "receipt",
        "reason": "taken",
        "answer": "<ember.1-plan.red.receipt.1@example.org>",
        "number": 1,
    }
    return Arrival(**given | changes)


def test_a_letter_in_is_found_again_by_all_its_names(store: SqlStore) -> None:
    begin(store)
    first, second = arrival(), arrival("", game=None, seat=None, number=None, answer=None)
    with store.writing() as books:
        books.save(first)
        books.save(second)
    with store.reading() as books:
        assert books.arrival("<1@example.net>", "d1") == first
        assert books.arrival("<1@example.net>", "d2") is None
        assert books.arrival("", "d1") == second
        assert books.arrivals() == [first, second]
        assert books.arrivals("ember") == [first]
        assert books.last_arrival() == second
        assert books.arrival_of("ember", "red", 1) == first
        assert books.arrival_of("ember", "blue", 1) is None
        assert books.answered_by(first.answer or "") == first
        assert books.answered_by("<x>") is None


def test_a_letter_in_is_kept_once(store: SqlStore) -> None:
    with store.writing() as books:
        books.save(arrival())
        books.save(arrival(digest="d2"))
    with pytest.raises(Already, match="was read already"), store.writing() as books:
        books.save(arrival(reason="again"))


def test_what_is_known_of_an_address_outlives_changes_of_the_player(store: SqlStore) -> None:
    bounced = Address(
        player="Ada", address="ada@example.net", bounced=NOON, reason="550", confirmed=False
    )
    with store.writing() as books:
        books.save(player())
        books.save(bounced)
        books.save(player(zone="UTC", addresses=("ada@example.com", "ada@example.net")))
    with store.reading() as books:
        assert books.addresses("Ada") == [
            Address(player="Ada", address="ada@example.com"),
            bounced,
        ]
        assert books.player("Ada") == player(
            zone="UTC", addresses=("ada@example.com", "ada@example.net")
        )
        assert books.holders("ada@example.net") == ["Ada"]
        assert books.holders("ada@example.org") == []


def test_a_new_address_is_the_last(store: SqlStore) -> None:
    with store.writing() as books:
        books.save(player())
        books.save(Address(player="Ada", address="a@example.com"))
    with store.reading() as books:
        found = books.player("Ada")
        assert found is not None
        assert found.addresses[-1] == "a@example.com"


def test_press_after_a_step_is_that_of_later_ones(store: SqlStore) -> None:
    begin(store)
    written = [
        Press(
            game="ember", number=number, at=NOON, step=step, seat="red", seating=1, text="Hi", to=()
        )
        for number, step in enumerate((None, 1, 1, 2, 4), start=1)
    ]
    with store.writing() as books:
        assert (books.press("ember", 0), books.last_press("ember")) == ([], 0)
        for one in written:
            books.save(one)
    with store.reading() as books:
        found = {after: len(books.press("ember", after)) for after in (-1, 0, 1, 2, 3, 4)}
        assert found == {-1: 5, 0: 4, 1: 2, 2: 1, 3: 1, 4: 0}
        assert books.press("ember", 1) == written[3:]


def test_what_people_wish(store: SqlStore) -> None:
    begin(store)
    press = Press(
        game="ember", number=1, at=NOON, step=1, seat=None, seating=0, to=("red",), text="Hallo\n"
    )
    absence = Absence(
        game="ember",
        seat="blue",
        number=1,
        seating=1,
        start=NOON,
        end=LATER,
        days=3,
        announced=NOON,
    )
    observer = Observer(game="ember", address="x@example.org", since=NOON)
    signup = Signup(
        game="ember",
        address="y@example.org",
        name="Yan",
        luck="drei",
        prefer={"seats": ["red"]},
        status="asked",
        asked=NOON,
    )
    with store.writing() as books:
        books.save(press)
        books.save(replace(press, number=2, to=(), anonymous=True, seat="red"))
        books.save(absence)
        books.save(replace(absence, seat="red"))
        books.save(observer)
        books.save(replace(observer, until=LATER))
        books.save(signup)
        books.save(replace(signup, status="seated", confirmed=LATER, seat="red"))
    with store.reading() as books:
        assert books.press("ember") == [
            press,
            replace(press, number=2, to=(), anonymous=True, seat="red"),
        ]
        assert books.last_press("ember") == 2
        assert [one.seat for one in books.absences("ember")] == ["red", "blue"]
        assert books.absences("ember")[1] == absence
        assert books.observers("ember") == [replace(observer, until=LATER)]
        assert books.signups("ember") == [
            replace(signup, status="seated", confirmed=LATER, seat="red")
        ]


def test_plans_are_kept_by_seat_list_and_place(store: SqlStore) -> None:
    begin(store)
    plan = PlanAhead(
        game="ember",
        seat="blue",
        number=1,
        place=1,
        seating=1,
        form="jump",
        conditions={"mine": ["C4"]},
        orders={"jump": [{"from": "C4", "to": "D5", "fleets": 3}]},
        filed=NOON,
    )
    used = replace(plan, status="used", step=2, receipt=5, reason="", told=False)
    with store.writing() as books:
        for place in (2, 1):
            books.save(replace(plan, place=place))
        books.save(replace(plan, number=2, conditions={}))
        books.save(replace(plan, seat="red"))
        books.save(used)
    with store.reading() as books:
        kept = books.plans("ember")
        assert [(one.seat, one.number, one.place) for one in kept] == [
            ("red", 1, 1), ("blue", 1, 1), ("blue", 1, 2), ("blue", 2, 1),
        ]  # fmt: skip
        assert kept[1] == used
    with store.writing() as books:
        books.save(replace(plan, place=2, status="superseded"))
        books.save(replace(plan, number=2, conditions={}, status="withdrawn"))
        books.save(replace(plan, number=3, status="superseded"))
        books.drop_plans("ember", "blue", 3)
        assert [(one.seat, one.number, one.place) for one in books.plans("ember")] == [
            ("red", 1, 1), ("blue", 1, 1), ("blue", 3, 1),
        ]  # fmt: skip


def test_a_message_is_never_rewritten(store: SqlStore) -> None:
    begin(store)
    press = Press(
        game="ember", number=1, at=NOON, step=1, seat="red", seating=1, to=(), text="Hello"
    )
    with store.writing() as books:
        books.save(press)
    with pytest.raises(Already, match="has a message 1 already"), store.writing() as books:
        books.save(replace(press, text="Never said"))


def test_letters_of_a_seat_are_counted_from_an_instant_on(store: SqlStore) -> None:
    with store.writing() as books:
        for number, read in enumerate((NOON, LATER, LATER)):
            books.save(arrival(f"<{number}@x>", read=read))
        books.save(arrival("<blue@x>", read=LATER, seat="blue"))
    with store.reading() as books:
        counted = [books.letters_read("ember", "red", since, 9) for since in (NOON, LATER)]
        assert counted == [3, 2]
        assert books.letters_read("ember", "red", NOON, 2) == 2
        assert books.letters_read("ember", "green", NOON, 9) == 0


def test_callers_and_signs_of_life(store: SqlStore) -> None:
    caller = Caller(address="x@example.org", day="2026-11-18", answers=2, wrong=5, until=LATER)
    beat = Heartbeat(name="daemon", at=NOON, boot=12.5, facts={"pid": 7})
    with store.writing() as books:
        books.save(replace(caller, answers=1))
        books.save(caller)
        books.save(beat)
        books.save(replace(beat, at=LATER))
    with store.reading() as books:
        assert books.caller("x@example.org") == caller
        assert books.caller("y@example.org") is None
        assert books.heartbeats() == [replace(beat, at=LATER)]


def test_letters_to_addresses_about_no_game(store: SqlStore) -> None:
    house = letter(
        "nobody",
        game="",
        step=0,
        kind="answer",
        to=("x@example.org",),
        results={"x@example.org": {"status": "later"}},
        not_before=LATER,
        attempts=3,
        seating=0,
    )
    with store.writing() as books:
        books.save(house)
    with store.reading() as books:
        assert books.letters("") == [house]
        assert books.waiting_letters() == 1
        assert books.last_sent() is None
    with store.writing() as books:
        assert books.claim_letters("a", LATER, 5, NOON) == []
        (claimed,) = books.claim_letters("a", LATER + timedelta(hours=1), 5, LATER)
        assert claimed == replace(house, not_before=LATER + timedelta(hours=1))
        books.save(replace(claimed, status="sent", content=b"x", not_before=None))
        books.release_letters("a")
    with store.reading() as books:
        assert books.waiting_letters() == 0
        sent = books.last_sent()
        assert sent is not None
        assert sent.content == b"x"


def given_up(books: Books) -> None:
    """Much that is written in a part, and an end to it."""
    with books.part():
        books.save(letter("blue"))
        books.save(game(seats=("red", "blue"), open_step=None))
        assert books.game("ember").seats == ("red", "blue")
        raise ValueError("enough")


def test_a_part_is_undone_alone(store: SqlStore) -> None:
    begin(store)
    with store.writing() as books:
        books.save(letter("red"))
        with pytest.raises(ValueError, match="enough"):
            given_up(books)
        assert books.game("ember").seats == game().seats
        with books.part():
            books.save(letter("amber"))
            with pytest.raises(Already), books.part():
                books.save(letter("amber", document=b"[]"))
    with store.reading() as books:
        assert [one.seat for one in books.letters("ember")] == ["red", "amber"]
        assert books.game("ember") == game()


def test_what_waits_in_a_part_is_refused_in_it(store: SqlStore) -> None:
    begin(store)
    with store.writing() as books:
        books.save(letter())
        with pytest.raises(Already), books.part():
            books.save(letter(document=b"[]"))
    with store.reading() as books:
        assert [one.document for one in books.letters("ember")] == [b"{}"]
