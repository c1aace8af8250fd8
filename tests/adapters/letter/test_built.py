"""Parts and attachments, charsets under right and wrong labels, letters that programs wrote."""

from typing import Any

import pytest

from adjudicator.adapters.mail.inbound.letter import parse_letter
from adjudicator.core.forms.reading import Text
from tests.adapters.letter.built import built, expected, from_program, in_charset, table
from tests.adapters.letter.sending import crlf, letter
from tests.adapters.letter.writing import blocks

PARTS, CHARSETS, AUTOMATIC = table("parts"), table("charsets"), table("automatic")

_TYPED = str.maketrans("“”\u2013\u2014", '""--')
"""A typewriter's marks are as good as a printer's."""


def _names(entries: list[dict[str, Any]]) -> list[str]:
    return [entry["name"] for entry in entries]


def test_the_tables_are_as_long_as_promised() -> None:
    assert (len(PARTS) >= 60, len(CHARSETS) >= 65, len(AUTOMATIC) >= 95) == (True, True, True)


@pytest.mark.parametrize("entry", PARTS, ids=_names(PARTS))
def test_parts(entry: dict[str, Any]) -> None:
    content = letter(built(entry["parts"]))
    for one in (content, crlf(content), content.replace(b"\n", b"\r")):
        seen = parse_letter(one)
        faulty = any(not isinstance(block.text, Text) for block in seen.blocks)
        assert blocks(seen) == expected(entry)
        assert (faulty, seen.problems) == (entry.get("faulty", False), ())


@pytest.mark.parametrize("entry", CHARSETS, ids=[f"{e['label']}-{e['codec']}" for e in CHARSETS])
def test_charsets(entry: dict[str, Any]) -> None:
    for encoding in ("base64", "quoted-printable"):
        (block,) = blocks(parse_letter(in_charset(entry, encoding)))
        assert block["jump"] == ["C4-D5 x3"]
        assert block["press"][0]["text"].translate(_TYPED) == entry["words"].translate(_TYPED)


@pytest.mark.parametrize("entry", AUTOMATIC, ids=_names(AUTOMATIC))
def test_who_wrote_it(entry: dict[str, Any]) -> None:
    content = from_program(entry)
    for one in (content, crlf(content)):
        seen = parse_letter(one)
        assert (seen.automatic is None, seen.bounced) == (entry.get("person", False), ())
