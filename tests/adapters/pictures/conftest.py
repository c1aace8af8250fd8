"""Pictures are drawn here as in life."""

from collections.abc import Iterator

import pytest

from tests.quick import pictures_as_in_life


@pytest.fixture(scope="module", autouse=True)
def drawn_as_in_life() -> Iterator[None]:
    """Their size is what some of these tests are about."""
    with pictures_as_in_life():
        yield
