"""Backups put back, homes copied, secrets lost: refused everywhere, and mended by `recover`."""

import json
import re
import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from adjudicator.adapters.mail.maildir import deliver_letter, make_maildir
from adjudicator.cli import wiring
from tests.cli.conftest import Gm

SERVE = "adjudicator.yaml"


@pytest.fixture
def mailed(duel: Gm, tmp_path: Path) -> Gm:
    """A GM with a game whose players have addresses, and Maildir folders as post."""
    duel("address", "ember", "red", "ada@example.org")
    duel("address", "ember", "blue", "bo@example.org")
    duel(
        *("init", "--address", "games@example.org", "--gm", "gm@example.org"),
        *("--config", tmp_path / SERVE, "--games", duel.home),
        *("--in", f"maildir:{tmp_path / 'in'}", "--out", f"maildir:{tmp_path / 'out'}"),
    )
    return duel


def backup(gm: Gm) -> Path:
    """The database alone, copied while nobody writes."""
    copy = gm.home.parent / "copy.db"
    copy.unlink(missing_ok=True)
    with closing(sqlite3.connect(gm.home / "adjudicator.db")) as books:
        books.execute("VACUUM INTO ?", (str(copy),))
    return copy


def put_back(gm: Gm, copy: Path) -> None:
    for name in ("adjudicator.db-wal", "adjudicator.db-shm"):
        (gm.home / name).unlink(missing_ok=True)
    shutil.copyfile(copy, gm.home / "adjudicator.db")


def rows(gm: Gm, question: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(gm.home / "adjudicator.db")) as books:
        return books.execute(question).fetchall()


LETTERS = "SELECT message_id, document, status FROM outbox WHERE game = 'ember'"
REFUSED = [
    ("close", "ember", "--now"),
    ("submit", "ember", "red", "-"),
    ("serve", "--config", SERVE),
]


@pytest.fixture
def restored(mailed: Gm) -> Gm:
    """Two steps were played after the backup that has been put back."""
    first = keys(mailed)
    copy = backup(mailed)
    mailed("close", "ember", "--now")
    mailed("close", "ember", "--now")
    (mailed.home.parent / "vanished.json").write_text(
        json.dumps(
            {
                "letters": [one for one, _, _ in rows(mailed, LETTERS)],
                "steps": [name for (name,) in rows(mailed, "SELECT number FROM steps")],
                "first": first,
                "keys": list(keys(mailed).values()),
                "dice": [name for (name,) in rows(mailed, "SELECT dice FROM steps")],
            }
        )
    )
    put_back(mailed, copy)
    return mailed


@pytest.mark.parametrize("words", REFUSED)
def test_a_database_of_an_hour_ago_is_refused(restored: Gm, words: tuple[str, ...]) -> None:
    named = [restored.home.parent / SERVE if word == SERVE else word for word in words]
    said = restored.refused(*named, typed="build: max")
    assert "older than what was played and mailed (ember)" in said
    assert said.rstrip().endswith(": adjudicator recover")


def test_doctor_finds_it(restored: Gm) -> None:
    assert "WRONG  journal: " in restored("doctor", code=1).stdout


def test_nothing_of_the_time_that_is_lost_is_used_again(restored: Gm) -> None:
    vanished = json.loads((restored.home.parent / "vanished.json").read_text())
    before = {one for one, _, _ in rows(restored, LETTERS)}
    restored("recover", "--yes")
    restored("close", "ember", "--now")
    lost_letters = set(vanished["letters"]) - before
    assert lost_letters
    assert lost_letters.isdisjoint(one for one, _, _ in rows(restored, LETTERS))
    new = rows(restored, "SELECT number, dice FROM steps WHERE number > 1")
    assert {number for number, _ in new}.isdisjoint(vanished["steps"])
    assert {dice for _, dice in new}.isdisjoint(vanished["dice"])
    (epoch,) = rows(restored, "SELECT max(number) FROM epochs")[0]
    assert all(dice.endswith(f".{epoch}") for _, dice in new)
    assert set(vanished["keys"]).isdisjoint(keys(restored).values())
    assert restored.json("verify", "ember")["faults"] == []
    assert "WRONG  journal" not in restored("doctor").stdout


def keys(gm: Gm) -> dict[str, str]:
    """The key in the newest letter of each seat, as its reader sees it."""
    folder = gm.home.parent / "seen"
    shutil.rmtree(folder, ignore_errors=True)
    gm("letters", "ember", "--all", "--out", folder)
    found = {}
    for path in sorted(folder.rglob("*.txt"), key=lambda one: one.stat().st_mtime):
        if match := re.search(r"^key: (\S+)", path.read_text(), re.MULTILINE):
            found[path.name] = match[1]
    return found


def test_every_player_gets_one_letter_with_a_fresh_form(restored: Gm) -> None:
    known = len(rows(restored, LETTERS))
    restored("recover", "--yes")
    letters = rows(restored, "SELECT seat, document, status FROM outbox WHERE game = 'ember'")
    queued = [
        (seat, json.loads(document)) for seat, document, status in letters if status == "queued"
    ]
    assert sorted(seat for seat, _ in queued) == ["blue", "red"]
    assert len(letters) == known + 2
    for _, document in queued:
        assert "no longer count" in " ".join(document["lines"])
        assert document["form"]["envelope"]["step"] == "4-plan"


def test_letters_done_with_since_the_backup_are_taken_again(restored: Gm, tmp_path: Path) -> None:
    done = tmp_path / "in" / ".Done"
    make_maildir(tmp_path / "in")
    make_maildir(done)
    first = json.loads((tmp_path / "vanished.json").read_text())["first"]
    key = next(own for name, own in first.items() if "red" in name)
    letter = (
        "From: ada@example.org\nTo: games@example.org\nSubject: orders\nMessage-ID: <1@ada>\n\n"
        f"game: ember\nstep: 1-plan\nkey: {key}\nbuild: max\n# end of orders\n"
    )
    deliver_letter(done, letter.encode())
    told = restored("recover", "--yes", "--config", tmp_path / SERVE).stdout
    assert "letters read again: 1" in told
    assert rows(restored, "SELECT step, by FROM orders WHERE seat = 'red'") == [
        (1, "player"),
        (4, "player"),
    ]
    assert next(one for one in rows(restored, LETTERS) if "receipt" in one[0])[2] == "withdrawn"


def test_a_copy_of_a_home_is_refused_until_it_is_recovered(mailed: Gm, gm_at: Any) -> None:
    other = mailed.home.parent / "other"
    shutil.copytree(mailed.home, other)
    copy = gm_at(other)
    assert "is a copy of a home" in copy.refused("close", "ember", "--now")
    assert "WRONG  journal: " in copy("doctor", code=1).stdout
    mailed("close", "ember", "--now")
    copy("recover", "--yes")
    assert copy.json("show", "ember")["step"] == "100-plan"
    copy("close", "ember", "--now")


def test_a_backup_that_is_put_back_twice_uses_nothing_twice(
    mailed: Gm, gm_at: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither copy knows of the other, so only the clock tells them apart."""
    now, used = datetime.now(UTC), list[set[str]]()
    for number, later in enumerate((timedelta(seconds=1), timedelta(hours=7))):
        copy = gm_at(mailed.home.parent / f"copy-{number}")
        shutil.copytree(mailed.home, copy.home)
        clock = Mock(wraps=datetime, now=Mock(return_value=now + later))
        monkeypatch.setattr(wiring, "datetime", clock)
        copy("recover", "--yes")
        copy("close", "ember", "--now")
        steps = rows(copy, "SELECT number, dice FROM steps WHERE number > 1")
        sent = set(keys(copy).values()) | {dice for _, dice in steps}
        used.append(sent | {f"step {name}" for name, _ in steps})
    assert min(map(len, used)) > 3
    assert used[0].isdisjoint(used[1])


def test_a_home_that_was_moved_is_the_same(mailed: Gm, gm_at: Any) -> None:
    moved = mailed.home.parent / "moved"
    mailed.home.rename(moved)
    gm_at(moved)("close", "ember", "--now")


def test_a_crash_before_the_journal_was_written_is_made_up_for(mailed: Gm) -> None:
    journal = mailed.home / "journal"
    before = journal.read_bytes()
    mailed("close", "ember", "--now")
    with journal.open("r+b") as file:  # the same file
        file.truncate(len(before) + 5)
    mailed("extend", "ember", "24h", code=1)  # it has no deadline; the journal is looked at
    mailed("note", "ember", "all is well")
    copy = backup(mailed)
    mailed("close", "ember", "--now")
    put_back(mailed, copy)
    assert "older" in mailed.refused("close", "ember", "--now")


def test_an_archive_ahead_of_the_database_is_found(restored: Gm) -> None:
    (restored.home / "journal").unlink()
    restored("close", "ember", "--now")
    copy = backup(restored)
    restored("close", "ember", "--now")
    restored("export", "ember")
    put_back(restored, copy)
    (restored.home / "journal").unlink()
    assert "WRONG  journal: " in restored("doctor", code=1).stdout
    config = restored.home.parent / SERVE
    assert "older than what was played" in restored.refused("serve", "--config", config)
    told = restored("recover", "--yes").stdout
    assert "the archive of the time that is lost is kept in" in told
    assert "WRONG  journal" not in restored("doctor").stdout


def test_a_lost_secret_gives_new_keys_and_keeps_orders(mailed: Gm) -> None:
    mailed("submit", "ember", "red", "-", typed="build: max")
    (mailed.home / "secret").unlink()
    mailed.refused("close", "ember", "--now")
    mailed("recover", "--yes")
    assert mailed.json("show", "ember")["step"] == "1-plan"
    mailed("close", "ember", "--now")


def test_nothing_is_recovered_where_nothing_is_wrong(mailed: Gm) -> None:
    assert "nothing is to be recovered" in mailed.refused("recover", "--yes")
    assert (mailed.home / "journal").stat().st_mode & 0o777 == 0o600


def test_an_import_mails_fresh_forms_by_itself(mailed: Gm, gm_at: Any) -> None:
    """Also into a home with the same secret, where the old keys would be good otherwise."""
    other, old = gm_at(mailed.home.parent / "other"), keys(mailed)
    mailed("export", "ember", "--out", mailed.home.parent / "archive")
    other.home.mkdir()
    shutil.copy(mailed.home / "secret", other.home / "secret")
    other("import", mailed.home.parent / "archive")
    question = "SELECT seat, document FROM outbox WHERE game = 'ember' AND status = 'queued'"
    letters = {seat: json.loads(document) for seat, document in rows(other, question)}
    assert set(letters) == {"red", "blue"}
    assert all(one["form"]["envelope"]["step"] == "1-plan" for one in letters.values())
    assert set(old.values()).isdisjoint(keys(other).values())
    (epoch,) = rows(other, "SELECT max(number) FROM epochs")[0]
    assert epoch > 1
    assert rows(other, "SELECT dice FROM steps WHERE number = 1") == [(f"1-plan.{epoch}",)]
    other("close", "ember", "--now")
    assert other.json("verify", "ember")["faults"] == []


def test_a_long_journal_is_begun_anew_and_forgets_nothing(mailed: Gm) -> None:
    journal = mailed.home / "journal"
    with journal.open("ab") as file:
        file.write(b"{}\n" * 400_000)
    mailed("note", "ember", "all is well")
    assert journal.stat().st_size < 1000
    copy = backup(mailed)
    mailed("close", "ember", "--now")
    put_back(mailed, copy)
    assert "older" in mailed.refused("close", "ember", "--now")
