"""Signs that act on a terminal or turn the writing around, planted wherever people write."""

import unicodedata
from pathlib import Path
from typing import Any

HOSTILE = "\u202ex\u2066\x07\x1b[31m\x85\u2028"
_HARMLESS = {"\n", "\u200c", "\u200d", "\u200e", "\u200f", "\u00ad"}
LETTER = f"""From: Eve\u202e <eve@example.org>
To: games@example.org
Subject: =?utf-8?b?4oCuYWJj?= \x1b[31mx
Message-ID: <a\u202e@example.org>
Content-Type: text/plain; charset=utf-8

game: em{HOSTILE}ber
step: 1\u202e
key: abcd-\u202eefgh
build: 1{HOSTILE}
ask: he{HOSTILE}lp
"""


def _acting(text: str) -> list[str]:
    categories = ("Cc", "Cf", "Zl", "Zp")
    signs = sorted(set(text) - _HARMLESS)
    return [ascii(sign) for sign in signs if unicodedata.category(sign) in categories]


def _shown(gm: Any, *words: str | Path, **wanted: Any) -> None:
    result = gm(*words, **wanted)
    assert _acting(result.stdout + result.stderr) == [], words


def test_no_command_and_no_file_holds_a_sign_that_acts(gm: Any, tmp_path: Path) -> None:
    press = f'press: [{{to: all, text: "hi\\u202e\\u001b there {HOSTILE} yes"}}]\n'
    seats = ("--seat", "red=Ada", "--seat", "blue=Bo <bo@example.org>")
    kind = ("--kind", "jump-wars")
    assert _acting(gm.refused("new", "ember", *kind, "--seat", f"red={HOSTILE}")) == []
    _shown(gm, "new", "ember", *kind, *seats, "--start")
    typed = f'build: 1\n{press}prefer: {{zone: "Europe{HOSTILE}"}}\n'
    _shown(gm, "submit", "ember", "red", "-", typed=typed)
    _shown(gm, "submit", "ember", "blue", "-", typed=f"bu{HOSTILE}ild: 1\n", code=1)
    _shown(gm, "message", "ember", typed=f"text {HOSTILE} end")
    _shown(gm, "close", "ember", "--now")
    slip = ("--same-dice", "--yes", "--reason", f"a slip {HOSTILE}")
    _shown(gm, "rollback", "ember", "1-plan", *slip)
    _shown(gm, "close", "ember", "--now")
    letter = tmp_path / "letter.eml"
    letter.write_bytes(LETTER.replace("\n", "\r\n").encode())
    for words in (
        ("show", "ember"),
        ("orders", "ember"),
        ("history", "ember"),
        ("report", "ember", "--seat", "red"),
        ("games",),
        ("inspect", letter),
    ):
        _shown(gm, *words)
        _shown(gm, *words, "--json")
    _shown(gm, "receive", letter)
    _shown(gm, "verify", "ember")
    assert _acting(gm.refused("show", f"em{HOSTILE}ber")) == []
    out = tmp_path / "out"
    gm("letters", "ember", "--out", out / "letters", "--all")
    gm("export", "ember", "--out", out / "full")
    gm("export", "ember", "--public", "--out", out / "public")
    gm("site", "ember", "--out", out / "site")
    files = [path for path in out.rglob("*") if path.is_file()]
    assert len(files) > 30
    found = {path: _acting(path.read_text("utf-8")) for path in files}
    assert {path: signs for path, signs in found.items() if signs} == {}
