"""Books that something changed from outside: nothing is played on from them, and doctor tells."""

import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from adjudicator.cli.app import cli
from tests.cli.conftest import Gm


def change(home: Path, statement: str) -> None:
    """Write into the database behind the program's back."""
    with closing(sqlite3.connect(home / "adjudicator.db")) as books, books:
        assert books.execute(statement).rowcount > 0


@pytest.fixture
def played(duel: Gm) -> Gm:
    """A game of which one step has been played."""
    duel("close", "ember", "--now")
    return duel


_BEFORE, _AFTER = '"tokens":{"blue":5', '"tokens":{"blue":9'
TAMPERED = (
    f"UPDATE steps SET state = CAST(replace(CAST(state AS TEXT), '{_BEFORE}', '{_AFTER}') AS BLOB)"
    " WHERE number = 1"
)


@pytest.mark.parametrize(
    "words",
    [
        ("close", "ember", "--now"),
        ("edit", "ember", "--reason", "mine", "--file", "-"),
        ("end", "ember", "--reason", "agreed", "--yes"),
    ],
)
def test_nothing_goes_on_from_a_state_that_the_chain_does_not_know(
    played: Gm, words: tuple[str, ...]
) -> None:
    before = state(played)
    change(played.home, TAMPERED)
    assert state(played) != before
    said = played.refused(*words, typed="tokens: {blue: 3, red: 5}")
    assert "1-plan cannot be trusted, since it is not what the chain commits to" in said
    assert "a check says more" in said


def is_well(gm: Gm, *words: str) -> bool:
    env = {"ADJUDICATOR_HOME": str(gm.home)}
    return CliRunner().invoke(cli, words, env=env).exit_code == 0


def state(gm: Gm) -> bytes:
    with closing(sqlite3.connect(gm.home / "adjudicator.db")) as books:
        (found,) = books.execute("SELECT state FROM steps WHERE number = 1").fetchone()
    return bytes(found)


def test_orders_that_are_not_those_of_their_receipt_are_not_executed(played: Gm) -> None:
    played("submit", "ember", "red", "-", typed="pass: yes")
    change(played.home, "UPDATE orders SET orders = CAST('{\"a\":[]}' AS BLOB) WHERE step = 2")
    said = played.refused("close", "ember", "--now")
    assert "the orders of red on file are not those of receipt" in said


@pytest.mark.parametrize(
    "name", ["'chosen'", "number || '-' || phase || '.417'", "(SELECT min(dice) FROM steps)"]
)
def test_dice_that_somebody_chose_are_found(played: Gm, tmp_path: Path, name: str) -> None:
    """A host who knows all orders could try names until the dice suit."""
    change(played.home, f"UPDATE steps SET dice = {name} WHERE number = 2")
    played("close", "ember", "--now")
    played("end", "ember", "--reason", "enough", "--yes")
    said = "and nothing explains that"
    assert said in played("verify", "ember", code=1).stdout
    for contents in ("--public", "--record"):
        played("export", "ember", contents, "--out", tmp_path / contents)
        assert said in played("verify", tmp_path / contents, code=1).stdout


def test_numbers_of_steps_that_somebody_chose_are_told(played: Gm) -> None:
    change(played.home, "UPDATE games SET next_number = 417")
    played("close", "ember", "--now")
    told = played("verify", "ember").stderr
    assert "numbers are left out before 417-" in told
    assert "steps of other numbers have other dice" in told


def test_dice_that_a_rollback_kept_or_changed_are_explained(played: Gm) -> None:
    for step, words in (("1-plan", ["--same-dice"]), ("3-plan", ["--same-dice"]), ("5-plan", [])):
        played("rollback", "ember", step, *words, "--reason", "mine", "--yes")
        played("close", "ember", "--now")
    result = played("verify", "ember")
    assert "all is as it was recorded" in result.stdout
    assert "dice to come" not in result.stderr


def test_dice_that_were_changed_by_a_recovery_are_told_and_never_changed_back(played: Gm) -> None:
    (played.home / "journal").write_text("")
    played("recover", "--yes")
    played("close", "ember", "--now")
    assert "the dice to come were changed 1 time, by `recover`" in played("verify", "ember").stderr
    change(played.home, "UPDATE steps SET dice = number || '-' || phase WHERE closed IS NULL")
    played("close", "ember", "--now")
    assert "and nothing explains that" in played("verify", "ember", code=1).stdout


@pytest.mark.parametrize("damage", ["open_step = 1", "open_step = 7", "status = 'over'"])
def test_doctor_finds_a_game_that_stands_elsewhere_than_its_steps(played: Gm, damage: str) -> None:
    change(played.home, f"UPDATE games SET {damage}")
    assert "WRONG  ember: " in played("doctor", code=1).stdout


def test_doctor_finds_a_state_that_the_chain_does_not_know(played: Gm) -> None:
    change(played.home, TAMPERED)
    told = played("doctor", code=1).stdout
    assert "WRONG  ember: it is not as it was recorded (1-plan: state: it is not what" in told


@pytest.mark.parametrize(
    ("statement", "seat"),
    [
        ("UPDATE seatings SET player = iif(seat = 'red', 'Bo', 'Ada')", "blue"),
        ("UPDATE seatings SET kind = 'bot', player = NULL WHERE seat = 'blue'", "blue"),
        ("DELETE FROM seatings WHERE seat = 'blue'", "blue"),
        ("DELETE FROM seats WHERE seat = 'blue'", "blue"),
    ],
)
def test_nobody_is_seated_or_unseated_from_outside(played: Gm, statement: str, seat: str) -> None:
    change(played.home, statement)
    assert f"who plays {seat} is not what was recorded" in played.refused("close", "ember", "--now")
    told = played("doctor", code=1).stdout
    assert "WRONG  ember: it is not as it was recorded (" in told
    assert f"who plays {seat}" in played("verify", "ember", code=1).stdout


def test_seats_that_change_hands_stay_bound(played: Gm) -> None:
    played("replace", "ember", "blue", "Cy")
    played("bot", "ember", "red")
    played("undo", "ember")
    played("close", "ember", "--now")
    assert "all is as it was recorded" in played("verify", "ember").stdout
    change(played.home, "UPDATE seatings SET player = 'Bo' WHERE player = 'Cy'")
    assert "who plays blue" in played.refused("close", "ember", "--now")


def test_a_game_of_an_earlier_version_is_bound_when_a_step_closes(played: Gm) -> None:
    change(played.home, "UPDATE games SET roster = '{}'")
    played("close", "ember", "--now")
    change(played.home, "UPDATE seatings SET player = 'Ada' WHERE seat = 'blue'")
    assert "who plays blue" in played.refused("close", "ember", "--now")


def test_a_journal_that_lacks_its_end_is_found(played: Gm) -> None:
    journal = played.home / "journal"
    journal.write_bytes(journal.read_bytes()[: journal.stat().st_size // 2])
    said = played.refused("close", "ember", "--now")
    assert "a part of its journal is missing" in said
    assert said.endswith("adjudicator recover")
    assert "WRONG  journal: " in played("doctor", code=1).stdout
    assert "a part of its journal is missing" in played("status", code=1).stdout
    played("recover", "--yes")
    played("close", "ember", "--now")


def test_doctor_finds_flipped_bits(played: Gm, tmp_path: Path) -> None:
    """Whatever `verify` or the engine finds wrong, doctor finds too."""
    whole, chance = (played.home / "adjudicator.db").read_bytes(), Random(3)
    missed = []
    for number in range(12):
        spoiled = bytearray(whole)
        for _ in range(8):
            spoiled[chance.randrange(4096, len(spoiled))] ^= 1 << chance.randrange(8)
        for name in ("adjudicator.db-wal", "adjudicator.db-shm"):
            (played.home / name).unlink(missing_ok=True)
        (played.home / "adjudicator.db").write_bytes(bytes(spoiled))
        if not is_well(played, "verify", "ember") and is_well(played, "doctor"):
            missed.append(number)
    assert missed == []
