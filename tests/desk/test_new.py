"""A game is made: what is refused, and what the GM is told."""

from datetime import timedelta
from typing import Any

import pytest

from adjudicator.core.dice import seed_from_number
from adjudicator.core.document import decode, digest
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.values import Status
from adjudicator.desk.steps.chance import SERVER_ALONE
from adjudicator.desk.steps.handover import replace_player
from adjudicator.desk.steps.start import start_game
from tests.desk.conftest import Desk

OPEN = {"red": "Ada", "blue": None}


def test_a_game_waits_until_every_seat_is_taken(desk: Desk) -> None:
    assert desk.new(seats=OPEN, start=False).status is Status.OPEN
    with pytest.raises(Refused, match="nobody plays blue"):
        desk.act(start_game)
    desk.act(replace_player, "blue", "Bo")
    closing = desk.act(start_game)
    assert closing.game.status is Status.RUNNING
    assert (closing.step.name, desk.step().name) == ("0-setup", "1-pick")
    assert [(x.seat, x.kind, x.number) for x in desk.made] == [
        ("red", "report", 1),
        ("blue", "report", 1),
    ]
    with pytest.raises(Refused, match="running"):
        desk.act(start_game)


def test_the_first_report_says_what_is_due(desk: Desk) -> None:
    desk.new(settings={"pace": "72h", "zone": "Europe/Berlin"})
    report = decode(desk.letters("report", "red")[0].document)
    assert (report["report"], report["step"], report["number"]) == ("report/1", "0-setup", 1)
    assert report["due"] == {
        "step": "1-pick",
        "form": "pick",
        "what": "a card for round 1",
        "deadline": "2026-11-05T21:00:00+01:00",
        "zone": "Europe/Berlin",
        "waiting": True,
    }
    assert report["form"]["envelope"] == {
        "game": "tiny",
        "step": "1-pick",
        "key": None,
        "after": 0,
    }


@pytest.mark.parametrize(
    ("wish", "told"),
    [
        ({"game": "Tiny"}, 'game "Tiny"'),
        ({"game": "a--b"}, 'game "a--b"'),
        ({"game": "x" * 33}, "at most 32"),
        ({"game": ""}, "game"),
        ({"seats": {"Red": "Ada", "blue": "Bo"}}, 'seat "Red"'),
        ({"seats": {"all": "Ada", "blue": "Bo"}}, "another name"),
        ({"seats": {"red": "Ada", "blue": "Ada"}}, "nobody may hold two seats"),
        ({"seats": {"red": "Ada"}}, "2 to 4 seats, not 1"),
        ({"luck": {"pink": "x"}}, "pink"),
        ({"luck": {"red": "seven\x1b[31m"}}, "luck words for red"),
        ({"seats": {"red": "A\x1b[31mda", "blue": "Bo"}}, "one line of 1 to 60 signs"),
        ({"seats": {"red": "Ada\n\nkey: x", "blue": "Bo"}}, "one line"),
        ({"seats": {"red": "A" * 61, "blue": "Bo"}}, "1 to 60 signs"),
        ({"seed": b"short"}, "32 bytes"),
        ({"options": {"rounds": "many"}}, "rounds"),
        ({"settings": {"pace": "soon"}}, "pace"),
        ({"settings": {"tempo": "72h"}}, "tempo"),
        ({"settings": {"zone": "Middle/Earth"}}, "Middle/Earth"),
        ({"settings": {"nmr_limit": 0}}, "nmr_limit"),
        ({"kind": "toy-dual"}, "toy-duel"),
    ],
)
def test_what_cannot_be_is_refused_by_name(desk: Desk, wish: dict[str, Any], told: str) -> None:
    with pytest.raises(Refused, match=told):
        desk.new(**wish)
    assert desk.see(lambda books: books.games()) == []


def test_a_name_is_used_once(desk: Desk) -> None:
    desk.new()
    with pytest.raises(Refused, match="tiny"):
        desk.new()


def test_outside_the_book_is_allowed_and_said(desk: Desk) -> None:
    desk.new(seats={"red": "bot", "blue": "bot", "green": "bot", "yellow": "bot"})
    notes = desk.see(lambda books: books.notes("tiny"))
    assert [note.text for note in notes if note.act == "advice"] == [
        "Toy Duel is made for 2 to 3 players; 4 is outside the rulebook, but the program plays it",
        SERVER_ALONE,
    ]


def test_a_chosen_seed_marks_the_game(desk: Desk) -> None:
    desk.new(verifiable=False)
    (advice,) = [n for n in desk.see(lambda books: books.notes("tiny")) if n.act == "advice"]
    assert "the dice of this game prove nothing" in advice.text


def test_the_history_commits_to_the_seed_and_does_not_tell_it(desk: Desk) -> None:
    desk.new()
    notes = desk.see(lambda books: books.notes("tiny"))
    assert notes[0].data["seed_digest"] == digest(seed_from_number(1))
    told = str([(note.text, note.data) for note in notes])
    assert seed_from_number(1).hex() not in told
    assert "owls" not in told


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"pace": "daily 20:00", "least": "25h"}, "`least` is longer than the 1 day between"),
        ({"pace": "mon,thu 20:00", "least": "73h"}, "from Mon to Thu"),
        ({"pace": "daily 20:00", "grace": "24h"}, "`grace` lasts until the next deadline"),
        ({"pace": "mon,thu 20:00"}, None),
        ({"pace": "daily 20:00", "grace": "23h"}, None),
        ({"pace": "24h", "grace": "48h"}, None),
    ],
)
def test_a_schedule_that_steps_cannot_keep_is_told_at_once(
    desk: Desk, settings: dict[str, Any], told: str | None
) -> None:
    desk.new(settings=settings)
    notes = desk.see(lambda books: books.notes("tiny"))
    advice = " ".join(note.text for note in notes if note.act == "advice")
    if told is None:
        assert "schedule" not in advice
    else:
        assert told in advice


def test_a_step_closed_after_its_grace_is_followed_by_one_due_the_next_day(desk: Desk) -> None:
    desk.new(
        settings={"pace": "daily 20:00", "zone": "Europe/Berlin", "nmr_limit": 99},
        options={"rounds": 5},
    )
    first = desk.step().deadline
    assert first is not None
    desk.at = first + timedelta(minutes=30, seconds=17)
    desk.close()
    assert desk.step().deadline == first + timedelta(days=1)
