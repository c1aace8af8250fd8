"""Distances that are measured only so far are those of the whole map (JW-2, JW-30)."""

import pytest

from adjudicator.rules.jump_wars.position.space import (
    PLACE,
    SPACES,
    list_spaces_within,
    measure_distances,
)

HOLES = frozenset(SPACES[1::3])


@pytest.mark.parametrize("grid", ["square", "hex"])
@pytest.mark.parametrize("start", ["A1", "E5", "J10"])
@pytest.mark.parametrize("far", [0, 1, 3, 9])
def test_what_is_near_is_as_far_as_on_the_whole_map(grid: str, start: str, far: int) -> None:
    everywhere = measure_distances(grid, HOLES, start)
    near = {space: length for space, length in everywhere.items() if length <= far}
    assert measure_distances(grid, HOLES, start, far) == near
    assert list(list_spaces_within(grid, HOLES, start, far)) == sorted(
        near.keys() - {start}, key=PLACE.__getitem__
    )


def test_every_space_is_reached_from_a_corner_without_holes() -> None:
    for grid in ("square", "hex"):
        assert measure_distances(grid, frozenset(), "A1").keys() == set(SPACES)
