"""Requests in plain words are taken as if a letter had them in its form."""

from datetime import date

import pytest

from adjudicator.core.document import Document
from adjudicator.desk.requests.said_plainly import find_request
from tests.desk.mailing import Mail
from tests.desk.test_any_words import mail as mail  # noqa: PLC0414 - a fixture
from tests.desk.test_any_words import send, sent

TODAY = date(2026, 11, 19)
AWAY = {"absent": {"from": "2026-12-24", "until": "2026-12-31"}}


@pytest.mark.parametrize(
    ("text", "request_"),
    [
        ("I vote for a draw", {"vote": "draw"}),
        ("vote concede!", {"vote": "concede"}),
        ("help", {"ask": "help"}),
        ("show me the map please", {"ask": "map"}),
        ("I'm away from 24 December until 31 Dec 2026.", AWAY),
        ("absent: 24.12.2026 - 31.12.2026", AWAY),
        ("On holiday 24.12. - 31.12.", AWAY),
        ("away from December 24th to December 31st", AWAY),
        ("away 24-31 December", AWAY),
        ("absent 2026-12-24 until 2026-12-31", AWAY),
        ("away from 30 Dec to 2 Jan", {"absent": {"from": "2026-12-30", "until": "2027-01-02"}}),
        ("gone from 3 Jan to 5 Jan", {"absent": {"from": "2027-01-03", "until": "2027-01-05"}}),
        ("I'm on holiday next week", None),
        ("away from 30 Feb to 2 Mar", None),
        ("I'll be away from the computer and the kids", None),
        ("I need help with the rules", None),
        ("I'd never vote for a draw", None),
    ],
)
def test_requests_in_plain_words(text: str, request_: Document | None) -> None:
    assert find_request(text, TODAY) == request_


def test_days_away_in_words_are_told_in_the_receipt(mail: Mail) -> None:
    receipt = send(mail, "I'm away from 24 December 2030 until 31 December 2030. Cheers")
    assert "You are away from 2030-12-24 until 2030-12-31" in str(receipt["wishes"])


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        ("to Bo:\nShall we?", [("blue", "Shall we?")]),
        ("to everyone: good luck!", [("all", "good luck!")]),
        ("tell blue I come in peace", [("blue", "I come in peace")]),
        ("Please tell Bo and Cleo that I come in peace", [("blue, green", "I come in peace")]),
        ("tell me more", []),
    ],
)
def test_messages_name_their_readers_as_people_do(
    mail: Mail, text: str, messages: list[tuple[str, str]]
) -> None:
    assert sent(send(mail, text)) == messages
