"""Who prefers `mails: final` is mailed of a turn when it has ended, and then of all of it."""

from typing import Any

import pytest

from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.core.document import decode
from adjudicator.desk.acts.edit import edit_position, open_position
from adjudicator.desk.acts.end import end_game
from adjudicator.desk.model.context import Context
from adjudicator.desk.model.values import Player
from adjudicator.desk.questions.screens import find_report
from adjudicator.desk.steps.record import check_chain, read_record
from adjudicator.desk.steps.replay import replay_game
from tests.desk.conftest import GAME, Desk
from tests.desk.wishing import text_of, wish


@pytest.fixture
def gate(desk: Desk) -> Desk:
    """Jump Gate, where a turn may be sent in two letters; red has the first."""
    desk.library = FolderLibrary()
    desk.new(kind="jump-gate", options={"start_player": "red"}, settings={"pace": "72h"})
    wish(desk, "blue", "prefer", {"mails": "final"})
    return desk


def _reports(desk: Desk, seat: str) -> list[Any]:
    return [decode(letter.document) for letter in desk.letters("report", seat)]


def _acted(desk: Desk, seat: str) -> None:
    """One action and no more, so that the turn goes on."""
    desk.send(seat, "actions: [{do: research, discard: []}]")
    desk.close(now=False)


def test_a_turn_in_two_letters_is_one_report(gate: Desk) -> None:
    _acted(gate, "red")
    assert gate.state()["actions_left"] == 1
    assert [len(_reports(gate, seat)) for seat in ("red", "blue", "green")] == [2, 1, 2]
    _acted(gate, "red")
    assert gate.state()["active"] != "red"
    blue, green = _reports(gate, "blue"), _reports(gate, "green")
    assert [one["number"] for one in blue] == [1, 2]
    assert [one["number"] for one in green] == [1, 2, 3]
    assert [one["step"] for one in blue[-1]["since"]] == ["1-turn"]
    kinds = [[event["kind"] for event in one["events"]] for one in (blue[-1], *green[1:])]
    assert sorted(kinds[0]) == sorted(kinds[1] + kinds[2])
    assert "This report also covers turn 1, when" in " ".join(
        text_of(gate.letters("report", "blue")[-1]).split()
    )
    record = gate.see(lambda books: read_record(books, GAME))
    assert not check_chain(record)
    assert not replay_game(record, gate.library.kind("jump-gate"))


def test_who_owes_something_is_mailed_at_once(gate: Desk) -> None:
    wish(gate, "red", "prefer", {"mails": "final"})
    _acted(gate, "red")
    assert _reports(gate, "red")[-1]["due"]["waiting"]
    assert len(_reports(gate, "red")) == 2


def test_who_is_asked_need_not_read_back(gate: Desk) -> None:
    """Green gets every letter; the one that asks tells the round again, with its press once."""
    wish(gate, "red", "press", [{"to": ["green"], "text": "I shall go far."}])
    for seat in ("red", "blue"):
        gate.send(seat, "actions: [{do: research, discard: []}, {do: research, discard: []}]")
        gate.close(now=False)
    first, second, asked = _reports(gate, "green")
    assert first["step"] == "0-setup"
    assert asked["due"]["waiting"]
    assert [one["step"] for one in asked["since"]] == [second["step"]]
    told = [event["text"] for event in asked["events"]]
    assert set(told) > {event["text"] for event in second["events"]}
    assert [one["text"] for one in second["press"]] == ["I shall go far."]
    assert not asked["press"]
    gate.send("green", "pass: yes")
    gate.close(now=False)
    assert not _reports(gate, "green")[-1].get("since")
    assert [one["step"] for one in _reports(gate, "red")[-1]["since"]] == ["2-turn"]
    record = gate.see(lambda books: read_record(books, GAME))
    assert not check_chain(record)
    assert not replay_game(record, gate.library.kind("jump-gate"))


def test_who_asks_is_told_what_the_next_report_will_tell(gate: Desk) -> None:
    _acted(gate, "red")
    wish(gate, "blue", "ask", "status")
    (answer,) = gate.letters("answer", "blue")
    assert "Your next report also covers turn 1." in " ".join(text_of(answer).split())


def test_who_changes_their_mind_is_told_all_with_the_next_step(gate: Desk) -> None:
    _acted(gate, "red")
    wish(gate, "blue", "prefer", {"mails": "each"})
    _acted(gate, "red")
    assert [one["number"] for one in _reports(gate, "blue")] == [1, 2]
    assert _reports(gate, "blue")[-1]["since"]


def test_the_end_of_the_game_is_mailed_at_once_with_all_before_it(gate: Desk) -> None:
    _acted(gate, "red")
    gate.act(end_game, winners=[], reason="it rains")
    last = _reports(gate, "blue")[-1]
    assert last["over"]
    assert [one["step"] for one in last["since"]] == ["1-turn"]


def test_a_step_that_went_on_behind_rulings_is_told_in_its_turn(gate: Desk) -> None:
    _acted(gate, "red")
    _ruled(gate, active="blue")  # who owes something now, and is told of 1-turn
    _ruled(gate, active="red", actions_left=2)
    assert _reports(gate, "blue")[-1]["step"] == "3-ruling"
    _acted(gate, "red")
    _acted(gate, "red")
    told = [one["step"] for one in _reports(gate, "blue")[-1]["since"]]
    assert told == ["1-turn", "2-turn"]  # blue is asked, so the first of them once more


def test_who_wants_reports_when_due_hears_of_the_start_then(desk: Desk) -> None:
    """Who plays, and with which options, stands in their first report."""
    desk.library = FolderLibrary()
    with desk.store.writing() as books:
        for name in ("Bo", "Cleo"):
            books.save(Player(name=name, preferences={"mails": "due"}))
    desk.new(kind="jump-gate", options={"start_player": "red"}, settings={"pace": "72h"})
    assert [one.seat for one in desk.letters() if one.seat != "gm"] == ["red"]
    desk.send("red", "pass: yes")
    desk.close(now=False)
    assert [one.seat for one in desk.letters("report")] == ["red", "red", "blue"]
    assert "mails: due" not in text_of(desk.letters("report", "blue")[-1])
    (told,) = [one for one in desk.told("blue") if one["headline"] == "Who plays"]
    assert told["lines"][:3] == ["red: Ada", "blue: Bo", "green: Cleo"]
    assert not desk.letters(seat="green")


def test_the_last_report_is_the_one_with_the_highest_number(gate: Desk) -> None:
    _acted(gate, "red")
    _ruled(gate, active="blue")
    _acted(gate, "blue")
    assert [one["step"] for one in _reports(gate, "blue")] == ["0-setup", "3-ruling", "2-turn"]
    last = gate.see(lambda books: find_report(books, GAME, seat="blue"))
    assert (last["number"], last["step"]) == (3, "2-turn")


def _ruled(desk: Desk, **changes: Any) -> None:
    now = desk.see(lambda books: open_position(Context(books, desk.library, GAME)))
    desk.act(edit_position, {**now, **changes}, reason="so be it")
