"""Nobody floods others with press: what is mailed, what waits, and how long a letter can be."""

from typing import Any

import pytest

from adjudicator.core.document import decode
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.values import Observer
from adjudicator.desk.steps.press import ROOM, choose_page, weigh_message
from tests.desk.conftest import GAME, Desk
from tests.desk.mailing import Mail
from tests.desk.post import Post
from tests.desk.wishing import text_of, wish

LONGEST = 10_000


def many(number: int, to: Any = "all", text: str = "message {}") -> list[dict[str, Any]]:
    return [{"to": to, "text": text.format(one)} for one in range(number)]


def told_of(desk: Desk, seat: str, step: int = 1) -> list[str]:
    papers = desk.see(lambda books: books.papers(GAME, step))
    (paper,) = [one for one in papers if one.seat == seat]
    return [
        one["text"] for one in decode(paper.document)["press"] if "luck words" not in one["text"]
    ]


def test_a_letter_with_many_messages_is_one_letter_to_each_reader(desk: Desk) -> None:
    desk.new()
    with desk.store.writing() as books:
        books.save(Observer(game=GAME, address="eve@example.org", since=desk.at))
    told = wish(desk, "red", "press", many(9) + many(3, "blue", "for blue {}"))
    assert len(told.done) == 12
    letters = desk.letters("press")
    assert [one.seat for one in letters] == ["blue", "green", "public"]
    assert [text_of(one).count("\n: ") for one in letters] == [12, 9, 9]


def test_messages_without_a_name_are_in_letters_of_their_own(desk: Desk) -> None:
    desk.new(settings={"press": "grey"})
    grey = {"to": "all", "text": "who am I", "as": "anonymous"}
    wish(desk, "red", "press", [grey, {"to": "all", "text": "I am red"}, {**grey, "text": "guess"}])
    for seat in ("blue", "green"):
        texts = [text_of(one) for one in desk.letters("press", seat)]
        assert [("red to" in one, "anonymous to" in one) for one in texts] == [
            (False, True),
            (True, False),
        ]


def test_messages_beyond_the_limit_wait_for_the_report_and_the_writer_is_told(desk: Desk) -> None:
    desk.new(settings={"press_messages": 3})
    told = wish(desk, "red", "press", many(8))
    assert told.done[2] == "Your message went to everybody."
    limit = "In a step 3 messages of a seat and 20 KB are mailed."
    waits = f"Your message to everybody waits for the next report. {limit}"
    assert told.done[3:] == (waits,) * 5
    assert told.not_taken == ()
    (letter,) = desk.letters("press", "blue")
    assert [one["text"] for one in decode(letter.document)["messages"]] == [
        f"message {one}" for one in range(3)
    ]
    (waits,) = wish(desk, "red", "press", {"to": "gm", "text": "Help"}).done
    assert waits == f"Your message to the GM waits until this step closes. {limit}"
    assert not desk.letters("press", "gm")
    assert wish(desk, "green", "press", {"to": "blue", "text": "Hi"}).done
    desk.close()
    assert told_of(desk, "blue") == [*(f"message {one}" for one in range(8)), "Hi"]
    assert wish(desk, "red", "press", many(8)).done[2] == "Your message went to everybody."


def test_messages_to_the_gm_beyond_the_limit_wait_for_the_step_to_close(desk: Desk) -> None:
    desk.new(settings={"press_messages": 2})
    told = wish(desk, "red", "press", [*many(3, "gm"), *many(2, ["blue", "gm"], "both {}")])
    limit = "In a step 2 messages of a seat and 20 KB are mailed."
    assert told.done[1:] == (
        "Your message went to the GM.",
        f"Your message to the GM waits until this step closes. {limit}",
        f"Your message to blue, the GM waits until this step closes. {limit}",
        f"Your message to blue, the GM waits until this step closes. {limit}",
    )
    assert told.not_taken == ()
    assert wish(desk, "green", "press", {"to": "gm", "text": "Hi"}).done
    first, green = desk.letters("press", "gm")
    desk.close()
    *_, late = desk.letters("press", "gm")
    told_gm = [[one["text"] for one in decode(each.document)["messages"]] for each in (first, late)]
    assert told_gm == [["message 0", "message 1"], ["message 2", "both 0", "both 1"]]
    assert told_of(desk, "blue") == ["both 0", "both 1"]
    desk.close()
    assert desk.letters("press", "gm") == [first, green, late]


def test_the_size_of_messages_is_limited_too(desk: Desk) -> None:
    desk.new()
    long = [{"to": "blue", "text": f"{one}" + "x" * (LONGEST - 1)} for one in range(6)]
    told = wish(desk, "red", "press", long)
    assert sum("waits" in one for one in told.done) == 4
    (letter,) = desk.letters("press", "blue")
    assert len(decode(letter.document)["messages"]) == 2


def test_every_message_can_be_read_by_asking(desk: Desk) -> None:
    """Of what the receipt does not refuse, nothing is lost, whatever reports have room for."""
    desk.new(settings={"press_messages": 20, "press_kilobytes": 20})
    size = 9_000
    for one in range(2):
        messages = many(12, "blue", f"{one} {{}} " + "x" * size)
        told = wish(desk, "red", "press", messages)
        said = "waits for the next report"
        taken = sum("went to" in each or said in each for each in told.done)
        assert taken + sum("not delivered" in each for each in told.not_taken) > 0
    kept = [one.text for one in desk.see(lambda books: books.press(GAME))]
    assert len(kept) == 22
    assert "2 messages were not delivered" in told.not_taken[0]
    desk.close()
    read, number = list[str](), 1
    while number <= len(kept):
        letter = wish(desk, "blue", "ask", f"press {number}").letter
        assert letter is not None
        part = [one["text"] for one in decode(letter.document)["messages"][:-1]]
        read += part
        number += len(part)
    assert read == kept


def test_the_same_words_to_the_same_readers_go_out_once_a_step(desk: Desk) -> None:
    desk.new()
    hello = {"to": "blue", "text": "Hello"}
    assert wish(desk, "red", "press", [hello, hello]).done[1] == (
        "You already sent this message in this step, to blue; it was not sent again."
    )
    wish(desk, "red", "press", [hello, {**hello, "to": "green"}])
    assert len(desk.letters("press")) == 2
    desk.close()
    wish(desk, "red", "press", hello)
    assert len(desk.letters("press", "blue")) == 2


def test_after_the_end_a_day_stands_for_the_step(desk: Desk) -> None:
    desk.new(settings={"press_messages": 2})
    while desk.game().status == "running":
        desk.play()
        desk.close()
    told = wish(desk, "red", "press", many(21))
    assert told.done[2].startswith("Your message to everybody is kept but not mailed; its readers")
    assert "1 message was not delivered; write again in the next day" in told.not_taken[0]
    assert "message 19" in text_of(wish(desk, "blue", "ask", "press").letter)
    desk.later(days=1)
    assert len(wish(desk, "red", "press", many(2, text="later {}")).done) == 2


def test_many_messages_that_cannot_be_delivered_are_refused_in_few_lines(desk: Desk) -> None:
    desk.new()
    told = wish(desk, "red", "press", many(200, "red"))
    assert len(told.not_taken) == 31
    assert told.not_taken[-1] == "press: 170 more messages were not delivered."
    assert len(wish(desk, "red", "press", many(200, "mars")).not_taken) < 31


def test_who_writes_little_is_in_the_report_whatever_others_write(desk: Desk) -> None:
    desk.new()
    wish(desk, "green", "press", {"to": "blue", "text": "short"})
    wish(desk, "red", "press", many(4, "blue", "{}" + "x" * (LONGEST - 1)))
    desk.close()
    *told, note = told_of(desk, "blue")
    assert "short" in told
    assert 0 < len(told) < 5
    assert note == (
        f"{5 - len(told)} of these messages are not in this report, which would be too long. "
        "Write `ask: press` to read them."
    )
    assert told_of(desk, "green") == ["short"]


@pytest.mark.parametrize(
    "text", ["x" * LONGEST, "é" * LONGEST, "<" * LONGEST, "=\n" * (LONGEST // 2), "👩" * 5_000]
)
def test_press_makes_no_letter_longer_than_200_kilobytes(desk: Desk, text: str) -> None:
    """Whatever it is made of, in reports, in letters of their own and in answers."""
    post = Post(desk)
    post.new(settings={"press_kilobytes": 100})
    wish(desk, "blue", "prefer", {"json": "yes"})
    for seat in ("red", "green"):
        written = [{"to": "blue", "text": text[:-2] + f"{one:02}"} for one in range(6)]
        told = wish(desk, seat, "press", written).done
        assert sum(one.startswith("Your message ") for one in told) == 6
    desk.close()
    mail = Mail(post)
    post.write("ask: press", seat="blue")
    post.write("ask: press 1", seat="blue")
    mail.deliver()
    reports = [
        one
        for one in mail.raw["bo@example.org"]
        if b"ress from" not in one.partition(b"\r\n\r\n")[0]
    ]
    assert len(reports) >= 4
    assert max(map(len, reports)) < 200 * 1024


def test_all_press_can_be_asked_for_page_by_page(desk: Desk) -> None:
    desk.new()
    wish(desk, "red", "press", many(4, "blue", "{}" + "x" * (LONGEST - 1)))
    wish(desk, "red", "press", {"to": "gm", "text": "not for blue"})
    read: list[str] = []
    for first in ("", " 1", " 3"):
        wish(desk, "blue", "ask", f"press{first}")
        document = decode(desk.letters("answer", "blue")[-1].document)
        *messages, note = document["messages"]
        read += [one["text"][:1] for one in messages]
        assert note["from"] == "the server"
        assert "of 4. `ask: press 1` gets you those from the first on." in note["text"]
    assert read == ["2", "3", "0", "1", "2", "3"]
    assert "of 4" in document["headline"]
    told = wish(desk, "blue", "ask", "press 9")
    assert told.not_taken == ("ask: press: there are 4 messages",)
    assert "you have no messages yet" in wish(desk, "green", "ask", "press 1").not_taken[0]


def test_a_page_holds_what_fits_and_one_message_at_least() -> None:
    little, large = {"text": "x"}, {"text": "<" * 20_000}
    assert weigh_message(large) > ROOM
    assert choose_page([little] * 5, None) == range(5)
    assert choose_page([large, large], None) == range(1, 2)
    assert choose_page([large, large], 1) == range(1)
    assert choose_page([little, large], 1) == range(1)
    assert not choose_page([little], 2)
    assert not choose_page([], None)


def test_a_limit_of_nothing_is_refused(desk: Desk) -> None:
    with pytest.raises(Refused, match="press_messages is at least 1"):
        desk.new(settings={"press_messages": 0})
