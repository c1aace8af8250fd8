"""What games at a table share."""

from collections import Counter

import pytest

from adjudicator.core.dice import Dice
from adjudicator.core.document import Impossible
from adjudicator.core.tabletop import (
    complete_deck,
    count_remaining,
    list_copies,
    list_seats_after,
    list_seats_from,
    remove_cards,
)

SEATS = ("red", "blue", "green")


def test_seats_go_round_the_table() -> None:
    assert list_seats_from(SEATS, "blue") == ("blue", "green", "red")
    assert list_seats_after(SEATS, "blue") == ("green", "red", "blue")


def test_one_copy_goes_for_each_card_that_is_spent() -> None:
    assert remove_cards(("a", "b", "a"), ["a", "c"]) == ("b", "a")


def test_cards_are_counted_out_of_the_box_until_there_are_too_many() -> None:
    box = {"a": 2, "b": 1}
    assert dict(count_remaining(box, [("deck", ["a"]), ("discard", ["b"])], str)) == {
        "a": 1,
        "b": 0,
    }
    with pytest.raises(Impossible, match=r"^discard: no more b$"):
        count_remaining(box, [("deck", ["b"]), ("discard", ["b"])], lambda card: f"no more {card}")


def test_every_copy_of_a_card_is_listed() -> None:
    assert list_copies({"a": 2, "b": 0, "c": 1}) == ("a", "a", "c")


def test_a_deck_is_what_is_given_else_what_is_left_shuffled() -> None:
    left, dice = Counter({"a": 2, "b": 1}), Dice(b"key", "step")
    assert complete_deck("deck", ("b", "a"), left, dice, "deck") == ("b", "a")
    shuffled = dice.draw("deck").shuffled(["a", "a", "b"])
    assert complete_deck("deck", None, left, dice, "deck") == shuffled
    with pytest.raises(Impossible, match=r"^deck: is missing"):
        complete_deck("deck", None, left, None, "deck")
