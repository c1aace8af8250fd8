"""Happenings told to a reader."""

import pytest

from adjudicator.core.events import (
    Event,
    EventText,
    Reader,
    describe_event,
    find_initials,
    format_count,
    format_list,
)


def test_the_reader_is_addressed_and_others_are_named() -> None:
    reader = Reader("red")
    assert (reader.who("red"), reader.begin("red"), reader.whose("red")) == ("you", "You", "your")
    assert (reader.begin_whose("red"), reader.begin_whose("blue")) == ("Your", "blue's")
    assert (reader.who("blue"), reader.begin("blue")) == ("blue", "blue")
    assert Reader(None).who("red") == "red"


@pytest.mark.parametrize(
    ("things", "words"),
    [
        ([], ""),
        (["a"], "a"),
        (["a", "b"], "a and b"),
        (["a", "b", "c"], "a, b and c"),
        (["a", "b", "a"], "a x2 and b"),
        (["a", "a"], "a x2"),
    ],
)
def test_things_are_listed_and_equal_ones_counted(things: list[str], words: str) -> None:
    assert format_list(things) == words


def test_one_thing_is_no_plural() -> None:
    assert (format_count(1, "card"), format_count(0, "card")) == ("1 card", "0 cards")


def test_initials_are_as_short_as_they_can_be_told_apart() -> None:
    assert find_initials(("red", "blue", "black")) == {"red": "r", "blue": "blu", "black": "bla"}


def test_an_event_without_words_of_its_own_is_told_by_its_facts() -> None:
    event = Event(kind="rained", rule="X-1", seen_by=None, data={"where": "here"})
    assert describe_event(event, Reader(None), {}) == EventText("rained: where here")
    words = {"rained": lambda facts, _: f"It rained {facts['where']}."}
    assert describe_event(event, Reader(None), words) == EventText("It rained here.")
