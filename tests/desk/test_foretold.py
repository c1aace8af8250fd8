"""Receipts say what the orders will do, and reports what came of those that nothing came of."""

import re
from typing import Any

import pytest

from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.core.document import decode
from adjudicator.desk.acts.edit import edit_position, open_position
from adjudicator.desk.model.context import Context
from adjudicator.desk.steps.record import check_chain, read_record
from adjudicator.desk.steps.replay import replay_game
from tests.desk.conftest import GAME, Desk
from tests.desk.wishing import text_of

SEATS = {"red": "Ada", "blue": "Bo", "green": "Cleo"}


@pytest.fixture
def wars(desk: Desk) -> Desk:
    """Jump Wars, in which red holds a card that makes its fleets dearer than its tokens allow."""
    desk.library = FolderLibrary()
    desk.new(kind="jump-wars", seats=SEATS)
    given = desk.see(lambda books: open_position(Context(books, desk.library, GAME)))
    hands = {"red": ["defense"], "blue": ["jump"], "green": ["jump"]}
    deck = [card for card in given["deck"] if card not in ("defense", "jump")]
    desk.act(edit_position, {**given, "hands": hands, "deck": deck}, reason="for the test")
    return desk


def _last_report(desk: Desk, seat: str) -> Any:
    return desk.letters("report", seat)[-1]


def _entries(desk: Desk, seat: str) -> list[tuple[str, str, str | None]]:
    entries = decode(_last_report(desk, seat).document)["orders"]["entries"]
    return [(one["text"], one["outcome"], one["rule"]) for one in entries]


BOTH = "tech: {advance: defense}\nbuild: max"


def test_the_examples_of_the_form_are_told_with_what_becomes_of_them(wars: Desk) -> None:
    receipt = wars.send("red", BOTH)
    assert [entry["mark"] for entry in receipt["entries"]] == ["fine", "fine"]
    assert receipt["foretold"][0] == "advance defense: now 2."
    home = wars.state()["map"]
    at = next(space for space, one in home.items() if one == {"home": "red"})
    assert receipt["foretold"][-1] == (
        f"build max at {at} builds 0: a fleet then costs 6 RT, you will have 5."
    )
    wars.close()
    assert _entries(wars, "red") == [
        ("advance defense: now 2", "done", "JW-19"),
        (f"build max at {at}: built none", "nothing", "JW-25"),
    ]
    text = text_of(_last_report(wars, "red"))
    assert "came to nothing" in text
    assert "A fleet costs 6 RT; you have 5." in text
    assert "built none" not in text_of(_last_report(wars, "blue"))


def test_what_remains_of_a_letter_with_a_refused_order_is_foretold(wars: Desk) -> None:
    receipt = wars.send("red", "build: 7\nsteal: nobody")
    assert [entry["mark"] for entry in receipt["entries"]] == ["fine", "refused"]
    assert " builds 1 for 5 RT each; then you have 0 RT." in receipt["foretold"][-1]


def test_a_report_with_vain_orders_numbers_everything_as_it_is_read_and_replays(wars: Desk) -> None:
    wars.send("red", BOTH)
    wars.close()
    document = decode(_last_report(wars, "red").document)
    entries, events = document["orders"]["entries"], document["events"]
    numbers = [one["n"] for one in (*entries, *events)]
    assert numbers == list(range(1, len(numbers) + 1))
    whose = [event["about"] for event in events]
    assert whose == sorted(whose, key="you".__ne__)
    assert len(set(whose)) == 2
    text = text_of(_last_report(wars, "red"))
    printed = re.findall(r"(?m)^ {0,2}(\d+)  \S", text.partition("\nMAP")[0])
    assert printed == [str(number) for number in numbers]
    record = wars.see(lambda books: read_record(books, GAME))
    assert check_chain(record) == ()
    assert replay_game(record, wars.library.kind("jump-wars")) == ()
