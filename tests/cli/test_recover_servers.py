"""`recover` where the books are in a PostgreSQL and the letters on an IMAP server."""

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from adjudicator.adapters.mail.connections import open_postbox
from adjudicator.adapters.settings import read_settings_file
from adjudicator.adapters.store.opening import open_store
from tests.cli.conftest import Gm
from tests.cli.test_recover import keys
from tests.daemon.running import config
from tests.daemon.servers import imap
from tests.servers.dovecot import PASSWORD, Dovecot
from tests.servers.postgres import PostgreSQL


@pytest.fixture
def served(
    gm: Gm,
    dovecot: Dovecot,
    postgresql: PostgreSQL,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> tuple[Gm, str, Path]:
    """A game of two, the URL of its database, and settings with a mailbox."""
    url = postgresql.database()
    monkeypatch.setenv("ADJUDICATOR_DATABASE", url)
    monkeypatch.setenv("MAIL_PASSWORD", PASSWORD)
    seats = ("--seat", "red=Ada", "--seat", "blue=Bo")
    gm("new", "ember", "--kind", "jump-wars", *seats, "--seed", "7", "--start")
    gm("address", "ember", "red", "ada@example.org")
    facts = {
        "home": str(gm.home),
        "address": "games@example.org",
        "gm": ["gm@example.org"],
        "postboxes": [imap(dovecot, dovecot.user())],
        "postman": {"kind": "maildir", "folder": str(tmp_path / "out")},
    }
    return gm, url, config(tmp_path, facts)


def rows(url: str, question: str) -> list[Any]:
    with open_store(url) as store, store.engine.connect() as connection:
        return [tuple(row) for row in connection.exec_driver_sql(question)]


def run(postgresql: PostgreSQL, program: str, *words: str | Path) -> None:
    found = shutil.which(program) or postgresql.binaries / program
    subprocess.run([found, *words], check=True, capture_output=True)


def test_a_database_of_an_hour_ago_is_recovered_with_the_letters_since(
    served: tuple[Gm, str, Path], postgresql: PostgreSQL, dovecot: Dovecot, tmp_path: Path
) -> None:
    gm, url, settings = served
    first = keys(gm)
    dump = tmp_path / "dump.sql"
    run(postgresql, "pg_dump", "--clean", "--if-exists", f"--file={dump}", url)
    before = {one for (one,) in rows(url, "SELECT message_id FROM outbox")}
    for _ in range(2):
        gm("close", "ember", "--now")
    vanished = {one for (one,) in rows(url, "SELECT message_id FROM outbox")} - before
    steps = {one for (one,) in rows(url, "SELECT number FROM steps")}
    dice = {one for (one,) in rows(url, "SELECT dice FROM steps")}
    lost_keys = set(keys(gm).values())
    run(postgresql, "psql", "--quiet", "--set=ON_ERROR_STOP=1", f"--file={dump}", url)

    assert "older than what was played and mailed (ember)" in gm.refused("close", "ember", "--now")
    assert "older than" in gm.refused("serve", "--config", settings)
    assert "WRONG  journal: " in gm("doctor", code=1).stdout

    own = next(key for name, key in first.items() if "red" in name)
    letter = (
        "From: ada@example.org\nTo: games@example.org\nSubject: orders\nMessage-ID: <1@ada>\n\n"
        f"game: ember\nstep: 1-plan\nkey: {own}\nbuild: max\n# end of orders\n"
    )
    box = read_settings_file(settings).postboxes[0]
    dovecot.place(box.user, letter.encode())  # type: ignore[union-attr]
    postbox = open_postbox(box)
    postbox.file_away([parcel.id for parcel in postbox.fetch(10)])
    postbox.close()

    told = gm("recover", "--yes", "--config", settings).stdout
    assert "letters read again: 1" in told
    assert (
        rows(url, "SELECT step, by FROM orders WHERE seat = 'red' ORDER BY step")[-1][1] == "player"
    )
    gm("close", "ember", "--now")
    assert vanished
    assert vanished.isdisjoint(one for (one,) in rows(url, "SELECT message_id FROM outbox"))
    new = rows(url, "SELECT number, dice FROM steps WHERE number > 1")
    assert {number for number, _ in new}.isdisjoint(steps)
    assert {name for _, name in new}.isdisjoint(dice)
    assert lost_keys.isdisjoint(keys(gm).values())
    assert gm.json("verify", "ember")["faults"] == []
    assert "WRONG  journal" not in gm("doctor").stdout
