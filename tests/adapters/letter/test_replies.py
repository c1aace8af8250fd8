"""Replies in the manner of all the programs: whatever is around the orders, they are found."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from adjudicator.adapters.mail.inbound.letter import parse_letter
from tests.adapters.letter.replies import Reply, entries, replies, sent
from tests.adapters.letter.writing import blocks

TABLE = entries()
_EACH = pytest.mark.parametrize("entry", TABLE, ids=[entry["name"] for entry in TABLE])
_ONE_IN = 12
"""So many of the letters are read in every run of the tests; all of them in `make soak`."""


def letters(entry: dict[str, Any], one_in: int) -> Iterator[tuple[tuple[str, str], Reply, bytes]]:
    """The letters of a program; which of the ways is tried changes from place to place."""
    for number, (place, reply) in enumerate(replies(entry), TABLE.index(entry)):
        for way, content in islice(sent(reply), number % one_in, None, one_in):
            yield (place, way), reply, content


def misread(entry: dict[str, Any], one_in: int) -> dict[tuple[str, str], object]:
    """The letters in which something else was found."""
    wrong: dict[tuple[str, str], object] = {}
    for name, reply, content in letters(entry, one_in):
        seen = parse_letter(content)
        found = blocks(seen), seen.problems, seen.automatic, seen.bounced
        if found != (reply.blocks, (), None, ()):
            wrong[name] = found
    return wrong


def test_the_table_is_as_long_as_promised() -> None:
    assert len(TABLE) >= 145
    assert sum(1 for entry in TABLE for _ in letters(entry, _ONE_IN)) >= 1450


@_EACH
def test_orders_are_found_in_replies(entry: dict[str, Any]) -> None:
    assert misread(entry, _ONE_IN) == {}


@pytest.mark.soak
@_EACH
def test_orders_are_found_in_replies_that_travel_in_every_way(entry: dict[str, Any]) -> None:
    assert misread(entry, 1) == {}
