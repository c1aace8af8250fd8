"""Orders that come beside others on file, and a no to a question: what stays, and what goes."""

import pytest

from tests.desk.mailing import Mail
from tests.desk.test_replies import gate as gate  # noqa: PLC0414 - a fixture
from tests.desk.test_replies import on_file, send
from tests.desk.test_replies import wars as wars  # noqa: PLC0414 - a fixture


@pytest.mark.parametrize(
    "text",
    ["Also advance jump", "Please also raise jump.", "In addition to my orders: advance jump"],
)
def test_orders_that_are_said_to_come_in_addition_leave_the_others_on_file(
    wars: Mail, text: str
) -> None:
    send(wars, "build: 2")
    receipt = send(wars, text)
    assert on_file(wars) == {"build": 2, "tech": {"advance": ["jump"]}}
    assert "They are added to receipt 1: `build` stays." in " ".join(receipt["wishes"])


def test_others_replace_them_as_a_whole(wars: Mail) -> None:
    send(wars, "build: 2")
    send(wars, "advance jump")
    assert on_file(wars) == {"tech": {"advance": ["jump"]}}
    send(wars, "build: 1\nalso advance jump")
    assert on_file(wars) == {"build": 1, "tech": {"advance": ["jump"]}}


@pytest.mark.parametrize("text", ["No", "No, thanks.", "nope!"])
def test_a_no_leaves_out_what_was_asked_about_and_keeps_the_rest(wars: Mail, text: str) -> None:
    send(wars, "build: 2\ntech: advanse jump")
    receipt = send(wars, text)
    assert on_file(wars) == {"build": 2}
    assert receipt["ignored"] == [
        "You answered *no*, so what was asked about stays left out: send it in other words."
    ]


def test_orders_that_are_added_end_a_pass_and_a_pass_ends_them(wars: Mail) -> None:
    send(wars, "pass")
    receipt = send(wars, "Also build 2")
    assert on_file(wars) == {"build": 2}
    assert "`pass` no longer counts" in " ".join(receipt["wishes"])
    receipt = send(wars, "also pass: yes")
    assert on_file(wars) == {"pass": True}
    assert "`build` no longer counts" in " ".join(receipt["wishes"])


def test_what_is_added_to_a_list_takes_nothing_from_it(wars: Mail) -> None:
    send(wars, "pass")
    wars.desk.close(now=True)
    send(wars, "A1-A2 x1\nA1-B1 x1")
    send(wars, "also A1-B1 x1, A1-B2 x1")
    assert [one["to"] for one in on_file(wars)["jump"]] == ["A2", "B1", "B2"]


def test_what_is_added_to_a_list_done_in_order_follows_it_though_it_is_said_twice(
    gate: Mail,
) -> None:
    send(gate, "research")
    send(gate, "also research")
    assert on_file(gate)["actions"] == [{"do": "research"}, {"do": "research"}]
