"""Letters as real programs wrote them, byte for byte, also as the command line shows them."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from adjudicator.adapters.mail.inbound.letter import parse_letter
from tests.adapters.letter.damage import USUAL
from tests.adapters.letter.sending import crlf
from tests.adapters.letter.writing import blocks

_FOLDER = Path(__file__).parent / "corpus" / "letters"
_FILES = sorted(_FOLDER.glob("*.eml"), key=lambda file: file.stem)
TABLE: dict[str, dict[str, Any]] = yaml.safe_load(_FOLDER.with_suffix(".yaml").read_text("utf-8"))
_BLOCKS = {
    "usual": USUAL[0],
    "both": USUAL[0] | {"jump": ["C4-D5 x3", "A1-B1 x2"]},
    "form": {key: value for key, value in USUAL[0].items() if key != "jump"},
}


def expected(name: str) -> dict[str, Any]:
    """What must be read."""
    told = {"sender": "ada@example.org", "automatic": False, "blocks": ["usual"]} | TABLE[name]
    wanted = [_BLOCKS[one] if isinstance(one, str) else one for one in told["blocks"]]
    return told | {"blocks": wanted}


def test_every_letter_has_its_expectation() -> None:
    assert sorted(TABLE) == [file.stem for file in _FILES]
    assert len(TABLE) >= 30


@pytest.mark.parametrize("name", TABLE)
def test_real_letters(name: str) -> None:
    wanted = expected(name)
    content = (_FOLDER / f"{name}.eml").read_bytes()
    for one in (content, crlf(content)):
        seen = parse_letter(one)
        assert blocks(seen) == wanted["blocks"]
        assert seen.sender == wanted["sender"]
        assert wanted["message_id"] in ("any", seen.message_id)
        assert (seen.automatic is not None) == wanted["automatic"]
        assert (seen.problems, seen.bounced) == ((), ())


def test_the_command_shows_them_file_by_file() -> None:
    broken = _FOLDER.parent / "reports" / "postfix.eml"
    files = [*map(str, _FILES), str(broken)]
    command = [sys.executable, "-m", "adjudicator", "letter", "--json", *files]
    done = subprocess.run(command, check=True, capture_output=True, text=True, encoding="utf-8")
    shown = [json.loads(line) for line in done.stdout.splitlines()]
    keys = ["file", "automatic", "sender", "message_id", "blocks", "problems", "bounced"]
    assert [list(one) for one in shown] == [keys] * len(files)
    assert [one["file"] for one in shown] == files
    *letters, report = shown
    for file, one in zip(_FILES, letters, strict=True):
        wanted = expected(file.stem)
        assert {key: one[key] for key in ("automatic", "sender", "blocks")} == {
            key: wanted[key] for key in ("automatic", "sender", "blocks")
        }
        assert (one["problems"], one["bounced"]) == ([], [])
    assert (report["automatic"], report["bounced"]) == (True, ["ada@example.org"])
