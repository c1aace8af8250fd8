"""Books on PostgreSQL: the same daemon, and one for all homes that share them."""

import shutil
from pathlib import Path

import pytest

from tests.daemon.conftest import House
from tests.daemon.running import PATIENCE, until
from tests.daemon.test_maildir import _orders, _receipts
from tests.servers.postgres import PostgreSQL


def test_two_homes_on_one_database_have_one_daemon(
    postgresql: PostgreSQL, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ADJUDICATOR_DATABASE", postgresql.database())
    houses = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        houses.append(House(tmp_path / name))
    one, two = houses
    one.game()
    (two.folder / "home").mkdir(exist_ok=True)
    shutil.copy2(one.folder / "home" / "secret", two.folder / "home" / "secret")
    daemon = one.serve()
    one.post(_orders(one, "Ada", "red"))
    until(lambda: _receipts(one, "Ada"))
    assert two.start().process.wait(PATIENCE) == 3
    until(lambda: f"process {daemon.process.pid} on" in two.log.read_text(), what="the refusal")
    assert daemon.stop() == 0
    assert two.serve().stop() == 0
    for house in houses:
        house.close()
