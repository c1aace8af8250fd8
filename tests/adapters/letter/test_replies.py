"""Replies in the manner of all the programs: whatever is around the orders, they are found."""

from typing import Any

import pytest

from adjudicator.adapters.letter import read
from tests.adapters.letter.replies import entries, replies, sent
from tests.adapters.letter.writing import blocks

TABLE = entries()


def test_the_table_is_as_long_as_promised() -> None:
    letters = [way for entry in TABLE for _, reply in replies(entry) for way in sent(reply)]
    assert len(TABLE) >= 140
    assert len(letters) >= 5000


@pytest.mark.parametrize("entry", TABLE, ids=[entry["name"] for entry in TABLE])
def test_orders_are_found_in_replies(entry: dict[str, Any]) -> None:
    wrong = {}
    for place, reply in replies(entry):
        for way, content in sent(reply):
            seen = read(content)
            found = blocks(seen)
            if found != reply.blocks or seen.problems or seen.automatic or seen.bounced:
                wrong[place, way] = found, seen.problems, seen.automatic
    assert wrong == {}
