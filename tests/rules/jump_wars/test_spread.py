"""JW-4: the spread homeworlds really are as far apart as can be."""

import random
from itertools import combinations

import pytest

from adjudicator.rules.jump_wars.phases.homeworlds import find_spread, search_spread
from adjudicator.rules.jump_wars.position.space import NEIGHBOURS, SPACES, measure_distance

# (smallest distance, sum of distances), found by going through all sets.
BEST = {
    "square": {
        2: (9, 9),
        3: (9, 27),
        4: (9, 54),
        5: (4, 81),
        6: (4, 117),
        7: (4, 154),
        8: (4, 200),
    },
    "hex": {2: (14, 14), 3: (9, 32), 4: (9, 63), 5: (6, 90), 6: (6, 118), 7: (5, 163), 8: (4, 230)},
}
ALL = [(grid, number) for grid, numbers in BEST.items() for number in numbers]


def worth(grid, spaces):
    """What JW-4 asks to be as large as possible."""
    lengths = [measure_distance(grid, one, other) for one, other in combinations(spaces, 2)]
    return min(lengths), sum(lengths)


@pytest.mark.parametrize(("grid", "number"), ALL)
def test_smallest_distance_and_sum(grid, number):
    spaces = find_spread(grid, number)
    assert len(set(spaces)) == number
    assert worth(grid, spaces) == BEST[grid][number]


@pytest.mark.parametrize(("grid", "number"), ALL)
def test_no_single_homeworld_can_be_moved_to_gain(grid, number):
    spaces = find_spread(grid, number)
    best = worth(grid, spaces)
    for place in range(number):
        rest = spaces[:place] + spaces[place + 1 :]
        assert all(worth(grid, (*rest, space)) <= best for space in SPACES if space not in rest)


@pytest.mark.parametrize("grid", ["square", "hex"])
@pytest.mark.parametrize("number", [2, 3])
def test_small_sets_against_all_sets_there_are(grid, number):
    every = combinations(SPACES[:50] if number == 3 else SPACES, number)
    taken = SPACES[50:] if number == 3 else ()
    assert worth(grid, search_spread(grid, number, taken)) == max(worth(grid, one) for one in every)


@pytest.mark.parametrize("grid", ["square", "hex"])
@pytest.mark.parametrize("seed", range(6))
def test_among_few_free_spaces_against_all_sets_there_are(grid, seed):
    """JW-4, JW-61: also where some spaces are taken, so that no best set is written down."""
    free = random.Random(seed).sample(SPACES, 12)
    taken = tuple(space for space in SPACES if space not in free)
    found = search_spread(grid, 5, taken)
    assert worth(grid, found) == max(worth(grid, one) for one in combinations(free, 5))


@pytest.mark.parametrize(
    ("grid", "number"), [("square", 4), ("square", 5), ("hex", 4), ("hex", 5), ("hex", 6)]
)
def test_search_finds_what_is_written_down(grid, number):
    assert worth(grid, search_spread(grid, number)) == BEST[grid][number]


@pytest.mark.soak
@pytest.mark.parametrize(("grid", "number"), ALL)
def test_search_finds_all_that_is_written_down(grid, number):
    assert worth(grid, search_spread(grid, number)) == BEST[grid][number]


@pytest.mark.parametrize(("grid", "number"), ALL)
def test_the_old_empire_is_in_nobodys_way(grid, number):
    assert find_spread(grid, number, ("E5",)) == find_spread(grid, number)


def test_a_taken_space_is_not_used():
    spaces = find_spread("square", 3, ("A1",))
    assert "A1" not in spaces
    assert worth("square", spaces) == BEST["square"][3]  # the other three corners


def test_the_hex_grid_leans_right_in_even_rows():
    assert NEIGHBOURS["hex"]["C4"] == ("C3", "D3", "B4", "D4", "C5", "D5")
    assert NEIGHBOURS["hex"]["C3"] == ("B2", "C2", "B3", "D3", "B4", "C4")
    assert measure_distance("hex", "A1", "J10") == 14
