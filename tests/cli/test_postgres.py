"""The books may lie in a PostgreSQL that the environment names."""

import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from adjudicator.cli import wiring
from tests.modes import readable
from tests.servers.postgres import PostgreSQL


def test_a_game_in_postgresql(gm: Any, postgresql: PostgreSQL) -> None:
    gm.home.mkdir()
    gm.home.chmod(0o755)
    env = {"ADJUDICATOR_DATABASE": postgresql.database()}
    seats = ["--seat", "red=Ada", "--seat", "blue=Bo"]
    gm("new", "ember", "--kind", "jump-wars", *seats, "--start", **env)
    gm("submit", "ember", "red", "-", typed="build: 1", **env)
    gm("close", "ember", "--now", **env)
    assert gm.json("games", **env)[0]["step"] == "2-jump"
    assert "all is as it was recorded" in gm("verify", "ember", **env).stdout
    assert "WRONG" not in gm("doctor", **env).stdout
    assert not (gm.home / "adjudicator.db").exists()
    assert (gm.home / "secret").exists()
    assert readable(gm.home) == []
    assert gm.json("games") == []


class Behind(datetime):
    """The clock of a machine that is five minutes behind."""

    @classmethod
    def now(cls, tz: Any = None) -> Any:
        return super().now(tz) - timedelta(minutes=5)


def test_commands_go_by_the_clock_that_all_share(
    postgresql: PostgreSQL, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wiring, "datetime", Behind)
    alone = wiring.Office(str(tmp_path / "alone"))
    monkeypatch.setenv(wiring.DATABASE_VARIABLE, postgresql.store())
    shared = wiring.Office(str(tmp_path / "shared"))
    monkeypatch.setenv(wiring.DATABASE_VARIABLE, "postgresql://127.0.0.1:1/none")
    away = wiring.Office(str(tmp_path / "away"))
    behind = [datetime.now(UTC) - one.at for one in (alone, shared, away)]
    shared.close()
    minutes = [round(one.total_seconds() / 60) for one in behind]
    assert minutes == [5, 0, 5]


def test_a_copied_database_is_refused_until_it_is_recovered(
    gm_at: Any, postgresql: PostgreSQL, tmp_path: Path
) -> None:
    """Two homes, one after the other, on copies of one database."""
    url = postgresql.database()
    one, seats = gm_at(tmp_path / "one"), ["--seat", "red=Ada", "--seat", "blue=Bo"]
    first = {"ADJUDICATOR_DATABASE": url}
    one("new", "ember", "--kind", "jump-wars", *seats, "--start", **first)
    name = url.partition("/t")[2].partition("?")[0]
    postgresql.execute(f"CREATE DATABASE copy{name} TEMPLATE t{name}")
    second = {"ADJUDICATOR_DATABASE": url.replace(f"/t{name}?", f"/copy{name}?")}
    shutil.copytree(tmp_path / "one", tmp_path / "two")
    for home in ("one", "two"):  # with and without a journal of its own
        said = gm_at(tmp_path / home).refused("close", "ember", "--now", **second)
        assert "is a copy of a database that may have been played on since" in said
        assert "postgresql://" in said
    two = gm_at(tmp_path / "two")
    assert "WRONG  journal: " in two("doctor", code=1, **second).stdout
    config = tmp_path / "adjudicator.yaml"
    words = ("--address", "games@example.org", "--config", config, "--games", two.home)
    two("init", *words, "--in", f"maildir:{tmp_path}/in", "--out", f"maildir:{tmp_path}/out")
    assert "is a copy" in two.refused("serve", "--config", config, **second)
    one("close", "ember", "--now", **first)
    two("recover", "--yes", **second)
    assert two.json("show", "ember", **second)["step"] == "100-plan"
    two("close", "ember", "--now", **second)
    assert "WRONG" not in two("doctor", **second).stdout
    one("close", "ember", "--now", **first)


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
