"""The load is one: every letter gets its receipt, every game closes, and the table says so."""

import os
from pathlib import Path

from tests.daemon.running import Process, Running
from tests.load.hour import Plan, Town, run_hour
from tests.load.table import write_table
from tests.load.town import KINDS, make_games
from tests.servers.nursery import open_nursery


def test_everybody_who_writes_is_answered_and_every_game_closes(tmp_path: Path) -> None:
    home = tmp_path / "home"
    writings = make_games(home, len(KINDS))
    town = Town(place=tmp_path, homes=(home,), writings=writings)
    plan = Plan(games=len(KINDS), daemons=1, minutes=0, seed=1)
    hour = run_hour(town, plan, lambda config, log: Running(_serve(config), log))
    assert {one.game for one in writings} == {f"g0000{number}" for number in range(len(KINDS))}
    assert (hour.letters, len(hour.receipts), hour.closed) == (len(writings),) * 2 + (len(KINDS),)
    seats = sum(size for _, size in KINDS)
    assert hour.sent >= hour.letters + seats
    assert 0 < min(hour.receipts) <= max(hour.receipts) <= hour.seconds
    assert hour.stored > 0
    assert f"{hour.letters}, " in write_table([("sqlite, 1", hour, 1.0)])


def _serve(config: Path) -> Process:
    return open_nursery().serve(config, os.environ)
