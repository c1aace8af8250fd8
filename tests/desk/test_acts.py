"""The GM's other acts: more time, a pause, another player, a bot, a note."""

from datetime import UTC, datetime, timedelta

import pytest

from adjudicator.core.document import decode
from adjudicator.desk.acts.calendar import extend_deadline, pause_game, resume_game
from adjudicator.desk.acts.notes import add_note
from adjudicator.desk.acts.seats import seat_bot
from adjudicator.desk.model.errors import Refused, Unknown
from adjudicator.desk.model.history import list_history_lines
from adjudicator.desk.model.values import Player, Status
from adjudicator.desk.steps.handover import replace_player
from tests.desk.conftest import AT, GAME, Desk


def test_more_time_is_told_to_everybody_by_their_own_clock(desk: Desk) -> None:
    with desk.store.writing() as books:
        books.save(Player(name="Ada", zone="America/New_York"))
    desk.new(settings={"pace": "72h", "zone": "Europe/Berlin"})
    step = desk.act(extend_deadline, "24h")
    assert step.deadline == AT + timedelta(hours=96)
    assert desk.step().deadline == step.deadline
    told = [decode(x.document)["lines"][0] for x in desk.letters("notice")]
    assert told[0].endswith("deadline is Fri 6 Nov 2026, 15:00 (America/New_York, UTC-5).")
    assert told[1].endswith("deadline is Fri 6 Nov 2026, 21:00 (Europe/Berlin, UTC+1).")


@pytest.mark.parametrize(
    ("said", "due"),
    [
        ("1w", AT + timedelta(hours=72, weeks=1)),
        ("2h30m", AT + timedelta(hours=74, minutes=30)),
        ("until Sun 20:00", AT + timedelta(days=6, hours=-1)),
        ("until sunday, 20:00", AT + timedelta(days=6, hours=-1)),
        ("until 2026-12-24 20:00", datetime(2026, 12, 24, 19, 0, tzinfo=UTC)),
    ],
)
def test_more_time_by_a_length_or_to_a_time_of_the_games_zone(
    desk: Desk, said: str, due: datetime
) -> None:
    desk.new(settings={"pace": "72h", "zone": "Europe/Berlin"})
    assert desk.act(extend_deadline, said).deadline == due


def test_more_time_must_end_in_the_future(desk: Desk) -> None:
    desk.new(settings={"pace": "72h"})
    desk.later(hours=80)
    with pytest.raises(Refused, match="not in the future"):
        desk.act(extend_deadline, "8h")
    assert desk.act(extend_deadline, "9h").deadline == AT + timedelta(hours=81)


@pytest.mark.parametrize("length", ["0h", "soon", "-3h"])
def test_what_is_no_more_time(desk: Desk, length: str) -> None:
    desk.new(settings={"pace": "72h"})
    with pytest.raises(Refused):
        desk.act(extend_deadline, length)


def test_time_that_was_given_by_mistake_is_taken_back_and_no_more(desk: Desk) -> None:
    desk.new(settings={"pace": "72h"})
    desk.act(extend_deadline, "3d")
    desk.act(extend_deadline, "1h")
    assert desk.act(extend_deadline, "2d", back=True).deadline == AT + timedelta(hours=97)
    lines = [decode(x.document)["lines"][0] for x in desk.letters("notice", "red")]
    assert lines[-1].startswith("The GM moved the deadline of round 1, pick back by 2d.")
    with pytest.raises(
        Refused, match="earliest deadline of round 1, pick is Thu 5 Nov 2026, 20:00 UTC"
    ):
        desk.act(extend_deadline, "26h", back=True)
    assert desk.act(extend_deadline, "25h", back=True).deadline == AT + timedelta(hours=72)


def test_no_time_is_taken_back_that_somebody_else_was_given(desk: Desk) -> None:
    """A substitute keeps the full deadline, whatever the GM had given before."""
    desk.new(settings={"pace": "72h"})
    desk.act(extend_deadline, "3h")
    desk.later(hours=10)
    desk.act(replace_player, "red", "Dan")
    with pytest.raises(Refused, match="only an earlier extension"):
        desk.act(extend_deadline, "1h", back=True)


def test_time_is_not_taken_back_into_the_past(desk: Desk) -> None:
    desk.new(settings={"pace": "72h"})
    desk.act(extend_deadline, "24h")
    desk.later(hours=80)
    with pytest.raises(Refused, match="not in the future; take back less"):
        desk.act(extend_deadline, "24h", back=True)


def test_without_a_deadline_there_is_nothing_to_extend(desk: Desk) -> None:
    desk.new()
    with pytest.raises(Refused, match="there is no deadline to extend"):
        desk.act(extend_deadline, "24h")


def test_a_pause_moves_the_deadline_by_its_length(desk: Desk) -> None:
    desk.new(settings={"pace": "72h"})
    desk.later(hours=10)
    desk.act(pause_game)
    assert desk.game().status is Status.PAUSED
    with pytest.raises(Refused, match="paused"):
        desk.act(pause_game)
    desk.later(hours=100)
    desk.act(resume_game)
    assert desk.game().status is Status.RUNNING
    assert desk.step().deadline == AT + timedelta(hours=172)
    assert desk.game().paused is None
    with pytest.raises(Refused, match="running"):
        desk.act(resume_game)
    told = [decode(x.document)["headline"] for x in desk.letters("notice", "red")]
    assert told == ["Paused", "The game continues"]


def test_a_substitute_gets_a_full_deadline_the_report_and_what_is_on_file(desk: Desk) -> None:
    desk.new(settings={"pace": "72h"})
    desk.send("red", "play: owl")
    desk.later(hours=70)
    seating = desk.act(replace_player, "red", "Dan")
    assert (seating.player, seating.number, seating.vote) == ("Dan", 2, "none")
    assert desk.step().deadline == desk.at + timedelta(hours=72)
    assert desk.send("red", "game: tiny")["set"]["receipt"] == 1
    letters = {
        (x.kind, decode(x.document)["player"]): decode(x.document)
        for x in desk.letters(seat="red")
        if x.made == desk.at and x.kind != "receipt"
    }
    assert sorted(letters) == [("answer", "Dan"), ("notice", "Ada")]
    assert letters["answer", "Dan"]["form"]["orders"] == {"play": "owl"}
    assert "receipt 1" in str(letters["answer", "Dan"]["notices"])
    assert letters["notice", "Ada"]["form"] is None
    assert letters["answer", "Dan"]["report"] == "report/1"
    others = [decode(x.document)["headline"] for x in desk.letters("notice", "blue")]
    assert others == ["A new player for red"]


def test_a_running_deadline_is_never_shortened(desk: Desk) -> None:
    desk.new(settings={"pace": "72h"})
    desk.act(extend_deadline, "48h")
    desk.later(hours=1)
    desk.act(replace_player, "red", "Dan")
    assert desk.step().deadline == AT + timedelta(hours=120)


def test_nobody_gets_a_second_seat(desk: Desk) -> None:
    desk.new()
    with pytest.raises(Refused, match="Bo already plays blue"):
        desk.act(replace_player, "red", "Bo")
    with pytest.raises(Unknown, match="pink"):
        desk.act(replace_player, "pink", "Dan")


def test_a_player_may_come_back_to_another_seat(desk: Desk) -> None:
    desk.new()
    desk.act(seat_bot, "blue")
    assert desk.act(replace_player, "red", "Bo").player == "Bo"
    old = [s for s in desk.see(lambda books: books.seatings(GAME)) if s.until is not None]
    assert [(s.seat, s.number, s.player) for s in old] == [("red", 1, "Ada"), ("blue", 1, "Bo")]


def test_a_bot_takes_over_once(desk: Desk) -> None:
    desk.new()
    desk.act(seat_bot, "red")
    seating = desk.seating("red")
    assert (seating.kind, seating.number, seating.player) == ("bot", 2, None)
    with pytest.raises(Refused, match="a bot plays red already"):
        desk.act(seat_bot, "red")


def test_everybody_hears_that_a_bot_plays_on(desk: Desk) -> None:
    desk.new()
    desk.act(seat_bot, "red")
    told = {x.seat: decode(x.document) for x in desk.letters("notice")}
    assert told["red"]["headline"] == "You no longer play red"
    assert {told[seat]["headline"] for seat in ("blue", "green")} == {"A bot plays red"}
    assert told["red"]["form"] is None, "no key of theirs is good any more"
    assert told["blue"]["form"]["envelope"]["step"] == "1-pick", "every letter can be replied to"


def test_a_note_is_kept_and_needs_words(desk: Desk) -> None:
    desk.new()
    desk.act(add_note, [" Blue is\n on holiday "])
    assert desk.see(lambda books: books.notes(GAME))[-1].text == "Blue is on holiday"
    with pytest.raises(Refused, match="needs words"):
        desk.act(add_note, ["  "])


def test_every_act_is_in_the_history(desk: Desk) -> None:
    desk.new(settings={"pace": "72h"})
    desk.act(extend_deadline, "24h")
    desk.act(pause_game)
    desk.act(resume_game)
    desk.act(replace_player, "red", "Dan")
    desk.act(seat_bot, "blue")
    desk.act(add_note, ["well"])
    desk.send("red", "play: owl\nvote: draw")
    desk.close()
    told = desk.see(lambda books: list_history_lines(books, GAME))
    assert [(one["number"], one["act"], one["by"]) for one in told] == [
        (1, "new", "gm"),
        (2, "start", "gm"),
        (3, "extend", "gm"),
        (4, "pause", "gm"),
        (5, "resume", "gm"),
        (6, "replace", "gm"),
        (7, "bot", "gm"),
        (8, "note", "gm"),
        (9, "submit", "player"),
        (10, "vote", "player"),
        (11, "close", "gm"),
    ]
    assert told[-1]["data"]["missing"] == ["green"]
    assert told[-1]["data"]["now"]
