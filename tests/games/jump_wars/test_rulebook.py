"""The rulebook is read whole; `conform` compares it with the scenarios."""

from collections.abc import Mapping

import pytest

from adjudicator.adapters.games.library import FolderLibrary


@pytest.fixture(scope="module")
def rulebook() -> Mapping[str, str]:
    return FolderLibrary().kind("jump-wars").rulebook


def test_the_rulebook_is_read_whole(rulebook: Mapping[str, str]) -> None:
    numbers = list(rulebook)
    assert (numbers[0], numbers[-1]) == ("JW-1", "JW-63")
    assert len(numbers) == 57  # 38 to 45 and 48 are not used; 13 has a, b and c
