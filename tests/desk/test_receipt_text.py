"""Receipts as mail: the whole text of two, and the width of every kind there is."""

from pathlib import Path
from typing import Any

import pytest

from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.render.printer import Printer
from adjudicator.core.document import decode
from adjudicator.desk.acts.rollback import roll_back
from tests.desk.conftest import Desk

TEMPLATES = Path(__file__).parents[2] / "templates"

TAKEN: dict[str, Any] = {
    "receipt": "receipt/1",
    "game": {"id": "ember", "kind": "jump-wars", "title": "Jump Wars"},
    "seat": "red",
    "player": "Ada",
    "number": 2,
    "step": "15-jump",
    "outcome": "taken",
    "label": "turn 8, jump",
    "headline": "Orders received: turn 8, jump; 2 will fail, 1 refused",
    "arrived": {
        "at": "2026-11-04T21:14:09+01:00",
        "zone": "Europe/Berlin",
        "text": "Wed 4 Nov 2026, 21:14:09 (Europe/Berlin, UTC+1)",
    },
    "replaces": 1,
    "set": {"receipt": 2, "digest": "41d077e2" + "0" * 56},
    "standing": {"due": True, "in": True, "ready": True, "why": "receipt 2 is on file"},
    "deadline": {"at": "2026-11-07T20:00:00+01:00", "zone": "Europe/Berlin"},
    "entries": [
        {
            "n": 1,
            "key": "jump",
            "written": "D5-E5 x3",
            "words": "3 fleets from D5 to E5",
            "mark": "fine",
            "faults": [],
        },
        {
            "n": 2,
            "key": "jump",
            "written": "A1-C2 x2",
            "words": "2 fleets from A1 to C2",
            "mark": "will fail",
            "faults": [
                {
                    "grade": "doomed",
                    "message": "C2 is 3 jumps away around the black hole on B2; your range is 2.",
                    "rule": "JW-30",
                    "where": "line 5",
                    "line": 5,
                    "column": 3,
                }
            ],
        },
        {
            "n": 3,
            "key": "jump",
            "written": "D5-E5 thre",
            "words": "D5-E5 thre",
            "mark": "refused",
            "faults": [
                {
                    "grade": "refused",
                    "message": '"D5-E5 thre" is not a jump; a jump is written C4-D5 x3',
                    "rule": "JW-13a",
                    "where": "line 6, jump[3]",
                    "line": 6,
                    "column": 3,
                }
            ],
        },
        {
            "n": 4,
            "key": "fight targets",
            "written": None,
            "words": "blue",
            "mark": "may fail",
            "faults": [],
        },
    ],
    "faults": [],
    "excerpt": [],
    "foretold": ["Gem World costs 2 cards."],
    "wishes": ["Your vote is now: draw."],
    "ignored": ["press: this comes only by letter, to the game's address; nothing was done"],
    "missing": [],
    "form": {
        "envelope": {"game": "ember", "step": "15-jump", "key": "7f3k-q2mx", "after": 2},
        "orders": {"jump": ["D5-E5 x3", "A1-C2 x2"], "fight": {"targets": ["blue"]}},
        "comments": [],
        "example": {},
        "prefill": False,
    },
}

TAKEN_TEXT = """\
RECEIPT 2 to red, game ember, turn 8, jump                  replaces receipt 1
Arrived Wed 4 Nov 2026, 21:14:09 (Europe/Berlin, UTC+1). Digest: 41d0 77e2.

YOU ARE IN: receipt 2 is on file.
Deadline Sat 7 Nov 2026, 20:00 (Europe/Berlin, UTC+1). You may send new orders
until then; the last ones count. The step closes early once all orders are in;
`ready: no` prevents that.

YOUR ORDERS, ONE BY ONE
  1  jump D5-E5 x3: 3 fleets from D5 to E5                                fine
  2  jump A1-C2 x2: 2 fleets from A1 to C2                         ✗ WILL FAIL
       line 5: C2 is 3 jumps away around the black hole on B2; your range is
       2.                                                              [JW-30]
  3  jump: D5-E5 thre                                   ✗ REFUSED, not on file
       line 6, jump[3]: "D5-E5 thre" is not a jump; a jump is written C4-D5 x3
                                                                      [JW-13a]
  4  fight targets: blue                                            ⚠ may fail

WHAT THEY WILL DO
  - Gem World costs 2 cards.

  * Your vote is now: draw.

IGNORED
  - press: this comes only by letter, to the game's address; nothing was done

Questions? Write `ask: help`, `ask: words`, `ask: example`, `ask: map` or
`ask: rules`.

These are your orders on file. Change them and reply, or do nothing.
game: ember
step: 15-jump
key: 7f3k-q2mx
after: 2
jump:
- D5-E5 x3
- A1-C2 x2
fight: {targets: [blue]}
# end of orders
"""

UNREADABLE: dict[str, Any] = {
    **TAKEN,
    "number": 3,
    "outcome": "unreadable",
    "headline": "NOT RECEIVED: your orders could not be read",
    "replaces": None,
    "set": None,
    "standing": {
        "due": True,
        "in": False,
        "ready": False,
        "why": "no orders are on file for this step",
    },
    "deadline": None,
    "entries": [],
    "faults": [
        {
            "grade": "unreadable",
            "message": "the bracket opened here is never closed",
            "rule": None,
            "where": "line 8, column 8",
            "line": 8,
            "column": 8,
        }
    ],
    "excerpt": [
        {"line": 7, "text": "- D5-E5 x3", "fault": False},
        {"line": 8, "text": "fight: {targets: [blue]", "fault": True},
    ],
    "foretold": [],
    "wishes": [],
    "ignored": [],
    "missing": ["orders for turn 8, jump"],
    "form": {
        "envelope": {"game": "ember", "step": "15-jump", "key": None, "after": 0},
        "orders": None,
        "comments": ["Up to 2 orders, 2 spaces far."],
        "example": {"jump": ["J1-I1 x1"]},
        "prefill": False,
    },
}

UNREADABLE_TEXT = """\
RECEIPT 3 to red, game ember, turn 8, jump
Arrived Wed 4 Nov 2026, 21:14:09 (Europe/Berlin, UTC+1).

YOUR LETTER CHANGED NOTHING: it could not be read as orders.
YOU ARE NOT IN: no orders are on file for this step.
There is no fixed deadline; the GM closes the step by hand. You may send new
orders until the step closes; the last ones count.

WHAT COULD NOT BE READ
  - line 8, column 8: the bracket opened here is never closed

Your lines as they arrived; faulty ones are marked:
     7 | - D5-E5 x3
 >   8 | fight: {targets: [blue]

Questions? Write `ask: help`, `ask: words`, `ask: example`, `ask: map` or
`ask: rules`.

You have no orders on file. Fill in this form and send it back.
game: ember
step: 15-jump
after: 0
# Up to 2 orders, 2 spaces far.
# jump:
# - J1-I1 x1
# end of orders
"""


@pytest.fixture(scope="module")
def printer() -> Printer:
    return Printer([TEMPLATES])


@pytest.mark.parametrize(("document", "text"), [(TAKEN, TAKEN_TEXT), (UNREADABLE, UNREADABLE_TEXT)])
def test_the_whole_text(printer: Printer, document: dict[str, Any], text: str) -> None:
    assert printer.text("receipt.txt", document, "jump_wars") == text


def _receipts(desk: Desk) -> list[Any]:
    long = "x" * 200
    made = [
        desk.send("red", text)
        for text in (
            "build: max\ntech: {advance: jump, pair: attack}\nally: blue\nvote: draw",
            "build: 2\nready: no\npress: []",
            f"{long}: {long}\nbuild: {long}",
            f"build: [{long}\n{long}\n- x",
            "jump: [A1-B1 x2]",
            "step: 77-jump\nbuild: 2",
            "preview: yes\nbuild: max",
            "game: tiny",
            "after: x\nclear: yes",
            "resign: perhaps\nready: yes",
        )
    ]
    assert {receipt["outcome"] for receipt in made} == {
        "taken",
        "refused",
        "unreadable",
        "preview",
        "status",
        "cleared",
    }
    desk.close()
    desk.act(roll_back, "1-plan", same_dice=False)
    made.append(desk.send("red", "{}"))
    return made


def test_no_receipt_is_wider_than_a_mail(desk: Desk, printer: Printer) -> None:
    desk.library = FolderLibrary()
    desk.new(
        kind="jump-wars",
        seats={"red": "Ada", "blue": "Bo", "green": "bot"},
        settings={"pace": "mon,thu 20:00", "zone": "America/Argentina/ComodRivadavia"},
    )
    for receipt in _receipts(desk):
        text = printer.text("receipt.txt", receipt, "jump_wars")
        assert max(len(line) for line in text.splitlines()) <= 78, text
        assert text.splitlines()[-1] == "# end of orders"
        assert "None" not in text


def test_a_deadline_that_has_passed_promises_nothing(desk: Desk, printer: Printer) -> None:
    desk.new(settings={"pace": "72h"})
    desk.later(hours=73)
    text = " ".join(printer.text("receipt.txt", desk.send("red", "{}"), "toy_duel").split())
    assert "has passed. Orders still count until the step is closed." in text
    assert "Until then" not in text


def test_notices_are_as_narrow(desk: Desk, printer: Printer) -> None:
    desk.new(settings={"pace": "72h", "nmr": "bot", "nmr_limit": 9})
    desk.send("red", "resign: yes")
    desk.send("blue", "play: owl")
    desk.close()
    desk.act(roll_back, "1-pick", same_dice=False)
    while desk.game().open_step is not None:
        desk.close()
    notices = [decode(letter.document) for letter in desk.letters("notice")]
    texts = [printer.text("notice.txt", notice, "toy_duel") for notice in notices]
    # a rollback is told in the report to which it leads back, with the earlier orders in its form
    reports = [decode(letter.document) for letter in desk.letters("answer")]
    texts += [printer.text("report.txt", report, "toy_duel") for report in reports]
    told = [text for text in texts if "They are NOT on file" in text]
    assert len(told) == 1
    assert "Rolled back" in told[0]
    pages = [printer.page("report.html", report, "toy_duel") for report in reports]
    assert [page.count("They are NOT on file") for page in pages] == [1, 0]
    assert any("seed " in text for text in texts)
    assert max(len(line) for text in texts for line in text.splitlines()) <= 78
