"""What cannot be read in a state document is named with what was expected."""

from collections.abc import Sequence

import pytest

from adjudicator.core.document import Impossible
from adjudicator.core.state_reader import read_name, read_whole_number

FEW = ("ash", "birch", "cedar")
MANY = tuple(f"card-{number}" for number in range(90))


def _refused(value: object, names: Sequence[str]) -> str:
    with pytest.raises(Impossible) as fault:
        read_name(value, names, "card", "deck[2]")
    return str(fault.value)


def test_a_name_that_is_none_is_told_which_there_are() -> None:
    assert _refused("zzz", FEW) == "deck[2]: 'zzz' is no card; there are ash, birch, cedar"
    assert _refused("birhc", FEW) == "deck[2]: 'birhc' is no card; did you mean birch?"


def test_of_very_many_names_only_the_first_are_told() -> None:
    told = _refused("zzz", MANY)
    assert told.endswith("card-10, card-11 and 78 more")
    assert len(told) < 200


def test_a_number_that_is_not_there_is_missing() -> None:
    with pytest.raises(Impossible, match="ships: is missing; write a whole number"):
        read_whole_number(None, "ships")
    assert read_whole_number(3, "ships") == 3
