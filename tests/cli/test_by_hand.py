"""A game entirely by hand, without any mail: from `new` to the winner and into another home."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from adjudicator.adapters.yaml.reader import load_yaml


def _free_space(state: Any) -> str:
    """A space next to blue's homeworld on C3 that is no black hole and not red's."""
    for space in ("C4", "D4", "D3", "D2", "B4", "C2", "B3"):
        if state["map"].get(space) != "black-hole":
            return space
    raise AssertionError("C3 is walled in; choose another seed")


def test_a_game_by_hand(gm: Any, gm_at: Callable[[Path], Any], tmp_path: Path) -> None:
    said = gm(
        *("new", "ember", "--kind", "jump-wars", "--seat", "red=Ada", "--seat", "blue=Bo"),
        *("--option", "homeworlds={red: A1, blue: C3}", "--seed", "7", "--luck", "red=full moon"),
    )
    assert "It is open" in said.stdout
    assert "outside the rulebook" in said.stderr  # JW-1: two players
    gm("start", "ember")
    assert gm.json("games")[0]["missing"] == ["red", "blue"]

    assert "red, blue" in gm.refused("close", "ember")
    plan = tmp_path / "red.yaml"
    plan.write_text("game: ember\nbuild: max\n")
    receipt = gm("submit", "ember", "red", plan).stdout
    assert "RECEIPT 1 to red" in receipt
    assert max(len(line) for line in receipt.splitlines()) <= 78
    refused = gm.refused("close", "ember", "--home", gm.home)
    assert "blue" in refused
    assert refused.endswith(f": adjudicator close ember --now --home {gm.home}")
    gm("submit", "ember", "blue", "-", typed="pass: yes\n")
    closed = gm.json("close", "ember", "--dry-run")
    assert closed["closed"] == "1-plan"
    assert {letter["seat"] for letter in closed["letters"]} == {"red", "blue"}
    assert gm.json("games")[0]["step"] == "1-plan"
    assert "Step closed: turn 1, plan." in gm("close", "ember").stdout

    state = gm.json("show", "ember", "--reveal")["state"]
    gm("submit", "ember", "red", "-", typed="jump:\n- A1-C3 all\n")
    gm("submit", "ember", "blue", "-", typed=f"jump: [C3-{_free_space(state)} all]\n")
    assert "Now open: no step; the game is over." in gm("close", "ember").stdout

    over = gm.json("report", "ember")["over"]
    assert over["winners"] == ["red"]
    assert "THE GAME IS OVER" in gm("report", "ember", "--seat", "blue").stdout

    letters = gm("letters", "ember", "--out", tmp_path / "letters").stdout.splitlines()
    kinds = {Path(line).name.split("-")[3] for line in letters}
    assert {"receipt", "report"} <= kinds
    for line in letters:
        text = Path(line).read_text()
        assert max(len(row) for row in text.splitlines()) <= 78, line

    assert "all is as it was recorded" in gm("verify", "ember").stdout
    folder = gm("export", "ember").stdout.strip()
    assert load_yaml((Path(folder) / "game.yaml").read_text())
    assert gm.json("verify", folder, "--render")["faults"] == []
    assert "writes a folder to verify" in gm.refused("verify", "ember", "--render")

    other = gm_at(tmp_path / "elsewhere")
    other("import", folder)
    assert other.json("report", "ember")["over"]["winners"] == ["red"]
    assert "all is as it was recorded" in other("verify", "ember").stdout
    assert "already" in other.refused("import", folder)


@pytest.mark.parametrize("form", [(), ("--record",), ("--public",)])
def test_an_archive_is_not_strewn_among_other_files(
    duel: Any, tmp_path: Path, form: tuple[str, ...]
) -> None:
    folder = tmp_path / "papers"
    folder.mkdir()
    duel("export", "ember", *form, "--out", folder)
    duel("export", "ember", *form, "--out", folder)
    other = tmp_path / "other"
    other.mkdir()
    (other / "thesis.txt").write_text("Mine.\n")
    assert "is not empty" in duel.refused("export", "ember", *form, "--out", other)
    assert [path.name for path in other.iterdir()] == ["thesis.txt"]


def test_a_changed_archive_is_found_and_not_imported(
    duel: Any, gm_at: Callable[[Path], Any], tmp_path: Path
) -> None:
    duel("close", "ember", "--now")
    folder = Path(duel("export", "ember", "--out", tmp_path / "kept").stdout.strip())
    state = next(folder.glob("steps/001-*/state.json"))
    state.write_bytes(state.read_bytes().replace(b"5", b"6", 1))
    told = duel("verify", folder, code=1).stdout
    assert "1-plan" in told
    assert "state.json" in told
    refused = gm_at(tmp_path / "elsewhere").refused("import", folder)
    assert "not as it was recorded" in refused


def test_letters_of_a_seat_are_those_of_a_game(gm: Any, tmp_path: Path) -> None:
    assert "--seat needs a GAME" in gm.refused(
        "letters", "--seat", "red", "--out", tmp_path, code=2
    )
