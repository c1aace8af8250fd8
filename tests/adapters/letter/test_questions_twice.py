"""A letter with several questions and messages, each on a line of its own."""

import pytest

from adjudicator.adapters.mail.inbound.letter import parse_letter
from adjudicator.desk.inbox.blocks import read_blocks

HEAD = "From: ada@example.org\nSubject: Re: ember\nMessage-ID: <1@example.org>\n\n"
LONG = "Hello there Bo, shall we make peace at the border until turn 9"


def blocks(text: str) -> list[tuple[object, object]]:
    """What is asked, and which messages there are, block by block."""
    letter = parse_letter((HEAD + text).encode())
    return [
        (one.envelope.requests.get("ask"), one.envelope.requests.get("press"))
        for one in read_blocks(letter.blocks)
    ]


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("ask: rules JW-20\nask: rules JW-27\n", ["rules JW-20", "rules JW-27"]),
        ("ask: status\n\nask: [players, help]\n", ["status", "players", "help"]),
        ('ask: [status]\nask: "why 7"\nask: map\n', ["status", "why 7", "map"]),
        ("ask: who is blue, and where?\nask: help\n", ["who is blue, and where?", "help"]),
    ],
)
def test_all_questions_are_read(text: str, asked: list[str]) -> None:
    assert blocks(text) == [(asked, None)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("to blue: Hi, peace?", "Hi, peace?"),
        (
            f"to blue: {LONG}\nor longer? It would help both.",
            f"{LONG} or longer? It would help both.",
        ),
    ],
)
def test_a_message_beside_a_question_is_one(text: str, message: str) -> None:
    (one,) = blocks(f"ask: rules JW-20\n{text}\nready: yes\n")
    assert one == ("rules JW-20", [{"to": "blue", "text": message}])


def test_what_stands_below_an_empty_line_is_no_part_of_a_message() -> None:
    (one,) = blocks(f"ask: rules JW-20\nto blue: {LONG}\n\nThanks, Ada\n")
    assert one == ("rules JW-20", [{"to": "blue", "text": LONG}])


def test_a_value_that_goes_on_below_begins_no_message() -> None:
    (one,) = blocks("ask: [status,\n  to blue: Hi]\n")
    assert one[1] is None


def test_a_form_below_its_questions_is_a_block_of_its_own() -> None:
    text = "ask: status\n\ngame: ember\nask: help\n# end of orders\ngame: birch\n"
    assert len(blocks(text)) == 2
