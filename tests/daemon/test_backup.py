"""Backups of a home that is being played, and a home that moves."""

import json
import os
import shutil
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from adjudicator.cli.demo.mail_programs import read_envelope
from tests.cli.conftest import Gm
from tests.cli.test_backup import find_unfinished, kill_backup
from tests.daemon.conftest import SEATS, House, address
from tests.daemon.people import Bots, reply
from tests.daemon.running import PATIENCE, until
from tests.servers.postgres import PostgreSQL

ENGINES = ["sqlite", "postgresql"]


def use(engine: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """From here on the books lie there, in a database of their own."""
    if engine == "postgresql":
        server: PostgreSQL = request.getfixturevalue("postgresql")
        monkeypatch.setenv("ADJUDICATOR_DATABASE", server.database())


def play(gm: Gm, house: House) -> str:
    """Everybody's orders for the open step, which the daemon then closes; its name."""
    step, wanted = Bots(house.office, "ember").wanted()
    assert step is not None
    for seat, orders in wanted.items():
        gm("submit", "ember", seat, "-", typed=json.dumps(orders))
    return step


def step(gm: Gm) -> str:
    return str(gm.json("show", "ember")["step"])


@pytest.mark.parametrize("engine", ENGINES)
def test_a_home_is_backed_up_while_steps_are_closed(
    engine: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    use(engine, request, monkeypatch)
    house = House(tmp_path)
    gm = Gm(house.office.home.path)
    house.game(turns=3)
    daemon = house.serve()
    for number in range(3):
        played = play(gm, house)
        made = gm.json("backup", tmp_path / f"{number}.bundle", "--verify")
        assert made["replayed"] == 1
        until(lambda played=played: step(gm) != played, what="the next step")  # type: ignore[misc]
    assert daemon.stop() == 0
    now = step(gm)
    house.close()
    for number in range(3):
        use(engine, request, monkeypatch)
        copy = Gm(tmp_path / f"copy-{number}")
        copy("restore", tmp_path / f"{number}.bundle")
        said = copy.refused("close", "ember", "--now")
        assert "is a copy" in said  # neither journal nor archive is ahead of the database
        copy("recover", "--yes")
        copy("close", "ember", "--now")
        assert copy.json("verify", "ember")["faults"] == []
    assert now.startswith("4-")


@pytest.mark.parametrize("engine", ENGINES)
def test_a_home_moves_and_its_players_notice_nothing(
    engine: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    use(engine, request, monkeypatch)
    (tmp_path / "old").mkdir()
    (tmp_path / "new").mkdir()
    old = House(tmp_path / "old")
    gm = Gm(old.office.home.path)
    old.game(turns=3)
    daemon = old.serve()
    until(lambda: all(old.letters(player) for player in SEATS.values()), what="the first reports")
    assert "stop it first" in gm.refused("backup", "--move", tmp_path / "games.bundle")
    assert daemon.stop() == 0
    gm("backup", "--move", tmp_path / "games.bundle")
    daemon = old.start()
    assert daemon.process.wait(60) == 1
    until(lambda: "were moved to another home" in old.log.read_text(), what="the refusal")
    old.close()

    use(engine, request, monkeypatch)
    new = House(tmp_path / "new")
    moved = Gm(new.folder / "home")
    moved("restore", tmp_path / "games.bundle")
    daemon = new.serve()
    played, wanted = Bots(new.office, "ember").wanted()
    for number, (seat, player) in enumerate(SEATS.items()):  # to letters of the old home
        report = old.letters(player)[0]
        new.post(reply(address(player), report, read_envelope(report), wanted[seat], number))
    until(lambda: step(moved) != played, what="the next step")
    until(lambda: new.letters("Ada", str(played)), what="its report")
    assert daemon.stop() == 0
    assert "WRONG  journal" not in moved("doctor").stdout
    new.close()


def test_serve_sweeps_what_a_killed_backup_left_in_the_home(tmp_path: Path) -> None:
    house = House(tmp_path)
    home = house.office.home.path
    house.game(turns=3)
    kill_backup(home, tmp_path / "games.bundle")
    assert find_unfinished(home)
    daemon = house.serve()
    assert find_unfinished(home) == []
    assert daemon.stop() == 0
    house.close()


class Copy:
    """A copy of the database that can be put back into the same file, or the same database."""

    def __init__(self, home: Path, postgresql: PostgreSQL | None) -> None:
        self._file = home / "adjudicator.db"
        self._server = postgresql
        self._copy = home.with_name("copy")
        if postgresql is not None:
            self._run("pg_dump", "--clean", f"--file={self._copy}")
            return
        with closing(sqlite3.connect(self._file)) as books:
            books.execute("VACUUM INTO ?", (str(self._copy),))

    def put_back(self) -> None:
        if self._server is not None:
            self._run("psql", "--quiet", "-v", "ON_ERROR_STOP=1", f"--file={self._copy}")
            return
        for path in self._file.parent.glob("adjudicator.db*"):
            path.unlink()
        shutil.copy(self._copy, self._file)

    def _run(self, program: str, *words: str) -> None:
        assert self._server is not None
        command = [self._server.binaries / program, *words, os.environ["ADJUDICATOR_DATABASE"]]
        subprocess.run(command, check=True, capture_output=True)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_database_put_back_within_a_step_is_found_and_its_letters_are_read_again(
    engine: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """No step has closed since, so that journal and archive know of nothing."""
    use(engine, request, monkeypatch)
    server = request.getfixturevalue("postgresql") if engine == "postgresql" else None
    house = House(tmp_path)
    gm, home = Gm(house.office.home.path), house.office.home.path
    house.game()
    daemon = house.serve()
    until(lambda: house.letters("Ada", "report"), what="the first report")
    assert daemon.stop() == 0
    house.office.close()
    copy = Copy(home, server)
    before = read_rounds(home)
    daemon = house.serve()
    (report,) = house.letters("Ada", "report")
    house.post(reply(address("Ada"), report, read_envelope(report), {"ask": "status"}, 1))
    until(lambda: house.letters("Ada", "answer"), what="the answer")
    until(lambda: read_rounds(home) > before + 2, what="rounds")
    assert daemon.stop() == 0
    house.office.close()
    copy.put_back()
    assert house.start().process.wait(PATIENCE) == 1
    older = "older than what the server did last"
    until(lambda: older in house.log.read_text(), what="the refusal in the log")
    assert older in gm.refused("close", "ember", "--now")
    assert f"WRONG  journal: {home}: the database is {older}" in gm("doctor", code=1).stdout
    told = gm("recover", "--yes", "--config", house.config).stdout
    assert "letters read again: 1" in told
    daemon = house.serve()
    until(lambda: house.letters("Ada", "notice"), what="the fresh form")
    form = house.letters("Ada", "notice")[-1]
    house.post(reply(address("Ada"), form, read_envelope(form), {"ask": "status"}, 2))
    until(lambda: len(house.letters("Ada", "answer")) > 1, what="another answer")
    names = [str(one["Message-ID"]) for one in house.letters("Ada")]
    assert len(names) == len(set(names))
    assert daemon.stop() == 0
    assert "WRONG  journal" not in gm("doctor").stdout
    house.close()


def read_rounds(home: Path) -> int:
    """How many rounds the daemon has made."""
    path = home / "rounds"
    return int(path.read_text()) if path.exists() else 0
