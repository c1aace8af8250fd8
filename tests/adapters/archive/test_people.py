"""What people wrote to each other and wished is kept; masks stay on where others look."""

from collections.abc import Callable
from datetime import timedelta

import pytest
import yaml
from msgspec.structs import replace

from adjudicator.adapters.archive.read import read_archive
from adjudicator.adapters.archive.reports import Texts
from adjudicator.adapters.archive.stored_game import collect_dossier, restore_game
from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.store.store import SqlStore
from adjudicator.core.document import decode
from adjudicator.desk.acts.end import end_game
from adjudicator.desk.model.ports import Books
from adjudicator.desk.model.values import Absence, Observer, Press, Signup
from adjudicator.desk.steps.lock import lock_game
from tests.adapters.archive.conftest import AT, GAME, make, packed, play


def _people(books: Books) -> None:
    for number, (to, anonymous) in enumerate([((), False), ((), True), (("blue",), False)], 1):
        books.save(
            Press(
                game=GAME,
                number=number,
                at=AT,
                step=1,
                seat="red",
                seating=1,
                to=to,
                anonymous=anonymous,
                text=f"message {number}\nwith é",
            )
        )
    books.save(
        Absence(
            game=GAME,
            seat="blue",
            number=1,
            seating=1,
            start=AT,
            end=AT + timedelta(days=1),
            days=1,
            announced=AT,
        )
    )
    books.save(Observer(game=GAME, address="eve@example.org", since=AT))
    books.save(
        Signup(
            game=GAME,
            address="dan@example.org",
            name="Dan",
            luck="seven",
            prefer={"seats": ["red"]},
            status="waiting",
            asked=AT,
            confirmed=AT,
        )
    )


@pytest.fixture
def peopled(opened: Callable[[str], SqlStore], toy_library: FolderLibrary) -> SqlStore:
    """A running game in which people wrote to each other."""
    store = opened("peopled.db")
    with store.writing() as books:
        make(books, toy_library)
        _people(books)
        play(books, toy_library, 2)
    return store


def _messages(content: bytes) -> list[tuple[object, object, object]]:
    lines = [decode(line) for line in content.splitlines()]
    return [(one["seat"], one["to"], one["text"]) for one in lines]


def test_everything_that_was_written_is_kept(peopled: SqlStore, texts: Texts) -> None:
    assert _messages(packed(peopled, texts)["press.jsonl"]) == [
        ("red", [], "message 1\nwith é"),
        ("red", [], "message 2\nwith é"),
        ("red", ["blue"], "message 3\nwith é"),
    ]


def test_of_what_is_public_only_what_went_to_all_and_masks_stay_on(
    peopled: SqlStore, texts: Texts
) -> None:
    files = packed(peopled, texts, public=True)
    assert _messages(files["press.jsonl"]) == [
        ("red", [], "message 1\nwith é"),
        (None, [], "message 2\nwith é"),
    ]
    assert not [path for path, content in files.items() if b"example.org" in content]


def test_what_was_said_before_the_start_is_of_the_first_step_however_long_the_game_goes_on(
    peopled: SqlStore, texts: Texts, toy_library: FolderLibrary
) -> None:
    with peopled.writing() as books:
        (first, *_) = books.press(GAME)
        books.save(replace(first, number=4, step=None))
        start = books.steps(GAME)[0].opened.isoformat()
    for _ in range(2):
        files = packed(peopled, texts, public=True)
        last = decode(files["press.jsonl"].splitlines()[-1])
        assert last["at"] == start.replace("+00:00", "Z")
        with peopled.writing() as books:
            play(books, toy_library, 1, AT + timedelta(days=1))


def test_people_are_taken_over_with_their_game(
    peopled: SqlStore, texts: Texts, opened: Callable[[str], SqlStore]
) -> None:
    archive = read_archive(packed(peopled, texts))
    again = opened("again.db")
    with again.writing() as books:
        restore_game(books, archive)
    for name in ("press", "absences", "observers", "signups"):
        with peopled.reading() as old, again.reading() as new:
            found = list(getattr(old, name)(GAME))
            assert found
            assert list(getattr(new, name)(GAME)) == found


def test_names_stay_hidden_in_public_until_the_end(
    peopled: SqlStore, texts: Texts, toy_library: FolderLibrary
) -> None:
    with peopled.writing() as books:
        game = books.game(GAME)
        settings = {**game.settings, "anonymous": True, "substitutes": ["Dan"]}
        books.save(replace(game, settings={**settings, "invited": ["fay@example.org"]}))
    files = packed(peopled, texts, public=True)
    sheet = yaml.safe_load(files["game.yaml"])
    assert {one["player"] for one in sheet["seatings"]} == {None}
    for name in (b"Ada", b'"Bo"', b"Dan", b"fay@"):
        assert not [path for path, content in files.items() if name in content]
    with peopled.writing() as books:
        end_game(lock_game(books, toy_library, GAME, at=AT), winners=(), reason="all agreed")
        assert collect_dossier(books, GAME).record.game.status == "over"
    sheet = yaml.safe_load(packed(peopled, texts, public=True)["game.yaml"])
    assert [one["player"] for one in sheet["seatings"]] == ["Ada", "Bo", None]
    assert "invited" not in sheet["settings"]


@pytest.mark.parametrize("told", [True, False])
def test_who_was_late_is_told_in_public_only_where_the_game_says_so(
    running: SqlStore, texts: Texts, told: bool
) -> None:
    with running.writing() as books:
        game = books.game(GAME)
        books.save(replace(game, settings={**game.settings, "late_visible": told}))
        for seating in books.seatings(GAME):
            books.save(replace(seating, missed=2))
    public = yaml.safe_load(packed(running, texts, public=True)["game.yaml"])
    assert {one["missed"] for one in public["seatings"]} == {2 if told else 0}
    everything = yaml.safe_load(packed(running, texts)["game.yaml"])
    assert {one["missed"] for one in everything["seatings"]} == {2}
