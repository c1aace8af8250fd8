"""Blocks as programs and fingers spoil them: put right where the meaning is plain, else told."""

from itertools import islice
from typing import Any

import pytest

from adjudicator.adapters.mail.inbound.letter import parse_letter
from adjudicator.core.forms.reading import Text
from tests.adapters.letter import replies
from tests.adapters.letter.damage import entries, sent
from tests.adapters.letter.writing import blocks

TABLE, PROGRAMS = entries(), replies.entries()


def test_the_table_is_as_long_as_promised() -> None:
    assert len(TABLE) >= 120
    assert sum(1 for entry in TABLE for _ in sent(entry)) >= 3500


@pytest.mark.parametrize("entry", TABLE, ids=[entry["name"] for entry in TABLE])
def test_damaged_blocks(entry: dict[str, Any]) -> None:
    assert _misread(entry, 4) == {}


@pytest.mark.soak
@pytest.mark.parametrize("entry", TABLE, ids=[entry["name"] for entry in TABLE])
def test_damaged_blocks_sent_in_every_way(entry: dict[str, Any]) -> None:
    assert _misread(entry, 1) == {}


def _misread(entry: dict[str, Any], one_in: int) -> dict[str, object]:
    """The block alone; which of the ways it is sent in changes from entry to entry."""
    wrong: dict[str, object] = {}
    for way, content in islice(sent(entry), TABLE.index(entry) % one_in, None, one_in):
        seen = parse_letter(content)
        faulty = bool(seen.problems) or any(not isinstance(one.text, Text) for one in seen.blocks)
        if blocks(seen) != entry["blocks"] or faulty != entry.get("faulty", False):
            wrong[way] = blocks(seen), seen.problems
    return wrong


def _misread_in_replies(entry: dict[str, Any], one_in: int) -> dict[tuple[str, str], object]:
    """The block above what a program quotes, with nothing between them, or with a name."""
    wrong: dict[tuple[str, str], object] = {}
    for number, program in enumerate(PROGRAMS):
        if program.get("forward") or (number + TABLE.index(entry)) % one_in:
            continue
        own = entry["text"].rstrip("\n").split("\n") + [[], ["", "Ada"]][number % 2]
        reply = replies.above(program, own, entry["blocks"])
        if not entry.get("html", True):
            reply = reply._replace(html=None)
        for way, content in islice(replies.sent(reply), number % 3, None, 3):
            seen = parse_letter(content)
            if (blocks(seen), seen.problems, seen.automatic) != (reply.blocks, (), None):
                wrong[program["name"], way] = blocks(seen), seen.problems, seen.automatic
    return wrong


READABLE = [entry for entry in TABLE if not entry.get("faulty") and "unclosed" not in entry["name"]]
_EACH = pytest.mark.parametrize("entry", READABLE, ids=[entry["name"] for entry in READABLE])


@_EACH
def test_damaged_blocks_above_quotations(entry: dict[str, Any]) -> None:
    assert _misread_in_replies(entry, 101) == {}


@pytest.mark.soak
@_EACH
def test_damaged_blocks_above_quotations_of_every_program(entry: dict[str, Any]) -> None:
    assert _misread_in_replies(entry, 1) == {}
