"""Homes that are none, homes that cannot be written, and how programs are told of errors."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

READING = [
    ["games"],
    ["status"],
    ["show", "ember"],
    ["orders", "ember"],
    ["history", "ember"],
    ["report", "ember"],
    ["verify", "ember"],
    ["letters", "ember", "--out", "x"],
    ["form", "ember"],
]


def _nothing(home: Path) -> str:
    return "there is no home"


def _file(home: Path) -> str:
    home.write_text("a poem")
    return "is a file"


def _empty_folder(home: Path) -> str:
    home.mkdir()
    return "is not a home"


def _other_folder(home: Path) -> str:
    home.mkdir()
    (home / "holiday.jpg").write_text("a beach")
    return "is not a home"


def _empty_database(home: Path) -> str:
    home.mkdir()
    (home / "adjudicator.db").touch()
    return "adjudicator.db is empty"


def test_doctor_calls_no_home_well_that_was_named(gm: Any, tmp_path: Path) -> None:
    for name in ("nowhere", "file"):
        (tmp_path / "file").touch()
        told = gm("--home", tmp_path / name, "doctor", code=1).stdout
        assert "WRONG  home: " in told
        assert "ok     home" not in told


@pytest.mark.parametrize("words", READING)
@pytest.mark.parametrize(
    "make",
    [_nothing, _file, _empty_folder, _other_folder, _empty_database],
    ids=lambda m: m.__name__,
)
def test_what_is_no_home_is_an_error_for_whoever_reads(
    gm: Any, tmp_path: Path, words: list[str], make: Any
) -> None:
    home = tmp_path / "there"
    told = make(home)
    before = sorted(tmp_path.rglob("*"))
    assert told in gm.refused(*words, "--home", home)
    assert told in gm.refused("--home", home, *words)
    assert sorted(tmp_path.rglob("*")) == before


def test_a_game_can_be_made_where_no_home_is_yet(gm: Any, tmp_path: Path) -> None:
    seats = ("--seat", "red=Ada", "--seat", "blue=Bo")
    gm("--home", tmp_path / "there", "new", "ember", "--kind", "jump-wars", *seats)
    assert gm.json("--home", tmp_path / "there", "games")[0]["id"] == "ember"


def _contents(home: Path) -> dict[str, tuple[int, int]]:
    return {path.name: (path.stat().st_mtime_ns, path.stat().st_size) for path in home.iterdir()}


def test_a_home_that_cannot_be_written_can_be_looked_at(
    duel: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    duel("close", "ember", "--now")
    shown = {tuple(words): duel(*words).stdout for words in LOOKING}
    allowed = os.access

    def access(path: Any, mode: int, **options: Any) -> bool:
        """As on a medium that can only be read, whoever asks."""
        ours = str(path).startswith(str(duel.home))
        return allowed(path, mode, **options) and not (ours and mode & os.W_OK)

    monkeypatch.setattr(os, "access", access)
    before = _contents(duel.home)
    for words, text in shown.items():
        assert duel(*words).stdout == text
    assert _contents(duel.home) == before
    assert "ermission denied" in duel.refused("note", "ember", "a note")
    assert "ermission denied" in duel.refused("report", "ember", "--seat", "red")


LOOKING = [
    ["games"],
    ["show", "ember"],
    ["orders", "ember"],
    ["history", "ember"],
    ["report", "ember"],
    ["form", "ember"],
    ["verify", "ember"],
]


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["show", "embr"], 1, "Did you mean"),
        (["show"], 2, "GAME"),
        (["games", "--jsno"], 2, "--json"),
    ],
)
def test_errors_are_json_for_whoever_wants_json(
    duel: Any, words: list[str], code: int, said: str
) -> None:
    result = duel(*words, "--json", code=code)
    assert result.stdout == ""
    told = json.loads(result.stderr)
    assert told["exit"] == code
    assert said in told["error"]
    assert duel(*words, code=code).stderr.startswith("Error: ")
