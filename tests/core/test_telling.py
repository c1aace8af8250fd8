"""Happenings told to a reader."""

import pytest

from adjudicator.core.events import (
    Event,
    EventText,
    Reader,
    describe_event,
    fill_template,
    find_initials,
    format_count,
    format_list,
    format_rank,
    report_scores,
    tell_by,
)

RED, BLUE = Reader("red"), Reader("blue")


def test_the_reader_is_addressed_and_others_are_named() -> None:
    reader = Reader("red")
    assert (reader.name_side("red"), reader.begin_with("red"), reader.name_owner("red")) == (
        "you",
        "You",
        "your",
    )
    assert (reader.begin_with_owner("red"), reader.begin_with_owner("blue")) == ("Your", "blue's")
    assert (reader.name_side("blue"), reader.begin_with("blue")) == ("blue", "blue")
    assert Reader(None).name_side("red") == "red"


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


def test_a_rank_is_told_with_those_who_share_it() -> None:
    points = {"red": 5, "blue": 3, "green": 3, "yellow": 0}
    told = [format_rank(points, seat) for seat in points]
    assert told == ["1st of 4", "shared 2nd of 4", "shared 2nd of 4", "4th of 4"]


def test_each_side_has_one_letter() -> None:
    assert find_initials(("red", "blue", "black")) == {"red": "r", "blue": "b", "black": "k"}


def test_an_event_without_words_of_its_own_is_told_by_its_facts() -> None:
    event = Event(kind="rained", rule="X-1", seen_by=None, data={"where": "here"})
    assert describe_event(event, Reader(None), {}) == EventText("rained: where here")
    words = {"rained": lambda facts, _: f"It rained {facts['where']}."}
    assert describe_event(event, Reader(None), words) == EventText("It rained here.")


def test_a_template_names_its_facts_as_the_reader_is_told_them() -> None:
    facts = {"seat": "red", "to": "blue", "fleets": 1, "cards": ["jump", "jump"], "why": "No."}
    told = "{seat:Who} {seat:have} {fleets:fleet} at {to:whose} post with {cards:and}: {why:clause}"
    assert fill_template(told, facts, RED) == "You have 1 fleet at blue's post with jump x2: No"
    assert fill_template(told, facts, BLUE) == "red has 1 fleet at your post with jump x2: No"


def test_a_part_of_a_template_is_told_where_there_is_something_to_tell() -> None:
    parts = ("{seat:Who} drew {number:card|no cards}", ": {named:and}", "{last:if}, the last", ".")
    assert fill_template(parts, {"seat": "red", "number": 0}, BLUE) == "red drew no cards."
    facts = {"seat": "red", "number": 2, "named": ["a", "b"], "last": True}
    assert fill_template(parts, facts, RED) == "You drew 2 cards: a and b, the last."


def test_words_can_depend_on_a_fact() -> None:
    tell = tell_by("by", {None: "Nobody."}, "{by:Who} {by:are} there, beside {others:sides}.")
    assert tell({"by": None}, RED) == "Nobody."
    told = tell({"by": "red", "others": ["blue", "green"]}, BLUE)
    assert told == "red is there, beside you and green."


def test_the_end_says_what_broke_a_tie() -> None:
    scores = {"red": 26, "blue": 32, "green": 32}
    assert report_scores(("blue",), scores, "with {best:point}", "claims (JGB-11)")["text"] == (
        "blue has won the game with 32 points; green has as many, and ties go by claims (JGB-11)."
    )
    shared = report_scores(("blue", "green"), scores, "with {best:point}", "claims (JGB-11)")
    assert "ties" not in shared["text"]
