"""A secret that was lost or replaced beside books with games is noticed before anything is done."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.conftest import Gm

FORM = "build: max"


@pytest.fixture(params=["missing", "replaced"])
def robbed(duel: Gm, request: pytest.FixtureRequest) -> Gm:
    """A GM whose home has lost its secret."""
    secret = duel.home / "secret"
    secret.unlink()
    if request.param == "replaced":
        secret.write_bytes(b"x" * 32)
        secret.chmod(0o600)
    return duel


def test_the_first_game_binds_the_books_to_the_secret(duel: Gm) -> None:
    assert (duel.home / "secret").stat().st_size == 32
    duel("close", "ember", "--now")
    assert "rights: only you can read the home" in duel("doctor").stdout


@pytest.mark.parametrize(
    "words", [("close", "ember", "--now"), ("submit", "ember", "red", "-"), ("pause", "ember")]
)
def test_acts_are_refused_and_name_the_way_out(robbed: Gm, words: tuple[str, ...]) -> None:
    said = robbed.refused(*words, typed=FORM)
    assert str(robbed.home / "secret") in said
    assert "put back a copy" in said
    assert robbed.json("show", "ember")["step"] == "1-plan"


def test_serve_is_refused(robbed: Gm, tmp_path: Path) -> None:
    config = tmp_path / "adjudicator.yaml"
    robbed(
        *("init", "--address", "games@example.org", "--gm", "gm@example.org", "--config", config),
        *("--in", f"maildir:{tmp_path / 'in'}", "--out", f"maildir:{tmp_path / 'out'}"),
    )
    assert "put back a copy" in robbed.refused("serve", "--config", config)


def test_doctor_finds_it_and_nothing_makes_a_new_one(robbed: Gm) -> None:
    before = list(robbed.home.glob("secret"))
    assert "WRONG  secret: " in robbed("doctor", code=1).stdout
    robbed("games")
    robbed.refused("letters", "ember", "--out", str(robbed.home.parent / "letters"))
    assert list(robbed.home.glob("secret")) == before


def test_a_copy_put_back_is_the_way_out(duel: Gm) -> None:
    kept = (duel.home / "secret").read_bytes()
    (duel.home / "secret").unlink()
    duel.refused("close", "ember", "--now")
    (duel.home / "secret").write_bytes(kept)
    duel("close", "ember", "--now")


def test_a_home_of_before_learns_its_secret(duel: Gm) -> None:
    """The books of an older program know none: the one that is there is the right one."""
    with closing(sqlite3.connect(duel.home / "adjudicator.db")) as books, books:
        books.execute("DELETE FROM epochs")
    duel("close", "ember", "--now")
    (duel.home / "secret").write_bytes(b"y" * 32)
    duel.refused("close", "ember", "--now")
