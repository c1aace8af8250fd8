"""What people read of their plans: in the subject of a receipt, and in the report; and how many."""

import pytest

from adjudicator.desk.acts.rollback import roll_back
from tests.desk.conftest import GAME, Desk
from tests.desk.test_ahead import Table, address, begin


@pytest.fixture
def gate(desk: Desk) -> Table:
    return begin(desk, "jump-gate-2010", options={"start_player": "red"})


def test_the_subject_of_a_receipt_says_what_became_of_plans(gate: Table) -> None:
    for lines, said in (
        (["ahead: [{actions: [research]}, {step: turn, pass: yes}]"], "Plans received: 2 for"),
        (["ahead: [{actions: [research]}, {step: turn, pass: yes}]"], "Plans on file already: 2"),
        (["ahead: [{actions: [{do: dance}]}]"], "Plans NOT received: plan 1: actions[1].do:"),
        (["ahead: []"], "Plans withdrawn"),
        (["ahead: []"], "Your status: turn 1"),
    ):
        told = gate.say("blue", *lines)
        assert ("NO NEW ORDERS" in told) is ("Your status" in said)
        assert said in told or "Your status" in said, lines
        assert gate.mail.last(address("blue"))["Subject"].startswith(f"[{GAME}] {said}"), lines
    gate.say("red", "actions: [research]", "ahead: [{actions: [research]}]")
    told = gate.mail.last(address("red"))["Subject"]
    assert told == f"[{GAME}] Orders received: turn 1; plans received: 1 for later steps"


def test_plans_of_the_same_fate_are_told_in_one_line_and_past_ones_no_longer_wait(
    gate: Table,
) -> None:
    gate.say(
        "blue",
        "ahead:",
        "- {if: {turn: 1}, actions: [research]}",
        "- {if: {left: 1}, actions: [research]}",
        "- {if: {left: 1}, step: turn, pass: yes}",
        "- {if: {turn: 6}, actions: [research]}",
    )
    gate.say("red", "pass: yes")
    gate.close()
    told = gate.read("blue")
    assert "Plan 1 was not used in turn 2: `turn: 1` is past." in told
    assert "Plans 2 and 3 were not used in turn 2: `left: 1` does not hold." in told
    assert [status for _, status in gate.plans("blue")] == ["failed", *["waiting"] * 3]
    assert "if: {turn: 1}" not in told
    gate.desk.act(roll_back, "1-turn")
    assert [status for _, status in gate.plans("blue")] == ["waiting"] * 4


def test_many_lists_of_plans_are_not_all_kept(gate: Table) -> None:
    """A player who files new plans all day makes nothing slower."""
    for turn in range(30):
        gate.say("blue", "ahead:", f"- {{step: turn, if: {{turn: {turn + 2}}}, pass: yes}}")
    assert len(gate.plans("blue")) == 21
    assert gate.plans("blue")[-1] == (1, "waiting")
    found = gate.desk.see(lambda books: books.plans(GAME))
    assert [one.number for one in found] == list(range(10, 31))


def test_plans_that_no_letter_has_room_for_are_refused(desk: Desk) -> None:
    wars = begin(desk, "jump-wars")
    jumps = [
        f"{letter}{row}-{letter}{row + 1} x1" for letter in "ABCDEFGHIJ" for row in range(1, 9)
    ]
    plan = f"- {{step: jump, jump: [{', '.join(jumps)}]}}"
    told = wars.say("red", "ahead:", plan)
    assert "Plan 1 waits" in told
    told = wars.say("red", "ahead:", *[plan] * 20)
    assert "bytes are too long; 16000 can wait" in told
    assert len(wars.plans("red")) == 1
