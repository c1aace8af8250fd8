"""The database is made smaller by hand, and letters whose bytes are gone are said to be."""

from pathlib import Path
from typing import Any

import pytest

from tests.cli.test_damaged import change


@pytest.fixture
def played(gm: Any) -> Any:
    """A game between bots, and a letter of long ago."""
    gm("play", "jump-wars", "--bots", "--seed", "3", "--option", "turn_limit=5", "--keep", "duel")
    gm("new", "ember", "--kind", "jump-wars", "--seat", "red=Ada", "--seat", "blue=bot", "--start")
    old = "2020-01-01T00:00:00.000000+00:00"
    change(gm.home, f"UPDATE outbox SET status = 'sent', content = X'6162', made = '{old}'")
    return gm


def test_vacuum_says_what_it_freed(played: Any, tmp_path: Path) -> None:
    assert played.json("verify", "duel")["faults"] == []
    told = played.json("vacuum")
    assert told["steps"] > 8
    assert told["letters"] >= 1
    assert told["freed"] > 100_000
    assert told["shrunk"]
    assert told["after"] < told["before"] - 100_000
    assert played.json("verify", "duel")["faults"] == []
    assert "Packed: 0 steps" in played("vacuum").stdout
    said = played("letters", "ember", "--all", "--out", tmp_path / "letters")
    assert "sent so long ago that only the SHA-256 is kept" in said.stderr
    assert not (tmp_path / "letters").exists()


def test_one_wrong_byte_in_a_pack_is_found_with_the_name_of_its_game(played: Any) -> None:
    played("vacuum")
    wrong = "CAST(substr(content, 1, 900) || X'00' || substr(content, 902) AS BLOB)"
    change(played.home, f"UPDATE packs SET content = {wrong} WHERE game = 'duel' AND part = 'play'")
    assert "older steps of duel cannot be read" in played("doctor", code=1).stdout
    shown = played("verify", "--all", code=1).stdout
    assert "duel: database: a row of steps cannot be read" in shown
    assert "ember: all is as it was recorded" in shown
