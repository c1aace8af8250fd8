"""Keys: whose they are, and what makes them void."""

import pytest

from adjudicator.desk.outbox.keys import key_matches, make_key

SECRET = b"s" * 32
RED = {"game": "tiny", "seat": "red", "seating": 1, "step": "3-pick", "epoch": 1}


def test_a_key_is_short_and_has_no_signs_that_look_alike() -> None:
    made = make_key(SECRET, **RED)
    assert len(made) == 9
    assert made[4] == "-"
    assert not set(made) & set("01ilo")
    assert made == make_key(SECRET, **RED)


def test_a_key_opens_its_own_step_and_seat() -> None:
    assert key_matches(f" {make_key(SECRET, **RED)} ", SECRET, **RED)


@pytest.mark.parametrize(
    "other",
    [{"game": "huge"}, {"seat": "blue"}, {"seating": 2}, {"step": "4-pick"}, {"epoch": 2}],
)
def test_a_key_opens_nothing_else(other: dict[str, object]) -> None:
    assert not key_matches(make_key(SECRET, **RED), SECRET, **{**RED, **other})


def test_another_house_has_other_keys() -> None:
    assert not key_matches(make_key(SECRET, **RED), b"t" * 32, **RED)
    assert not key_matches("käse", SECRET, **RED)
