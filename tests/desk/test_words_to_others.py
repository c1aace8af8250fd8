"""Words to other players in the ways people write them: sent, or named with the line that sends."""

from typing import Any

import pytest

from adjudicator.core.document import decode
from adjudicator.desk.outbox.refresh import refresh_letter
from tests.desk.mailing import Mail
from tests.desk.test_any_words import sent
from tests.desk.test_just_reply import BO, on_file, send
from tests.desk.test_just_reply import mail as mail  # noqa: PLC0414 - a fixture


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        ("build max. To blue: hello", [("blue", "hello")]),
        ("build max, and tell Bo that we have a deal", [("blue", "we have a deal")]),
        ("build max\n@blue: peace?", [("blue", "peace?")]),
        ("to blue\nHi Bo,\n\nshall we talk?\n\nbuild: max", [("blue", "Hi Bo,\n\nshall we talk?")]),
        ("To Blue,\nshall we talk?\nbuild max", [("blue", "shall we talk?")]),
        ("build max\nto: blue\nHello!", [("blue", "Hello!")]),
        ("build max\nto blue: as I said, to green: no", [("blue", "as I said, to green: no")]),
    ],
)
def test_a_message_is_sent_and_the_orders_beside_it_count(
    mail: Mail, text: str, messages: list[tuple[str, str]]
) -> None:
    receipt = send(mail, text)
    assert sent(receipt) == messages
    assert on_file(mail) == {"build": "max"}
    assert receipt["ignored"] == []


@pytest.mark.parametrize(
    "text", ["blue: peace?", "Dear Bo, shall we make peace?", "hi blue! Peace?", "press blue hello"]
)
def test_words_that_go_nowhere_are_named_with_the_line_that_sends_them(
    mail: Mail, text: str
) -> None:
    receipt = send(mail, f"build max\n{text}")
    assert receipt["outcome"] == "taken"
    assert receipt["standing"]["ready"] is True
    assert receipt["ignored"] == [
        f'"{text}" was not sent to anybody: `to blue: your words` sends a message.'
    ]


@pytest.mark.parametrize("text", ["Hi Bo,", "Hello blue!", "Dear Bo and Cleo,", "Hi all,"])
def test_a_greeting_alone_is_no_message(mail: Mail, text: str) -> None:
    assert send(mail, f"{text}\n\nbuild max\n\nBest, Ada")["ignored"] == []


def test_a_line_below_a_message_of_one_line_is_named_as_no_part_of_it(mail: Mail) -> None:
    receipt = send(mail, "to blue: peace?\nI promise not to attack.\n\nbuild: max\nThanks a lot")
    assert sent(receipt) == [("blue", "peace?")]
    (said,) = receipt["ignored"]
    assert said.startswith('"I promise not to attack." stands below your message and is no part')


def test_orders_below_the_beginning_of_a_message_are_named_as_part_of_it(mail: Mail) -> None:
    receipt: Any = send(mail, "to blue:\nHi Bo,\n\nbuild max\nadvance jump")
    assert sent(receipt) == [("blue", "Hi Bo,\n\nbuild max\nadvance jump")]
    assert on_file(mail) is None
    (said,) = receipt["ignored"]
    assert said.startswith("Below the first line of your message stands `build max` and `advance")
    assert said.endswith("Write orders above a message, or put `end press` between them.")


def test_who_has_only_written_is_shown_that_and_not_asked_to_answer_themselves(mail: Mail) -> None:
    send(mail, "to blue: peace?")
    letter = send(mail, "ask: press")
    assert [one["text"] for one in letter["messages"]] == ["peace?"]
    assert "To answer" not in str(mail.last("ada@example.org"))
    assert "reply with a line such as `to red: your words`" in str(mail.last("bo@example.org"))


def test_who_needs_more_time_hears_beside_orders_that_the_gm_gives_it(mail: Mail) -> None:
    receipt = send(mail, "build max\nI am ill, can we extend the deadline?")
    assert receipt["outcome"] == "taken"
    (remark,) = receipt["ignored"]
    assert remark.startswith("Only the GM can move a deadline: `to gm: your words` asks for it.")


@pytest.mark.parametrize("text", ["Deal! Let us meet at D4.", "ok", "No, thanks", "Yes, when?"])
def test_words_in_answer_to_a_message_are_sent_to_its_writer_by_a_yes(
    mail: Mail, text: str
) -> None:
    send(mail, "to blue: shall we talk?")
    question = mail.post.answer(mail.write(BO, text, mail.last(BO)))
    assert question["asked"]["question"] == (
        f'"{text}" is no order, and was not sent to anybody. Reply *yes* to send it to red.'
    )
    assert question["messages"] == []
    receipt = mail.post.answer(mail.write(BO, "yes", mail.last(BO)))
    assert sent(receipt) == [("red", text)]


def test_orders_in_answer_to_a_message_are_orders(mail: Mail) -> None:
    send(mail, "to blue: shall we talk?")
    receipt = mail.post.answer(mail.write(BO, "build: max", mail.last(BO)))
    assert (receipt["outcome"], receipt["asked"]) == ("taken", None)


def test_a_long_answer_to_a_message_is_quoted_in_short_where_it_is_asked_about(mail: Mail) -> None:
    send(mail, "to blue: shall we talk?")
    words = "Let us meet at D4 in spring, " * 5
    question = mail.post.answer(mail.write(BO, f"{words}as we did.", mail.last(BO)))
    assert question["headline"] == (
        "Did you mean to red: Let us meet at D4 in spring, Let us mee…? turn 1, plan"
    )
    assert f"{words}as we did." in question["asked"]["question"]


def test_a_question_that_cannot_be_answered_any_more_is_left_out_of_its_receipt(mail: Mail) -> None:
    send(mail, "to blue: shall we talk?")
    mail.post.answer(mail.write(BO, "Deal! Let us meet at D4.", mail.last(BO)))
    (receipt,) = mail.post.desk.letters("receipt", "blue")
    mail.post.desk.close(now=True)
    found = mail.post.desk.see(
        lambda books: refresh_letter(books, mail.post.desk.library, receipt, mail.post.desk.at)
    )
    assert found is not None
    late = decode(found.letter.document)
    assert late["asked"] is None
    assert late["ignored"] == [
        '"Deal! Let us meet at D4." is no order, and was not sent to anybody.'
    ]


def test_who_asks_for_more_time_twice_is_told_once(mail: Mail) -> None:
    receipt = send(mail, "build max\nCan we have more time?\nI need an extra day.")
    assert len(receipt["ignored"]) == 1


def test_many_words_without_a_full_stop_are_read_as_fast_as_others(mail: Mail) -> None:
    assert send(mail, "and then they came " * 200)["outcome"] == "status"


@pytest.mark.parametrize(
    ("opening", "words"),
    [
        ("to blue:\n", "Let us attack green. Tell green nothing."),
        ("to blue\n", "We strike at D4, and tell green that all is well."),
        ("to blue:\n", "I told Cleo the same, to green: no deal."),
        ("to blue:\n", "We attack.\nTell green nothing."),
        (
            "to blue: ",
            "I think that both of us should attack at D4, and please\ntell green nothing",
        ),
    ],
)
def test_words_to_one_player_never_reach_another_whom_they_name(
    mail: Mail, opening: str, words: str
) -> None:
    assert sent(send(mail, f"{opening}{words}")) == [("blue", words)]


def test_who_extends_an_empire_needs_no_more_time(mail: Mail) -> None:
    assert send(mail, "build max\nSo I extend my empire a little.")["ignored"] == []
