"""Delivery reports: no answer, nothing executed, and the failed addresses by name."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from adjudicator.adapters.mail.inbound.letter import parse_letter
from tests.adapters.letter.built import from_program, table
from tests.adapters.letter.sending import crlf

_FOLDER = Path(__file__).parent / "corpus" / "reports"
TABLE: dict[str, list[str]] = yaml.safe_load(_FOLDER.with_suffix(".yaml").read_text("utf-8"))
IN_WORDS = table("bounces")


def test_every_report_has_its_expectation() -> None:
    assert sorted(TABLE) == sorted(file.stem for file in _FOLDER.glob("*.eml"))
    assert len(TABLE) >= 25


@pytest.mark.parametrize("name", TABLE)
def test_reports(name: str) -> None:
    content = (_FOLDER / f"{name}.eml").read_bytes()
    for one in (content, crlf(content)):
        seen = parse_letter(one)
        assert seen.automatic is not None
        assert list(seen.bounced) == TABLE[name]
        assert (seen.blocks, seen.problems) == ((), ())


@pytest.mark.parametrize("entry", IN_WORDS, ids=[entry["name"] for entry in IN_WORDS])
def test_reports_in_words_only(entry: dict[str, Any]) -> None:
    for path in ("<>", None):  # some servers keep the Return-Path to themselves
        seen = parse_letter(from_program(entry | {"path": path}))
        assert seen.automatic is not None
        assert list(seen.bounced) == entry["failed"]
