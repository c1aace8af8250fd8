"""The home: where it is, and its secret."""

import threading
from pathlib import Path

import pytest

from adjudicator.adapters.home import Home
from adjudicator.desk.model.errors import Refused


def test_the_option_comes_before_the_environment(tmp_path: Path) -> None:
    environment = {"ADJUDICATOR_HOME": str(tmp_path / "b")}
    assert Home.choose(tmp_path / "a", environment).path == tmp_path / "a"
    assert Home.choose(None, environment).path == tmp_path / "b"
    assert Home.choose(None, {}).path == Path.cwd() / "games"
    assert Home.choose(None, {"ADJUDICATOR_HOME": ""}).path == Path.cwd() / "games"


def test_looking_at_a_home_makes_nothing(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    assert home.database == tmp_path / "home" / "adjudicator.db"
    assert not home.path.exists()


def test_the_secret_is_made_once(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    secret = home.secret()
    assert len(secret) == 32
    assert home.secret() == secret
    assert Home(tmp_path / "other").secret() != secret
    assert list(home.path.iterdir()) == [home.path / "secret"]
    assert (home.path / "secret").stat().st_mode & 0o777 == 0o600


def test_a_secret_that_others_could_read_is_shut(tmp_path: Path) -> None:
    home = Home(tmp_path)
    secret = home.secret()
    (tmp_path / "secret").chmod(0o644)
    assert home.secret() == secret
    assert (tmp_path / "secret").stat().st_mode & 0o777 == 0o600


def test_of_many_makers_all_get_the_same_secret(tmp_path: Path) -> None:
    ready = threading.Barrier(8)
    found: list[bytes] = []

    def run() -> None:
        ready.wait()
        found.append(Home(tmp_path).secret())

    threads = [threading.Thread(target=run) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert len(set(found)) == 1
    assert list(tmp_path.iterdir()) == [tmp_path / "secret"]


def test_half_a_secret_is_refused(tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(b"short")
    with pytest.raises(Refused, match="secret: expected 32 bytes, got 5; put back a copy"):
        Home(tmp_path).secret()


def test_a_home_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(Refused, match="name another home"):
        Home(tmp_path / "file").secret()
