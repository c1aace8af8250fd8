"""Letters, YAML, forms and archives, broken at random: nothing but what is promised happens.

`python -m tests.fuzz` makes new attempts for an hour.
"""

import pytest

from tests.fuzz.targets import TARGETS, attempt


@pytest.mark.parametrize("one_in", [6, pytest.param(1, marks=pytest.mark.soak)])
@pytest.mark.parametrize("name", TARGETS)
def test_nothing_that_is_broken_breaks_us(name: str, one_in: int) -> None:
    for number in range(0, TARGETS[name].usual, one_in):
        try:
            attempt(name, number)
        except Exception as error:
            error.add_note(f"python -m tests.fuzz --only {name} --number {number}")
            raise
