"""The books may lie in a PostgreSQL that the environment names."""

from typing import Any

import pytest

from tests.servers.postgres import PostgreSQL


def test_a_game_in_postgresql(gm: Any, postgresql: PostgreSQL) -> None:
    env = {"ADJUDICATOR_DATABASE": postgresql.database()}
    seats = ["--seat", "red=Ada", "--seat", "blue=Bo"]
    gm("new", "ember", "--kind", "jump-wars", *seats, "--start", **env)
    gm("submit", "ember", "red", "-", typed="build: 1", **env)
    gm("close", "ember", "--now", **env)
    assert gm.json("games", **env)[0]["step"] == "2-jump"
    assert "all is as it was recorded" in gm("verify", "ember", **env).stdout
    assert "WRONG" not in gm("doctor", **env).stdout
    assert not (gm.home / "adjudicator.db").exists()
    assert gm.json("games") == []


def test_a_database_that_cannot_be_reached(gm: Any) -> None:
    env = {"ADJUDICATOR_DATABASE": "postgresql://nobody:secret@127.0.0.1:1/none"}
    told = gm.refused("games", **env)
    assert "check that the server runs" in told
    assert ":secret@" not in told


@pytest.mark.parametrize(
    ("url", "found"),
    [
        ("postgresql://nobody:secret@127.0.0.1:1/none", True),
        ("postgresql://127.0.0.1:1/none?user=nobody&password=secret", True),
        ("postgresql://nobody@127.0.0.1:1/none", False),
        ("postgresql://127.0.0.1:1/none", False),
    ],
)
def test_doctor_finds_a_password_in_the_environment(gm: Any, url: str, found: bool) -> None:
    told = gm("doctor", code=1, ADJUDICATOR_DATABASE=url).stdout
    assert ("other users of this machine may see" in told) is found
    assert "secret" not in told.replace("secret:", "")
