"""Documents of every kind of letter, with something in every part of them."""

from collections.abc import Mapping
from typing import Any

from adjudicator.core.document import Document
from tests.adapters.test_render import DOCUMENT

GAME = DOCUMENT["game"]
FORM: dict[str, Any] = {
    "envelope": {"game": "ember", "step": "14-plan", "key": "7f3k-q2mx", "after": 2},
    "orders": None,
    "comments": ["You have 14 RT; a fleet costs 5."],
    "example": {"tech": {"advance": ["jump"]}, "build": 2},
    "prefill": False,
}
REPORT: dict[str, Any] = {
    **DOCUMENT,
    "form": FORM,
    "press": [{"from": "blue", "to": "all", "text": "game: over?\n\nNothing personal."}],
}
"""Of a game whose name nobody knows: what every game's report has."""
RECEIPT: dict[str, Any] = {
    "receipt": "receipt/1",
    "game": GAME,
    "seat": "red",
    "player": "Ada",
    "number": 2,
    "step": "14-plan",
    "outcome": "taken",
    "label": "turn 7, plan",
    "headline": "Orders received: turn 7, plan; 1 will fail, 1 refused",
    "arrived": {
        "at": "2026-11-04T21:14:09+01:00",
        "zone": "Europe/Berlin",
        "text": "Wed 4 Nov 2026, 21:14:09 (Europe/Berlin, UTC+1)",
    },
    "replaces": 1,
    "set": {"receipt": 2, "digest": "41d077e2" + "0" * 56},
    "standing": {"due": True, "in": True, "ready": True, "why": "receipt 2 is on file"},
    "deadline": {
        "at": "2026-11-07T20:00:00+01:00",
        "zone": "Europe/Berlin",
        "passed": False,
        "paused": False,
    },
    "entries": [
        {"n": 1, "key": "jump", "written": "D5-E5 x3", "words": "3 fleets from D5 to E5"},
        {"n": 2, "key": "jump", "written": "A1-C2 x2", "words": "2 fleets from A1 to C2"},
        {"n": 3, "key": "jump", "written": "A1-B9", "words": "fleets from A1 to B9"},
        {"n": 4, "key": "build", "written": "many", "words": None},
    ],
    "faults": [
        {"grade": "refused", "message": '"bidl" is not a key', "rule": None, "where": "line 9"},
        {"grade": "refused", "message": "Twice.", "rule": "JW-13", "where": None},
    ],
    "excerpt": [
        {"line": 8, "text": "build: many", "fault": False},
        {"line": 9, "text": "bidl: 3", "fault": True},
    ],
    "wishes": ["Your vote is draw now."],
    "ignored": ['Everything after the line "Cheers, Ada".'],
    "missing": ["orders for turn 7, plan"],
    "form": {**FORM, "orders": {"jump": ["D5-E5 x3", "A1-C2 x2"]}},
}
for _entry, _mark in zip(
    RECEIPT["entries"], ("fine", "will fail", "may fail", "refused"), strict=True
):
    _fault = {"message": "C2 is 3 jumps away.", "rule": "JW-30", "where": "line 7, jump[2]"}
    _entry |= {"mark": _mark, "faults": [] if _mark == "fine" else [_fault]}
NOTICE: dict[str, Any] = {
    "notice": "notice/1",
    "kind": "reminder",
    "game": GAME,
    "seat": "red",
    "player": "Ada",
    "number": 4,
    "step": "14-plan",
    "label": "turn 7, plan",
    "headline": "Waiting for your orders: turn 7, plan",
    "lines": ["They are due Sat 7 Nov 2026, 20:00 (Europe/Berlin, UTC+1).", "Nobody else waits."],
    "opened": None,
    "form": FORM,
}
ANSWER: dict[str, Any] = {
    "answer": "answer/1",
    "game": GAME,
    "seat": "red",
    "player": "Ada",
    "number": 7,
    "step": "14-plan",
    "label": "turn 7, plan",
    "headline": "What you asked",
    "parts": [
        {"title": "WHY 7", "lines": ["A fight."], "columns": [], "rows": [], "plain": ["by: blue"]},
        {
            "title": "PLAYERS",
            "lines": ["They are three."],
            "columns": ["seat", "who", "zone", "away", "missed"],
            "rows": [["red", "Ada (you)", "UTC", None, 0], ["blue", "Bo", "UTC", "-", 2]],
            "plain": [],
        },
        {"title": None, "lines": ["No title."], "columns": [], "rows": [], "plain": []},
        {
            "title": "HELP",
            "lines": [],
            "columns": [],
            "rows": [],
            "plain": [],
            "guide": "guide-player",
            "due": {
                "title": "Plans",
                "name": "plan",
                "description": "What you plan.",
                "keys": [
                    {
                        "key": "build",
                        "takes": "a number",
                        "what": "How many fleets <b>",
                        "required": False,
                        "default": 0,
                        "examples": [2],
                    }
                ],
                "example": {"build": 2},
            },
        },
    ],
    "form": FORM,
}
PRESS: dict[str, Any] = {
    "press": "press/1",
    "game": GAME,
    "seat": "red",
    "player": "Ada",
    "number": 3,
    "step": "14-plan",
    "headline": "Press from blue",
    "messages": [{"from": "blue", "to": "red", "text": "Hello.\n\nPeace?", "answer_to": "blue"}],
    "form": FORM,
}
WORD: dict[str, Any] = {
    "word": "word/1",
    "game": None,
    "seat": None,
    "step": None,
    "number": 1,
    "headline": "I do not know you",
    "lines": ["To join a game, write its name."],
    "not_taken": ["resign: it is not your seat."],
    "form": None,
    "guide": "guide-gm",
}
OTHERS: dict[str, tuple[str, Document]] = {
    "receipt": ("receipt", RECEIPT),
    "unreadable": (
        "receipt",
        {
            **RECEIPT,
            "outcome": "unreadable",
            "standing": {**RECEIPT["standing"], "in": False, "why": "no orders are on file"},
            "entries": [],
            "form": FORM,
        },
    ),
    "notice": ("notice", NOTICE),
    "notice to all who look on": ("notice", {**NOTICE, "seat": None, "form": None}),
    "answer": ("answer", ANSWER),
    "press": ("press", PRESS),
    "press with orders on file": ("press", {**PRESS, "form": {**FORM, "orders": {"build": 2}}}),
    "word": ("word", WORD),
    "word of a game": ("word", {**WORD, "game": GAME, "guide": None, "form": FORM}),
}
REPORTS: dict[str, tuple[str, Document]] = {
    "report": ("report", REPORT),
    "report at the end": (
        "report",
        {**REPORT, "due": None, "over": {"winners": ["blue"], "text": "blue has won."}},
    ),
    "report with nothing due": ("report", {**REPORT, "due": None, "orders": None}),
    "report while others write": (
        "report",
        {**REPORT, "due": {**REPORT["due"], "waiting": False}, "headline": ""},
    ),
    "report of an empty step": (
        "report",
        {**REPORT, "events": [], "sections": [], "press": [], "form": None},
    ),
    "report to everybody": (
        "report",
        {**REPORT, "seat": None, "player": None, "orders": None, "form": None},
    ),
}
ALL: Mapping[str, tuple[str, Document]] = {**REPORTS, **OTHERS}
