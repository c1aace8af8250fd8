"""Bots of three strengths: seated by the GM, changed, taken back, and kept in the archive."""

from pathlib import Path
from typing import Any

SEATS = ("--seat", "red=Ada", "--seat", "blue=bot", "--seat", "green=bot:hard")


def test_a_bot_is_normal_unless_the_gm_says_how_well_it_plays(
    gm: Any, gm_at: Any, tmp_path: Path
) -> None:
    gm("new", "ember", "--kind", "jump-drive", *SEATS, "--start")
    assert "is normal" not in gm("show", "ember").stdout
    assert "a bot plays blue already" in gm.refused("bot", "ember", "blue", "normal")
    assert "A hard bot plays blue now." in gm("bot", "ember", "blue", "hard").stdout
    gm("undo", "ember")
    assert "a bot plays blue already" in gm.refused("bot", "ember", "blue")
    assert "An easy bot plays red now." in gm("bot", "ember", "red", "EASY").stdout
    gm("undo", "ember")
    gm("export", "ember", "--out", tmp_path / "moved")
    other = gm_at(tmp_path / "other")
    other("import", tmp_path / "moved")
    assert "a hard bot plays green already" in other.refused("bot", "ember", "green", "hard")


def test_a_strength_that_no_bot_has_is_refused(gm: Any) -> None:
    why = "its strengths are easy, normal, hard"
    assert why in gm.refused(
        "new", "ember", "--kind", "jump-drive", "--seat", "red=bot:strong", "--seat", "blue=bot"
    )
    gm("new", "ember", "--kind", "jump-drive", *SEATS, "--start")
    assert why in gm.refused("bot", "ember", "blue", "strong")


def test_bots_that_play_by_themselves_leave_the_gms_database_alone(gm: Any) -> None:
    nowhere = "postgresql://nobody@nowhere.invalid/books"
    words = ("play", "jump-drive", "--bots", "--seed", "1")
    assert "won the game" in gm(*words, ADJUDICATOR_DATABASE=nowhere).stdout
