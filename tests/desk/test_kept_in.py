"""Reports that a rollback kept in: nobody reads them, until it is taken back; then each once."""

from typing import Any

import pytest
from msgspec.structs import replace as changed

from adjudicator.core.document import decode
from adjudicator.desk.acts.rollback import roll_back, undo_rollback
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.values import OutgoingLetter
from adjudicator.desk.requests.observers import add_observer, remove_observer
from adjudicator.desk.steps.handover import replace_player
from tests.desk.conftest import GAME, Desk
from tests.desk.wishing import case_of, text_of, wish

EVE = "eve@example.org"


def _back(desk: Desk, step: str) -> Any:
    return desk.act(undo_rollback, step)


def _there_and_back(desk: Desk, step: str = "1-pick") -> None:
    desk.act(roll_back, step, same_dice=False)
    _back(desk, step)


def _posted(desk: Desk) -> None:
    """What waits goes out."""
    with desk.store.writing() as books:
        for one in books.letters(GAME):
            if one.status == "queued":
                books.save(changed(one, status="sent", content=b"sent"))


def _reports(desk: Desk, seat: str, step: str) -> list[OutgoingLetter]:
    """The letters with the report of a step that a seat gets."""
    return [
        one
        for one in desk.letters(seat=seat)
        if one.template == "report/1"
        and one.status != "withdrawn"
        and decode(one.document)["step"] == step
    ]


def _watched(desk: Desk) -> None:
    with desk.store.writing() as books:
        add_observer(case_of(desk, books), EVE, None)


def _shown(desk: Desk) -> list[str]:
    return [
        decode(one.document)["step"]
        for one in desk.letters("report")
        if one.to == (EVE,) and one.status != "withdrawn"
    ]


def test_each_time_a_rollback_is_undone_the_report_comes_once_and_says_so(desk: Desk) -> None:
    desk.new()
    desk.close()
    _there_and_back(desk)
    _there_and_back(desk)
    for seat in ("red", "blue", "green"):
        shown = [decode(one.document) for one in _reports(desk, seat, "1-pick")]
        told = [one["notices"][-1]["headline"] for one in shown]
        assert told == ["Round 1, pick counts again"] * 2, "once each time it was undone"


def test_whoever_is_new_on_a_seat_gets_it_and_who_left_does_not(desk: Desk) -> None:
    desk.new()
    desk.close()
    desk.act(roll_back, "1-pick", same_dice=False)
    desk.act(replace_player, "red", "Zoe")
    _back(desk, "1-pick")
    (report,) = _reports(desk, "red", "1-pick")
    assert report.seating == desk.seating("red").number
    assert decode(report.document)["player"] == "Zoe"


def test_whoever_is_new_gets_it_also_where_the_one_before_had_it(desk: Desk) -> None:
    desk.new()
    desk.close()
    _posted(desk)
    desk.act(roll_back, "1-pick", same_dice=False)
    desk.act(replace_player, "red", "Zoe")
    _back(desk, "1-pick")
    assert [one.seating for one in _reports(desk, "red", "1-pick")] == [1, 2]
    assert [one.kind for one in _reports(desk, "blue", "1-pick")] == ["report", "answer"]


def test_who_looks_on_gets_it_too_and_only_what_was_struck_is_kept_in(desk: Desk) -> None:
    desk.new()
    _watched(desk)
    while "3-prize" not in _shown(desk):
        desk.close()
    desk.act(roll_back, "3-prize", same_dice=False)
    assert _shown(desk) == ["1-pick"]
    _back(desk, "3-prize")
    assert _shown(desk) == ["1-pick", "3-prize"]
    report = decode(desk.letters("report")[-1].document)
    assert report["due"]["step"] == desk.step().name


def test_who_looks_on_no_more_gets_nothing(desk: Desk) -> None:
    desk.new()
    _watched(desk)
    desk.close()
    desk.act(roll_back, "1-pick", same_dice=False)
    with desk.store.writing() as books:
        remove_observer(case_of(desk, books), EVE)
    _back(desk, "1-pick")
    assert _shown(desk) == []


def test_a_report_that_was_struck_before_it_went_out_is_not_told(desk: Desk) -> None:
    """It may come out the same again, if the GM keeps the dice."""
    desk.new()
    desk.close()
    desk.act(roll_back, "1-pick", same_dice=True)
    for question in ("report 2", "why 1 2"):
        told = wish(desk, "red", "ask", question)
        assert "was undone before it went out" in str(told.not_taken)
    wish(desk, "red", "ask", "report 1")
    assert decode(desk.letters("answer", "red")[-1].document)["number"] == 1


def test_a_report_that_was_struck_later_can_be_read_again(desk: Desk) -> None:
    desk.new()
    desk.close()
    _posted(desk)
    desk.act(roll_back, "1-pick", same_dice=False)
    wish(desk, "red", "ask", "report 2")
    assert decode(desk.letters("answer", "red")[-1].document)["step"] == "1-pick"


@pytest.mark.parametrize("how", ["asked for", "sent after all"])
def test_dice_are_known_however_a_report_was_read(desk: Desk, how: str) -> None:
    desk.new()
    desk.close()
    if how == "asked for":
        wish(desk, "red", "ask", "report")
        for one in desk.letters("answer"):
            with desk.store.writing() as books:
                books.save(changed(one, status="sent", content=b"sent"))
    else:
        _there_and_back(desk)
        _posted(desk)
    with pytest.raises(Refused, match="its dice are known"):
        desk.act(roll_back, "1-pick", same_dice=True)


def test_press_of_a_step_whose_report_never_came_stands_in_the_next(desk: Desk) -> None:
    desk.new()
    wish(desk, "red", "prefer", {"mails": "final"})
    wish(desk, "blue", "press", [{"to": ["red"], "text": "Listen"}])
    desk.close()
    desk.act(roll_back, "1-pick", same_dice=False)
    desk.close()
    _posted(desk)
    assert "Listen" in text_of(_reports(desk, "red", "3-pick")[0])
    desk.act(roll_back, "3-pick", same_dice=False)
    desk.close()
    assert "Listen" not in text_of(_reports(desk, "red", "5-pick")[0])
