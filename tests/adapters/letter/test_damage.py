"""Blocks as programs and fingers spoil them: put right where the meaning is plain, else told."""

from typing import Any

import pytest

from adjudicator.adapters.letter import read
from adjudicator.core.reading import Text
from tests.adapters.letter.damage import entries, sent
from tests.adapters.letter.writing import blocks

TABLE = entries()


def test_the_table_is_as_long_as_promised() -> None:
    assert len(TABLE) >= 120
    assert sum(1 for entry in TABLE for _ in sent(entry)) >= 3500


@pytest.mark.parametrize("entry", TABLE, ids=[entry["name"] for entry in TABLE])
def test_damaged_blocks(entry: dict[str, Any]) -> None:
    wrong = {}
    for way, content in sent(entry):
        seen = read(content)
        faulty = bool(seen.problems) or any(not isinstance(one.text, Text) for one in seen.blocks)
        if blocks(seen) != entry["blocks"] or faulty != entry.get("faulty", False):
            wrong[way] = blocks(seen), seen.problems
    assert wrong == {}
