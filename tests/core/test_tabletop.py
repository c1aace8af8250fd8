"""What games at a table share."""

import pytest

from adjudicator.core.document import Impossible
from adjudicator.core.tabletop import (
    count_remaining,
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
