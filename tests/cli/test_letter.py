"""adjudicator letter: what the reader sees, for people and for programs."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from adjudicator.cli.app import cli

LETTER = """\
From: Ada <ada@example.org>
Message-ID: <1@example.org>
Subject: Re: [ember] Turn 4

game: ember
step: 12-jump
key: 7f3k-q2mx
jump:
- C4-D5 x3
"""
ORDERS = {"game": "ember", "step": "12-jump", "key": "7f3k-q2mx", "jump": ["C4-D5 x3"]}
BOUNCE = """\
From: MAILER-DAEMON@mx.example
Subject: failure notice
X-Failed-Recipients: bo@example.org

It failed.
"""


def run(*words: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(cli, ["letter", *words], standalone_mode=False)
    assert done.exception is None, done.exception
    return int(done.return_value or 0), done.stdout, done.stderr


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.chdir(tmp_path)

    def write(**contents: str | bytes) -> None:
        for name, content in contents.items():
            raw = content if isinstance(content, bytes) else content.encode()
            Path(f"{name}.eml").write_bytes(raw)

    return write


def test_one_object_for_each_file_in_the_order_given(files: Any) -> None:
    files(b=LETTER, a=BOUNCE)
    code, told, _ = run("--json", "b.eml", "a.eml")
    first, second = (json.loads(line) for line in told.splitlines())
    assert first == {
        "file": "b.eml",
        "automatic": False,
        "sender": "ada@example.org",
        "message_id": "<1@example.org>",
        "blocks": [ORDERS],
        "problems": [],
        "bounced": [],
    }
    assert second["file"] == "a.eml"
    assert (second["automatic"], second["bounced"]) == (True, ["bo@example.org"])
    assert second["message_id"] is None
    assert code == 0


def test_a_block_that_is_no_yaml_is_a_problem_with_its_place(files: Any) -> None:
    files(a=LETTER.replace("- C4-D5 x3", "- [C4"))
    code, told, _ = run("--json", "a.eml")
    seen = json.loads(told)
    assert seen["blocks"] == []
    assert seen["problems"] == [
        {
            "line": 5,
            "column": 3,
            "path": "",
            "message": "the bracket opened here is never closed",
        }
    ]
    assert code == 0


def test_a_hostile_letter_is_a_problem_and_no_failure(files: Any) -> None:
    files(a=b"x" * (2 << 20), b=b"Subject: " + b"=?utf-8?q?a?= " * 20000 + b"\n\n", c=b"")
    code, told, _ = run("--json", "a.eml", "b.eml", "c.eml")
    big, flood, empty = (json.loads(line) for line in told.splitlines())
    assert "larger than 1 MB" in big["problems"][0]["message"]
    assert "longer than 64 KB" in flood["problems"][0]["message"]
    assert "it has no header" in empty["problems"][0]["message"]
    assert code == 0


def test_a_file_that_cannot_be_read_at_all(files: Any) -> None:
    files(a=LETTER)
    code, told, said = run("--json", "nowhere.eml", "a.eml")
    missing, seen = (json.loads(line) for line in told.splitlines())
    assert missing["file"] == "nowhere.eml"
    assert missing["problems"][0]["message"] in said
    assert "nowhere.eml: cannot be read" in said
    assert seen["blocks"] == [ORDERS]
    assert code == 1


def test_names_and_words_of_all_kinds_can_be_printed(files: Any) -> None:
    files(a=LETTER.replace("ember", "Gl\u00fchw\u00fcrmchen \u65e5\u672c"))
    Path("a.eml").rename("\udcff.eml")
    code, told, _ = run("--json", "\udcff.eml")
    assert told.isascii()
    assert json.loads(told)["blocks"][0]["game"] == "Gl\u00fchw\u00fcrmchen \u65e5\u672c"
    assert run("\udcff.eml")[0] == code == 0


def test_for_people(files: Any) -> None:
    files(a=LETTER, b=BOUNCE)
    code, told, _ = run("a.eml", "b.eml")
    assert code == 0
    assert "a.eml\n  from       ada@example.org\n" in told
    assert '"jump": ["C4-D5 x3"]' in told
    assert "bounced    bo@example.org" in told
