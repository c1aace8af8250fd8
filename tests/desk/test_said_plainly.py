"""Requests in plain words are taken as if a letter had them in its form."""

from datetime import date

import pytest

from adjudicator.core.document import Document
from adjudicator.desk.requests.plain_requests import find_request, guess_request
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
        ("why 2?", {"ask": "why 2"}),
        ("rule jw-30 please", {"ask": "rules JW-30"}),
        ("Who plays blue?", {"ask": "players"}),
        ("(I'm away from 24 to 31 December)", AWAY),
        ("Plain text only please", {"prefer": {"format": "text"}}),
        ("vote draw?", None),
        ("show me the map please", {"ask": "map"}),
        ("I'm away from 24 December until 31 Dec 2026.", AWAY),
        ("absent: 24.12.2026 - 31.12.2026", AWAY),
        ("On holiday 24.12. - 31.12.", AWAY),
        ("away from December 24th to December 31st", AWAY),
        ("away 24-31 December", AWAY),
        ("absent 2026-12-24 until 2026-12-31", AWAY),
        ("away from 30 Dec to 2 Jan", {"absent": {"from": "2026-12-30", "until": "2027-01-02"}}),
        ("gone from 3 Jan to 5 Jan", {"absent": {"from": "2027-01-03", "until": "2027-01-05"}}),
        ("Forget my orders", {"clear": "yes"}),
        ("please withdraw all my orders", {"clear": "yes"}),
        ("please write to me only when it is my turn", {"prefer": {"mails": "due"}}),
        ("Fewer mails please", {"prefer": {"mails": "due"}}),
        ("forget it", None),
        ("I'm on holiday next week", None),
        ("away from 30 Feb to 2 Mar", None),
        ("I'll be away from the computer and the kids", None),
        ("I need help with the rules", None),
        ("I'd never vote for a draw", None),
    ],
)
def test_requests_in_plain_words(text: str, request_: Document | None) -> None:
    assert find_request(text, TODAY) == request_


@pytest.mark.parametrize(
    ("text", "request_"),
    [
        ("I resign", {"resign": "yes"}),
        ("I have to leave the game, sorry", {"resign": "yes"}),
        ("I'm sorry but I need to drop out of this game because of work.", {"resign": "yes"}),
        ("I want to leave the game.", {"resign": "yes"}),
        ("please remove me from this game", {"resign": "yes"}),
        ("I'm on holiday next week", {"absent": {"from": "2026-11-23", "until": "2026-11-29"}}),
        ("be away next week", {"absent": {"from": "2026-11-23", "until": "2026-11-29"}}),
        ("I'm away this weekend", {"absent": {"from": "2026-11-21", "until": "2026-11-22"}}),
        ("away this week", {"absent": {"from": "2026-11-19", "until": "2026-11-22"}}),
        ("I'll be gone for 3 days", {"absent": {"from": "2026-11-19", "until": "2026-11-21"}}),
        ("away for a week", {"absent": {"from": "2026-11-19", "until": "2026-11-25"}}),
        ("I'm away until 5 December", {"absent": {"from": "2026-11-19", "until": "2026-12-05"}}),
        ("I'm out tomorrow", {"absent": {"from": "2026-11-20", "until": "2026-11-20"}}),
        ("I resign myself to it", None),
        ("I'm out of tokens", None),
    ],
)
def test_what_leaves_a_doubt_is_asked_back(text: str, request_: Document | None) -> None:
    assert find_request(text, TODAY) is None
    assert guess_request(text, TODAY) == request_


@pytest.mark.parametrize(
    "text", ["yes\nCheers", "Yes please\nThanks\nAda Lovelace", "yes\nThanks, Ada"]
)
def test_a_yes_counts_above_thanks_and_a_name(mail: Mail, text: str) -> None:
    send(mail, "I resign")
    assert "Your resignation from red is recorded." in str(send(mail, text)["wishes"])


@pytest.mark.parametrize(
    "text",
    [
        "yes\nbut later",
        "yes\nwe could do that and more",
        "yes\nNever mind",
        "Yes\nThanks but no, I changed my mind",
    ],
)
def test_a_yes_above_other_words_does_not(mail: Mail, text: str) -> None:
    send(mail, "I resign")
    assert "is recorded" not in str(send(mail, text)["wishes"])


def test_a_resignation_in_words_is_asked_about_and_yes_is_the_answer(mail: Mail) -> None:
    receipt = send(mail, "I have to leave the game, sorry")
    assert "Did you mean `resign: yes`? Reply *yes*." in receipt["ignored"][0]
    assert mail.post.on_file() == []
    assert "Your resignation from red is recorded." in str(send(mail, "yes")["wishes"])


def test_who_wants_more_time_hears_whom_to_ask(mail: Mail) -> None:
    (said,) = send(mail, "Can you extend the deadline by 2 days?")["ignored"]
    assert said.startswith("Only the GM can move a deadline: `to gm: your words` asks for it.")


def test_a_yes_with_a_change_is_not_taken_and_says_so(mail: Mail) -> None:
    (said,) = send(mail, "Yes but without the second one")["ignored"]
    assert said.startswith("Your *yes* came with a change, so nothing was taken.")


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
