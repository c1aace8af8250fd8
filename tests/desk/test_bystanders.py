"""Who owes nothing in a step: no letter asks for orders, and the GM is not told they are in."""

import pytest

from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.core.document import decode
from adjudicator.desk.acts.calendar import extend_deadline
from adjudicator.desk.questions.answer import answer_gm
from tests.desk.conftest import Desk
from tests.desk.wishing import case_of, text_of

_ASKED = "Fill in this form and send it back."
_QUIET = "Nothing is due from you. Use these lines in a reply to write to others or to ask."


@pytest.fixture
def gate(desk: Desk) -> Desk:
    """Jump Gate, in which blue waits while red has its turn."""
    desk.library = FolderLibrary()
    desk.new(
        kind="jump-gate",
        seats={"red": "Ada", "blue": "Bo"},
        options={"start_player": "red"},
        settings={"pace": "72h"},
    )
    return desk


def _plain(text: str) -> str:
    return " ".join(text.split())


def test_a_notice_asks_for_orders_only_of_who_owes_some(gate: Desk) -> None:
    gate.act(extend_deadline, "24h")
    red, blue = (_plain(text_of(gate.letters("notice", seat)[-1])) for seat in ("red", "blue"))
    assert _ASKED in red
    assert _ASKED not in blue
    assert _QUIET in blue


def test_standing_orders_on_file_are_shown_as_what_stands(gate: Desk) -> None:
    gate.send("blue", "standing: {collect: none}")
    gate.act(extend_deadline, "24h")
    told = _plain(text_of(gate.letters("notice", "blue")[-1]))
    assert "These are your orders on file. Change them and reply, or do nothing." in told
    assert "standing: {collect: [none]}" in told


def test_the_gm_is_not_told_that_who_owes_nothing_is_in(gate: Desk) -> None:
    with gate.store.reading() as books:
        (status,) = answer_gm(case_of(gate, books), ["status"])
    assert [tuple(row) for row in status["rows"]] == [
        ("red", "Ada", "NOT in"),
        ("blue", "Bo", "nothing due"),
    ]


def test_late_standing_orders_are_not_sent_to_an_empty_form(gate: Desk) -> None:
    gate.send("red", "end: true")
    gate.close(now=False)
    for seat, told in (
        ("blue", "Due from you now: turn 2; the form shows it."),
        ("red", "Nothing is due from you now, in turn 2."),
    ):
        receipt = gate.send(seat, "step: 1-turn\nstanding: {collect: none}")
        (fault,) = receipt["faults"]
        assert fault["message"] == (
            "These orders are for turn 1 (step 1-turn), which closed on Mon 2 Nov 2026, "
            f"20:00:00 UTC. {told}"
        )


def test_a_preview_says_nowhere_that_something_is_on_file(gate: Desk) -> None:
    orders = "actions: [{do: research, discard: []}, {do: fly, to: anno}]"
    for preview, said in (
        ("\npreview: true", "would be on file, but would not be carried out"),
        ("", "is on file, but is not carried out"),
    ):
        receipt = gate.send("red", orders + preview)
        assert [one["mark"] for one in receipt["entries"]] == ["fine", "refused"]
        (remark,) = receipt["wishes"]
        assert f"What comes before the refused order {said} until" in remark
    assert decode(gate.letters("receipt", "red")[-1].document)["outcome"] == "taken"
