"""Answers to a question: what was clear stays on file beside them."""

from typing import Any

import pytest

from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.desk.steps.close import close_step
from tests.desk.conftest import Desk
from tests.desk.mailing import Mail
from tests.desk.post import Post
from tests.desk.test_just_reply import on_file, send


@pytest.fixture
def mail(desk: Desk) -> Mail:
    """A game of Jump Wars in its first step."""
    post = Post(Desk(desk.store, FolderLibrary()))
    post.new(kind="jump-wars")
    return Mail(post)


FIRST = "advance jump\nally: green"
CLEAR = {"tech": {"advance": ["jump"]}, "ally": "green"}


@pytest.mark.parametrize(
    ("letters", "kept"),
    [
        ((f"{FIRST}\nbiuld: 2", "yes"), {**CLEAR, "build": 2}),
        ((f"{FIRST}\nbiuld: 2", "build 3"), {**CLEAR, "build": 3}),
        ((f"{FIRST}\nbiuld: 2", "biuld: 3", "yes"), {**CLEAR, "build": 3}),
        ((f"{FIRST}\nbiuld: 2", "build 3\nally: blue"), {**CLEAR, "ally": "blue", "build": 3}),
        ((f"{FIRST}\nbiuld: 2", "pass"), {"pass": True}),
        (("pass\nbiuld: 2", "build 2"), {"build": 2}),
        ((FIRST, "build 3"), {"build": 3}),
        ((FIRST, "biuld: 3", "yes"), {**CLEAR, "build": 3}),
    ],
    ids=[
        "yes",
        "in other words",
        "asked twice",
        "one order comes again",
        "nothing at all",
        "something after all",
        "a set without a question is replaced as a whole",
        "a question that came after a whole set",
    ],
)
def test_what_was_clear_stays_beside_the_answer(
    mail: Mail, letters: tuple[str, ...], kept: dict[str, Any]
) -> None:
    for text in letters:
        send(mail, text)
    assert on_file(mail) == kept


@pytest.mark.parametrize(
    "said",
    [
        "A1-A2 x1",
        "A1-B2 x1\nA1-A2 x1",
    ],
    ids=["the line alone", "all lines"],
)
def test_a_list_goes_on_with_the_line_that_was_asked_about(mail: Mail, said: str) -> None:
    mail.desk.act(close_step, now=True)
    send(mail, "A1-B2 x1\nJmp: A1-A3 x1")
    send(mail, said)
    assert [one["to"] for one in on_file(mail)["jump"]] == ["B2", "A2"]
