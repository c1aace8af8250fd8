"""What is written is what is read, on both engines."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, timezone

import pytest

from adjudicator.adapters.store.store import SqlStore
from adjudicator.desk.model.errors import Unknown
from adjudicator.desk.model.ports import Books
from adjudicator.desk.model.values import Status
from tests.adapters.store.examples import (
    LATER,
    NOON,
    begin,
    close,
    closed,
    game,
    letter,
    link,
    note,
    order_set,
    paper,
    player,
    seating,
    step,
)


def test_a_game_reads_as_it_was_written(store: SqlStore) -> None:
    bare = game("birch", luck=(), components=None, open_step=None, paused=None, verifiable=True)
    with store.writing() as books:
        books.add_game(game())
        books.add_game(bare)
        assert books.locked("birch") == bare
    with store.reading() as books:
        assert books.games() == [bare, game()]
        assert books.game("ember") == game()


def test_games_are_sorted_by_code_point(store: SqlStore) -> None:
    """Also where the database's language would sort them otherwise."""
    with store.writing() as books:
        for name in ("b", "a-b", "B", "ab", "ä"):
            books.add_game(game(name))
    with store.reading() as books:
        assert [one.id for one in books.games()] == ["B", "a-b", "ab", "b", "ä"]


def test_a_saved_game_changes_whole(store: SqlStore) -> None:
    changed = game(status=Status.OVER, seats=("blue", "red", "green"), open_step=None, paused=None)
    with store.writing() as books:
        books.add_game(game())
        books.save(changed)
    with store.reading() as books:
        assert books.game("ember") == changed


def test_an_archived_game_says_since_when(store: SqlStore) -> None:
    with store.writing() as books:
        books.add_game(game())
        books.save(game(archived=NOON))
    with store.reading() as books:
        assert books.game("ember").archived == NOON


def test_a_deleted_game_leaves_nothing_and_no_other_is_touched(store: SqlStore) -> None:
    begin(store)
    birch = game("birch", open_step=None)
    with store.writing() as books:
        books.add_game(birch)
        close(books)
        books.save(seating())
        books.save(note(2))
    with store.writing() as books:
        books.delete_game("ember")
    with store.reading() as books:
        assert books.games() == [birch]
        assert books.steps("ember") == []
        assert books.orders("ember") == []
        assert books.papers("ember") == []
        assert books.letters("ember") == []
        assert books.notes("ember") == []
        assert books.links("ember") == []
        assert books.seatings("ember") == []


def test_a_game_wakes_when_something_happens_in_it_or_its_time_has_come(store: SqlStore) -> None:
    def awake(at: datetime) -> Sequence[str]:
        with store.reading() as books:
            return books.awake(at)

    with store.writing() as books:
        for name in ("ember", "amber", "birch"):
            books.add_game(game(name))
    assert awake(NOON) == ["amber", "birch", "ember"]
    with store.writing() as books:
        for name, then in (("ember", LATER), ("amber", None), ("birch", NOON)):
            books.locked(name)
            books.wake_game(name, then)
    assert awake(NOON) == ["birch"]
    assert awake(LATER) == ["birch", "ember"]
    with store.writing() as books:
        books.locked("amber")
    assert awake(NOON) == ["amber", "birch"]
    with store.writing() as books:
        books.save(game("amber"))
        books.delete_game("birch")
    assert awake(NOON) == ["amber"]


@pytest.mark.parametrize("look", ["game", "locked"])
def test_a_game_that_is_not_there_is_unknown(store: SqlStore, look: str) -> None:
    with store.writing() as books, pytest.raises(Unknown, match="no game called ashes"):
        getattr(books, look)("ashes")


def test_only_a_game_that_is_there_can_be_saved(store: SqlStore) -> None:
    with pytest.raises(Unknown, match="no game called ember"), store.writing() as books:
        books.save(game())


def test_a_player_keeps_addresses_in_order(store: SqlStore) -> None:
    moved = player(zone="Asia/Tokyo", addresses=("z@example.org", "ada@example.org"))
    plain = player("Bo", addresses=(), preferences={})
    with store.writing() as books:
        books.save(player())
        books.save(plain)
        books.save(moved)
        assert books.player("Ada") == moved
        assert books.player("Bo") == plain
        assert books.player("Cy") is None
        assert books.players() == [moved, plain]
        books.add_game(game())
        assert books.people("ember") == []
        books.save(seating())
        assert books.people("ember") == [moved]


def test_seatings_come_in_the_games_order(store: SqlStore) -> None:
    rows = [
        seating("red", 1),
        seating("red", 2, player=None, kind="bot", until=None),
        seating("blue", 1),
        seating("amber", 1),
    ]
    begin(store)
    with store.writing() as books:
        for row in reversed(rows):
            books.save(row)
        books.save(seating("red", 1, vote="none", missed=3))
    with store.reading() as books:
        assert books.seatings("ember") == [seating("red", 1, vote="none", missed=3), *rows[1:]]


def test_a_step_is_opened_changed_and_closed(store: SqlStore) -> None:
    begin(store)
    later = step(1, deadline=LATER + timedelta(days=1))
    with store.writing() as books:
        books.save(later)
        assert books.step("ember", 1) == later
        books.save(closed(1, deadline=None, reason="time"))
        books.save(closed(1, deadline=None, reason="time", void=True))
    with store.reading() as books:
        assert books.steps("ember")[1:] == [closed(1, deadline=None, reason="time", void=True)]
        assert books.step_names("ember") == [one.name for one in books.steps("ember")]
        with pytest.raises(Unknown, match="no step 7 in ember"):
            books.step("ember", 7)


def test_orders_come_by_seat_step_and_number(store: SqlStore) -> None:
    begin(store)
    rows = [
        order_set("red", 1),
        order_set("red", 2),
        order_set("red", 0, step=2),
        order_set("blue", 0),
        order_set("amber", 1),
    ]
    with store.writing() as books:
        books.save(step(2))
        for row in reversed(rows):
            books.save(row)
    with store.reading() as books:
        assert books.orders("ember") == rows
        assert books.orders("ember", 2) == [rows[2]]


def test_a_set_becomes_ready_and_executed(store: SqlStore) -> None:
    begin(store)
    with store.writing() as books:
        books.save(order_set())
        books.save(order_set(ready=True))
        books.save(order_set(ready=True, executed=True))
        assert books.orders("ember") == [order_set(ready=True, executed=True)]


def test_the_publics_paper_comes_first(store: SqlStore) -> None:
    begin(store)
    rows = [paper(None), paper("red", 1), paper("red", 2), paper("blue"), paper("amber")]
    with store.writing() as books:
        for row in reversed(rows):
            books.save(row)
        books.save(step(2))
        books.save(paper("amber", 2, step=2))
    with store.reading() as books:
        assert books.papers("ember") == [*rows, paper("amber", 2, step=2)]
        assert books.papers("ember", 1) == rows


def test_a_paper_is_found_by_its_number_or_as_the_newest_that_counts(store: SqlStore) -> None:
    begin(store)
    with store.writing() as books:
        assert books.paper("ember", "red") is None
        for number in (1, 2, 3):
            books.save(closed(number, void=number == 3))
            books.save(paper("red", number, step=number))
            books.save(paper(None, number, step=number))
        books.save(paper("blue", 7))
    with store.reading() as books:
        for seat in ("red", None):
            assert books.paper("ember", seat) == paper(seat, 2, step=2)
            assert books.paper("ember", seat, 3) == paper(seat, 3, step=3)
            assert books.paper("ember", seat, 4) is None
        assert books.paper("ember", "amber") is None


def test_the_first_step_is_the_one_with_the_lowest_number(store: SqlStore) -> None:
    with store.writing() as books:
        books.add_game(game())
        assert books.first_step("ember") is None
    with store.writing() as books:
        books.save(step(1))
        books.save(step(0, phase="setup"))
        assert books.first_step("ember") == step(0, phase="setup")


def test_letters_come_as_they_were_made(store: SqlStore) -> None:
    begin(store)
    rows = [letter("red", 1), letter("blue", 1), letter("amber", 1), letter("red", kind="notice")]
    with store.writing() as books:
        for row in rows:
            books.save(row)
        books.save(letter("red", 1, content=b"From: \xff"))
        books.save(letter("red", 1, content=b"From: \xff", status="sent"))
        books.save(letter(step=2))
    with store.reading() as books:
        sent = letter("red", 1, content=b"From: \xff", status="sent")
        assert books.letters("ember", 1) == [sent, *rows[1:]]
        assert books.letters("ember") == [sent, *rows[1:], letter(step=2)]


def test_links_and_notes_come_by_number(store: SqlStore) -> None:
    begin(store)
    first = link()
    with store.writing() as books:
        assert books.last_link("ember") is None
        books.save_link("ember", first)
        books.save_link("ember", link(first))
        books.save(note(2, data={}))
        books.save(note(1))
    with store.reading() as books:
        assert books.links("ember") == [first, link(first)]
        assert books.last_link("ember") == link(first)
        assert books.notes("ember") == [note(1), note(2, data={})]


def test_the_last_numbers_are_told(store: SqlStore) -> None:
    begin(store)

    def numbers(books: Books) -> list[int]:
        return [
            books.last_reports("ember")["red"].number or 0,
            books.last_letter("ember", "red", "report"),
            books.last_note("ember"),
        ]

    with store.writing() as books:
        assert numbers(books) == [0, 0, 0]
        for number in (1, 3, 2):
            books.save(paper("red", number))
            books.save(letter("red", number))
            books.save(note(number))
        books.save(paper("blue", 9))
        books.save(letter("red", 9, kind="notice"))
        assert numbers(books) == [3, 3, 3]


def test_the_last_step_that_was_reported_and_not_struck(store: SqlStore) -> None:
    def told(books: Books) -> dict[str, tuple[int | None, int | None]]:
        return {seat: (one.number, one.step) for seat, one in books.last_reports("ember").items()}

    begin(store)
    with store.writing() as books:
        assert told(books) == {"red": (None, None), "blue": (None, None), "amber": (None, None)}
        for number in (1, 2, 3):
            books.save(closed(number))
            books.save(paper("red", number, step=number))
        books.save(paper("blue", 9, step=1))
        assert told(books)["red"] == (3, 3)
        books.save(closed(3, void=True))
        assert told(books) == {"red": (3, 2), "blue": (9, 1), "amber": (None, None)}


def test_games_do_not_see_each_other(store: SqlStore) -> None:
    begin(store)
    with store.writing() as books:
        books.add_game(game("birch"))
        books.save(seating())
        books.save(order_set())
        books.save(paper())
        books.save(letter())
        books.save_link("ember", link())
        books.save(note())
    with store.reading() as books:
        for look in ("seatings", "steps", "orders", "papers", "letters", "links", "notes"):
            assert getattr(books, look)("birch") == []
            assert len(getattr(books, look)("ember")) > 0
        assert books.last_link("birch") is None
        assert books.last_note("birch") == 0


def test_an_instant_comes_back_in_utc(store: SqlStore) -> None:
    """Whatever zone it was written in; microseconds stay."""
    tokyo = timezone(timedelta(hours=9))
    with store.writing() as books:
        books.add_game(game(created=datetime(2026, 3, 1, 4, 5, 6, 789, tzinfo=tokyo)))
    with store.reading() as books:
        created = books.game("ember").created
    assert created == datetime(2026, 2, 28, 19, 5, 6, 789, tzinfo=UTC)
    assert created.tzinfo is UTC


def test_an_instant_without_a_zone_is_a_mistake(store: SqlStore) -> None:
    with pytest.raises(Exception, match="needs a zone"), store.writing() as books:
        books.add_game(game(created=NOON.replace(tzinfo=None)))


def test_a_sign_that_one_engine_does_not_know_stops_nobody(store: SqlStore) -> None:
    """Anybody may write a game's name as "em\\0ber" in a letter; the letter must still be read."""
    begin(store)
    with store.writing() as books:
        with pytest.raises(Unknown):
            books.game("em\0ber")
        books.save(note(text="a\0b"))
    with store.reading() as books:
        assert [one.text for one in books.notes("ember")] == ["a\ufffdb"]


def test_bytes_and_odd_texts_survive(store: SqlStore) -> None:
    begin(store)
    odd = note(text="line\nline\r\n ñ 漢 \u202e 💥 '; --", data={"k": ["\x00", 2**60, None, True]})
    with store.writing() as books:
        books.save(letter(document=bytes(range(256))))
        books.save(odd)
    with store.reading() as books:
        assert books.letters("ember")[0].document == bytes(range(256))
        assert books.notes("ember") == [odd]
