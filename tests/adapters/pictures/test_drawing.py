"""Arrows, stars and scales that templates of pictures ask for."""

import pytest

from adjudicator.adapters.render.svg_helpers import (
    Arrow,
    find_on_circle,
    keep_apart,
    make_arrow,
    make_burst,
    make_scale,
    name_sides,
)


def test_an_arrow_begins_and_ends_beside_its_points() -> None:
    made = make_arrow((0, 0), (100, 0), after=10, before=20)
    first, *_ = made.line.removeprefix("M").split("Q")
    x, y = map(float, first.split(","))
    assert (x * x + y * y) ** 0.5 == pytest.approx(10, abs=0.1)
    tip = made.head.split()[0]
    x, y = map(float, tip.split(","))
    assert ((x - 100) ** 2 + y * y) ** 0.5 == pytest.approx(20, abs=0.1)


def test_arrows_there_and_back_do_not_cover_each_other() -> None:
    there, back = make_arrow((0, 0), (100, 0)), make_arrow((100, 0), (0, 0))
    assert bend_of(there)[1] * bend_of(back)[1] < 0


def test_an_arrow_can_be_drawn_by_a_point() -> None:
    assert bend_of(make_arrow((0, 0), (100, 0), head=0, by=(50, -80))) == (50, -80)


def bend_of(arrow: Arrow) -> tuple[float, ...]:
    """The point towards which it bends."""
    _, bend = arrow.line.split("Q")
    return tuple(map(float, bend.split()[0].split(",")))


def test_an_arrow_that_leads_nowhere_is_still_one() -> None:
    assert make_arrow((5, 5), (5, 5), after=9, before=9).line.startswith("M5.0,5.0")


def test_a_star_has_as_many_corners_as_asked_for() -> None:
    assert len(make_burst((0, 0), (5, 5), (10, 8), points=7).split()) == 14


def test_a_circle_begins_at_its_top_and_goes_clockwise() -> None:
    assert find_on_circle((10, 10), 5, 0) == (10, 5)
    assert find_on_circle((10, 10), 5, 0.25) == (15, 10)


@pytest.mark.parametrize(
    ("most", "lines"),
    [
        (0, [0, 1]),
        (3, [0, 1, 2, 3]),
        (7, [0, 2, 4, 6, 8]),
        (20, [0, 5, 10, 15, 20]),
        (37, [0, 10, 20, 30, 40]),
        (230, [0, 100, 200, 300]),
    ],
)
def test_a_scale_has_round_numbers_and_reaches_far_enough(most: int, lines: list[int]) -> None:
    assert make_scale(most) == lines


def test_labels_that_would_cover_each_other_are_moved_apart() -> None:
    assert keep_apart([50, 10, 52], 10, 0, 100) == [50, 10, 60]
    assert keep_apart([99, 98, 97], 10, 0, 100) == [100, 90, 80]
    assert keep_apart([], 10, 0, 100) == []


def test_short_names_are_those_of_the_text() -> None:
    assert name_sides(["black", "blue", "red"]) == {"black": "K", "blue": "B", "red": "R"}
