"""Subject lines as their readers see them in a list of mails."""

from datetime import UTC, datetime
from typing import Any

import pytest
from msgspec.structs import replace

from adjudicator.adapters.mail.outbound.subjects import WIDEST, make_subject
from adjudicator.desk.outbox.refresh import ReaderTurn
from tests.adapters.test_mime import letter

DUE = datetime(2026, 11, 21, 21, 24, tzinfo=UTC)
YOURS = ReaderTurn(yours=True, deadline=DUE, zone="Europe/Berlin", next="turn 5, plan")
THEIRS = replace(YOURS, yours=False, waiting_for=("blue",))
REPORT: dict[str, Any] = {
    "report": "report/1",
    "seat": "red",
    "turn": "turn 4",
    "step": "12-jump",
    "headline": "You took A1.",
    "over": None,
    "due": {"waiting": True},
}


@pytest.mark.parametrize(
    ("changes", "turn", "subject"),
    [
        ({}, YOURS, "YOUR TURN until Sat 21 Nov 22:24: you took A1"),
        ({}, replace(YOURS, deadline=None), "YOUR TURN: you took A1"),
        ({}, THEIRS, "Turn 4 is over; waiting for blue: you took A1"),
        ({}, replace(THEIRS, waiting_for=()), "Turn 4 is over; waiting for others: you took A1"),
        (
            {},
            replace(THEIRS, next="turn 4, jump", waiting_for=("blue", "green")),
            "Turn 4 continues; waiting for blue and green: you took A1",
        ),
        (
            {"step": "0-setup", "headline": "The game begins, you are red."},
            THEIRS,
            "Waiting for blue: the game begins, you are red",
        ),
        ({"seat": None}, THEIRS, "Turn 4 is over: you took A1"),
        ({"over": {"winners": ["green"]}}, ReaderTurn(), "Game over: green wins"),
        ({"over": {"winners": ["red"]}}, ReaderTurn(), "Game over: you win"),
        ({"over": {"winners": []}}, ReaderTurn(), "Game over: nobody wins"),
        (
            {"headline": "blue took E5 from you, you lost 4; you held A8 against green."},
            YOURS,
            "YOUR TURN until Sat 21 Nov 22:24: blue took E5 from you, you lost 4",
        ),
    ],
)
def test_a_report_says_whose_turn_it_is_and_the_news(
    changes: dict[str, Any], turn: ReaderTurn, subject: str
) -> None:
    one = letter(kind="report", seat="red", template="report/1")
    assert make_subject(one, {**REPORT, **changes}, turn) == f"[ember] {subject}"


@pytest.mark.parametrize("length", [1, 20, 40, 60, 100])
def test_no_subject_is_longer_than_it_may_be(length: int) -> None:
    """However long the name of the game and the news."""
    one = letter(kind="report", seat="red", template="report/1", game="e" * length)
    for news in ("x" * 200, "you took A1", "so many words " * 20):
        for turn in (YOURS, THEIRS, ReaderTurn()):
            assert len(make_subject(one, {**REPORT, "headline": news}, turn)) <= WIDEST
