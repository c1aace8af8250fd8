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


def test_what_is_left_out_stays_as_it_is(duel: Any, tmp_path: Path) -> None:
    before = duel.json("show", "ember", "--reveal")["state"]
    gift = tmp_path / "gift.yaml"
    gift.write_text("tokens: {red: 9}\n")
    duel("edit", "ember", "--reason", "a gift", "--file", gift)
    after = duel.json("show", "ember", "--reveal")["state"]
    assert after["tokens"]["red"] == 9
    assert {key: after[key] for key in after if key != "tokens"} == {
        key: before[key] for key in before if key != "tokens"
    }


def test_what_was_edited_in_vain_is_kept(duel: Any, tmp_path: Path) -> None:
    editor = _script(
        tmp_path / "editor",
        "text = open(file).read()\n"
        "if 'NOT POSSIBLE' not in text: open(file, 'a').write('ally: {of: red, is: K44}\\n')",
    )
    refused = duel.refused("edit", "ember", "--reason", "x", EDITOR=editor)
    kept = duel.home / "ember-position.yaml"
    assert str(kept) in refused
    assert "K44" in kept.read_text()
    assert kept.stat().st_mode & 0o777 == 0o600


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
    assert "Errno" not in refused
    assert "/no/such/editor" in refused
    assert "--file" in refused


def test_an_editor_that_fails_at_the_second_time_loses_nothing(duel: Any, tmp_path: Path) -> None:
    editor = _script(
        tmp_path / "editor",
        "text = open(file).read()\n"
        "if 'NOT POSSIBLE' in text: raise SystemExit(3)\n"
        "open(file, 'a').write('ally: {of: red, is: K44}\\n')",
    )
    assert "ember-position.yaml" in duel.refused("edit", "ember", "--reason", "x", EDITOR=editor)
    kept = (duel.home / "ember-position.yaml").read_text()
    assert "K44" in kept
    assert "NOT POSSIBLE" not in kept


def test_an_editor_that_never_ends_is_given_up(duel: Any, tmp_path: Path) -> None:
    editor = _script(tmp_path / "editor", "open(file, 'a').write('{{{\\n')")
    assert "ember-position.yaml" in duel.refused("edit", "ember", "--reason", "x", EDITOR=editor)


def test_what_an_editor_saves_in_another_encoding_is_read(duel: Any, tmp_path: Path) -> None:
    editor = _script(
        tmp_path / "editor",
        "text = open(file).read()\n"
        "text = '# caf\\u00e9\\r\\n' + text.replace('turn: 1', 'turn: 5')\n"
        "open(file, 'wb').write(text.encode('latin-1'))",
    )
    duel("edit", "ember", "--reason", "late", EDITOR=editor)
    assert duel.json("show", "ember", "--reveal")["state"]["turn"] == 5


def test_no_editor_is_opened_in_vain(duel: Any, tmp_path: Path) -> None:
    opened = tmp_path / "opened"
    editor = _script(tmp_path / "editor", f"open({str(opened)!r}, 'w')")
    assert "reason" in duel.refused("edit", "ember", "--reason", " ", EDITOR=editor)
    assert not opened.exists()
    assert "no terminal" in duel.refused("edit", "ember", "--reason", "x", EDITOR="", VISUAL="")


def test_cards_that_lie_face_down_are_kept_back_and_kept(gm: Any, tmp_path: Path) -> None:
    gm("new", "gate", "--kind", "jump-gate", "--seat", "red=Ada", "--seat", "blue=Bo", "--start")
    before = gm.json("show", "gate", "--reveal")["state"]
    page = tmp_path / "page"
    editor = _script(
        tmp_path / "editor",
        f"text = open(file).read(); open({str(page)!r}, 'w').write(text)\n"
        "text = text.replace('actions_left: 2', 'actions_left: 1')\n"
        "open(file, 'w').write(text)",
    )
    gm("edit", "gate", "--reason", "as agreed", EDITOR=editor)
    shown = "".join(line for line in page.read_text().splitlines() if line[0] != "#")
    assert "face_up" in shown
    assert "face_down" not in shown
    after = gm.json("show", "gate", "--reveal")["state"]
    assert after == {**before, "actions_left": 1}
