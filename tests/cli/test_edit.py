"""A ruling at the keyboard: the position in an editor, its secrets kept back."""

import json
import sys
from pathlib import Path
from typing import Any


def _script(path: Path, body: str) -> str:
    """An editor that a test can look into."""
    path.write_text(f"#!{sys.executable}\nimport sys\nfile = sys.argv[1]\n{body}\n")
    path.chmod(0o700)
    return str(path)


def test_an_edit_shows_no_hands_and_keeps_them(duel: Any, tmp_path: Path) -> None:
    before = duel.json("show", "ember", "--reveal")["state"]
    page = tmp_path / "page"
    editor = _script(
        tmp_path / "editor",
        f"text = open(file).read(); open({str(page)!r}, 'w').write(text)\n"
        "lines = [line for line in text.splitlines(True) if not line.startswith('tokens')]\n"
        "text = ''.join(lines) + 'tokens: {red: 12}\\n'\n"
        "open(file, 'w').write(text)",
    )
    duel("edit", "ember", "--reason", "a gift", EDITOR=editor)
    assert "hands" not in json.dumps(
        [line for line in page.read_text().splitlines() if line[0] != "#"]
    )
    after = duel.json("show", "ember", "--reveal")["state"]
    assert after["tokens"]["red"] == 12
    assert after["hands"] == before["hands"]
    assert after["deck"] == before["deck"]
    assert "a gift" in duel("history", "ember").stdout
    assert "all is as it was recorded" in duel("verify", "ember").stdout


def test_an_impossible_position_opens_the_editor_again(duel: Any, tmp_path: Path) -> None:
    count = tmp_path / "count"
    editor = _script(
        tmp_path / "editor",
        "import os\n"
        f"count = {str(count)!r}\n"
        "again = os.path.exists(count)\n"
        "text = open(file).read()\n"
        "if again: assert 'NOT POSSIBLE' in text and 'K44' in text, text\n"
        "open(count, 'w').close()\n"
        "lines = [l for l in text.splitlines(True) if not l.startswith('turn')]\n"
        "bad = 'ally: {of: red, is: K44}\\n'\n"
        "text = ''.join(l for l in lines if l != bad) + ('turn: 5\\n' if again else bad)\n"
        "open(file, 'w').write(text)",
    )
    duel("edit", "ember", "--reason", "late", EDITOR=editor)
    assert duel.json("show", "ember", "--reveal")["state"]["turn"] == 5


def test_an_edit_that_changes_nothing_is_none(duel: Any, tmp_path: Path) -> None:
    result = duel("edit", "ember", "--reason", "x", EDITOR=_script(tmp_path / "e", "pass"))
    assert "nothing was changed" in result.stderr
    bad = tmp_path / "bad.yaml"
    bad.write_text("fleets: {red: {Z99: 4}}\n")
    assert "Z99" in duel.refused("edit", "ember", "--reason", "x", "--file", bad)
    bad.write_text("fleets: [\n")
    assert "line" in duel.refused("edit", "ember", "--reason", "x", "--file", bad)


def test_an_editor_that_fails(duel: Any) -> None:
    refused = duel.refused("edit", "ember", "--reason", "x", EDITOR="/no/such/editor")
    assert "/no/such/editor" in refused
