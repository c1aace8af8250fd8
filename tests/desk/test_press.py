"""Press: who gets it and when, what it can never be taken for, and what is kept of it."""

from typing import Any

import pytest

from adjudicator.core.document import decode
from adjudicator.desk.acts.rollback import roll_back
from adjudicator.desk.acts.seats import seat_bot
from adjudicator.desk.model.values import Observer, Press
from adjudicator.desk.requests.press import send_gm_press
from tests.desk.conftest import GAME, Desk
from tests.desk.wishing import case_of, order, text_of, wish


def _kept(desk: Desk) -> list[Press]:
    return list(desk.see(lambda books: books.press(GAME)))


def _reported(desk: Desk, seat: str | None, step: int) -> list[tuple[str, str, str]]:
    (paper,) = [one for one in desk.see(lambda books: books.papers(GAME, step)) if one.seat == seat]
    press = decode(paper.document)["press"]
    return [(one["from"], one["to"], one["text"]) for one in press if one["from"] != "the server"]


def test_a_message_to_a_seat_is_a_letter_to_it_and_to_nobody_else(desk: Desk) -> None:
    desk.new()
    told = wish(desk, "red", "press", [{"to": ["blue"], "text": "Shall we trade?"}])
    assert told.done == ("Your message went to blue.",)
    (letter,) = desk.letters("press")
    assert letter.seat == "blue"
    text = text_of(letter)
    assert "red to blue\n: Shall we trade?" in text
    assert "reply with a line such as `to red: your words`" in " ".join(text.split())
    assert text.rstrip().endswith("# end of orders")
    assert [(one.seat, one.to, one.text) for one in _kept(desk)] == [
        ("red", ("blue",), "Shall we trade?")
    ]


def test_a_message_to_all_goes_to_players_and_to_those_who_look_on(desk: Desk) -> None:
    desk.new()
    with desk.store.writing() as books:
        books.save(Observer(game=GAME, address="eve@example.org", since=desk.at))
    wish(desk, "red", "press", {"to": "all", "text": "Hello\nto all"})
    letters = desk.letters("press")
    assert [(letter.seat, letter.to) for letter in letters] == [
        ("blue", None),
        ("green", None),
        ("public", ("eve@example.org",)),
    ]
    assert ": Hello\n: to all" in text_of(letters[-1])
    assert "game:" not in text_of(letters[-1])  # somebody without a seat has no block


def test_reports_hold_what_was_written_since_the_last_one(desk: Desk) -> None:
    desk.new()
    wish(desk, "red", "press", [{"to": "all", "text": "one"}, {"to": "blue", "text": "two"}])
    desk.close()
    assert _reported(desk, "red", 1) == [("red", "all", "one"), ("red", "blue", "two")]
    assert _reported(desk, "blue", 1) == [("red", "all", "one"), ("red", "blue", "two")]
    assert _reported(desk, "green", 1) == [("red", "all", "one")]
    assert _reported(desk, None, 1) == [("red", "all", "one")]
    wish(desk, "blue", "press", {"to": "all", "text": "three"})
    asked = desk.close().step.number  # whoever wins is asked for a prize, and only they are mailed
    wish(desk, "blue", "press", {"to": "all", "text": "four"})
    later = desk.close().step.number
    three, four = ("blue", "all", "three"), ("blue", "all", "four")
    assert _reported(desk, "red", later) == [three, four]
    assert (_reported(desk, None, asked), _reported(desk, None, later)) == ([three], [four])


def test_press_survives_a_rollback_and_is_told_once(desk: Desk) -> None:
    desk.new()
    desk.close()
    wish(desk, "red", "press", {"to": "all", "text": "before"})
    desk.act(roll_back, "1-pick", same_dice=False)
    closing = desk.close()
    assert _reported(desk, "green", closing.step.number) == [("red", "all", "before")]
    closing = desk.close()
    assert _reported(desk, "green", closing.step.number) == []


def test_messages_without_a_name_only_where_the_game_allows_them(desk: Desk) -> None:
    desk.new()
    grey = {"to": "blue", "text": "psst", "as": "anonymous"}
    told = wish(desk, "red", "press", grey)
    assert told.done == ()
    assert "not allowed" in told.not_taken[0]
    assert desk.letters("press") == []


def test_nothing_tells_who_wrote_without_a_name(desk: Desk) -> None:
    desk.new(settings={"press": "grey"})
    told = wish(desk, "red", "press", {"to": "all", "text": "psst", "as": "anonymous"})
    assert told.done == ("Your message went to everybody, without your name.",)
    for letter in desk.letters("press"):
        assert '"red"' not in letter.document.decode()
        assert "anonymous to all" in text_of(letter)
    desk.close()
    assert _reported(desk, "blue", 1) == [("anonymous", "all", "psst")]
    assert _reported(desk, None, 1) == [("anonymous", "all", "psst")]
    assert _reported(desk, "red", 1) == [("red (without a name)", "all", "psst")]


def test_a_game_may_be_without_press(desk: Desk) -> None:
    desk.new(settings={"press": "none"})
    told = wish(desk, "red", "press", {"to": "blue", "text": "x"})
    assert "without press" in told.not_taken[0]
    assert _kept(desk) == []


@pytest.mark.parametrize(
    "text",
    [
        "game: tiny\nstep: 1-pick\nkey: 2222-3333\nplay: owl\n# end of orders",
        "NOTICE 4 to blue, game tiny\n\nYOU ARE ELIMINATED",
        "\r\ngame: tiny\rplay: owl",
        "a\u2028game: tiny\u0085play: owl\x0bgm: [close]",
        "```yaml\ngame: tiny\n```",
    ],
)
def test_press_cannot_be_taken_for_orders_or_for_the_house(desk: Desk, text: str) -> None:
    desk.new()
    wish(desk, "red", "press", {"to": "blue", "text": text})
    (letter,) = desk.letters("press")
    printed = text_of(letter)
    told = printed[: printed.index("To answer")].splitlines()
    quoted = [line for line in told if line.startswith(":")]
    own = [line for line in told if not line.startswith(":")]
    assert quoted
    assert [line for line in own if line] == [own[0], "red to blue"]
    assert own[0].startswith("PRESS 1 to blue, game tiny")
    desk.close()
    (report,) = desk.letters("report", "blue")[1:]
    lines = text_of(report).splitlines()
    assert [line for line in lines if line.startswith(("game:", "gm:", "```"))] == ["game: tiny"]


def test_signs_that_cannot_be_seen_are_left_out(desk: Desk) -> None:
    desk.new()
    wish(
        desk,
        "red",
        "press",
        {"to": "blue", "text": "a\u202eb\x1b[31mc\u200b\ufeff\x00 é👩\u200d🚀"},
    )
    assert _kept(desk)[0].text == "ab[31mc é👩\u200d🚀"


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ({"to": "mars", "text": "x"}, '"mars" is not a player'),
        ({"to": "blue"}, "text"),
        ({"text": "x"}, "does not say to whom"),
        ("hello", "a message is a line such as"),
        ({"to": "blue", "text": "\u200b"}, "is empty"),
        ({"to": "red", "text": "x"}, "the only reader"),
        ({"to": "blue", "text": "x" * 10_001}, "at most 10000 characters"),
    ],
)
def test_what_cannot_be_delivered_is_said(desk: Desk, value: Any, why: str) -> None:
    desk.new()
    told = wish(desk, "red", "press", value)
    assert told.done == ()
    assert why in " ".join(told.not_taken)
    assert desk.letters("press") == []


def test_one_bad_message_does_not_stop_the_others(desk: Desk) -> None:
    desk.new()
    told = wish(desk, "red", "press", [{"to": "mars", "text": "x"}, {"to": "blue", "text": "y"}])
    assert told.done == ("Your message went to blue.",)
    assert len(told.not_taken) == 1


def test_who_cannot_read_it_is_named(desk: Desk) -> None:
    desk.new()
    desk.act(seat_bot, "blue")
    told = wish(desk, "red", "press", {"to": ["blue", "green"], "text": "x"})
    assert told.done == (
        "Your message went to blue, green. But a bot plays blue, so nobody reads it there.",
    )
    assert [letter.seat for letter in desk.letters("press")] == ["green"]


def test_who_wants_only_the_final_letters_reads_press_in_the_report(desk: Desk) -> None:
    desk.new()
    wish(desk, "blue", "prefer", {"mails": "final"})
    wish(desk, "red", "press", {"to": ["blue", "green"], "text": "x"})
    assert [letter.seat for letter in desk.letters("press")] == ["green"]
    desk.close()
    assert _reported(desk, "blue", 1) == [("red", "blue, green", "x")]


def test_the_gm_writes_to_anybody(desk: Desk) -> None:
    desk.new(settings={"press": "none"})
    with desk.store.writing() as books:
        told = send_gm_press(case_of(desk, books), {"to": "all", "text": "Welcome"})
    assert told.done == ("Your message went to everybody.",)
    assert len(desk.letters("press")) == 3
    assert "the GM to all" in text_of(desk.letters("press", "red")[0])


def test_a_message_to_the_gm_goes_to_the_gm_alone(desk: Desk) -> None:
    desk.new()
    told = wish(desk, "red", "press", {"to": "gm", "text": "Is this right?"})
    assert told.done == ("Your message went to the GM.",)
    (letter,) = desk.letters("press")
    assert (letter.seat, letter.to) == ("gm", ())
    assert "red to the GM\n: Is this right?" in text_of(letter)


def test_press_can_be_written_after_the_end(desk: Desk) -> None:
    desk.new()
    order(desk, 'end drawn "all agreed"')
    assert wish(desk, "red", "press", {"to": "all", "text": "Thank you"}).done
    assert [letter.seat for letter in desk.letters("press")] == ["blue", "green"]
