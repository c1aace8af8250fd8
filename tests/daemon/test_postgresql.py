"""Several daemons on one PostgreSQL: they share the work, and take over from those that die."""

import json
import shutil
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.daemon.conftest import House
from tests.daemon.running import Running, config, until
from tests.daemon.test_maildir import _orders, _receipts
from tests.servers.nursery import open_nursery
from tests.servers.postgres import PostgreSQL


@pytest.fixture
def houses(
    postgresql: PostgreSQL, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[list[House]]:
    """Two homes with one database, one secret, one postbox and one place for letters out."""
    monkeypatch.setenv("ADJUDICATOR_DATABASE", postgresql.database())
    made = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        made.append(House(tmp_path / name))
    one, two = made
    one.game()
    (two.folder / "home").mkdir(exist_ok=True)
    shutil.copy2(one.folder / "home" / "secret", two.folder / "home" / "secret")
    post = {
        "postboxes": [{"kind": "maildir", "folder": str(one.folder / "in"), "poll": "0.02"}],
        "postman": {"kind": "maildir", "folder": str(one.folder / "out")},
    }
    for house in made:
        house.config = config(house.folder, house.settings(**post))
    yield made
    for house in made:
        house.close()


def _status(house: House, code: int = 0) -> Any:
    told = open_nursery().run("status", "--config", house.config, "--json")
    assert told.returncode == code, told.stdout + told.stderr
    return json.loads(told.stdout)


def _reader(daemons: list[Running], house: House) -> Running:
    """The daemon that reads the postbox."""
    (box,) = until(lambda: [one for one in _status(house)["postboxes"] if one["reader"]])
    (found,) = [one for one in daemons if f"process {one.process.pid} on" in box["reader"]]
    return found


def test_a_postbox_is_read_by_one_and_taken_over_when_it_dies(houses: list[House]) -> None:
    one, two = houses
    daemons = [one.serve(), two.serve()]
    told = _status(two)
    assert sorted(each["pid"] for each in told["daemons"]) == sorted(
        daemon.process.pid for daemon in daemons
    )
    assert sorted(each["reads"] for each in told["daemons"]) == [[], ["postbox 1"]]
    first = _reader(daemons, one)
    (second,) = [daemon for daemon in daemons if daemon is not first]
    one.post(_orders(one, "Ada", "red"))
    until(lambda: _receipts(one, "Ada"), what="the receipt")
    assert first.logged("letter in", seat="red")
    assert not second.logged("letter in")
    first.kill()
    one.post(_orders(one, "Bo", "blue"))
    until(lambda: _receipts(one, "Bo"), what="the receipt after the takeover")
    assert second.logged("letter in", seat="blue")
    assert second.stop() == 0
    assert not _status(one, code=1)["daemon"]["running"]


def test_a_step_closes_when_all_orders_are_in_whoever_reads_the_other_postbox(
    houses: list[House],
) -> None:
    for house in houses:
        own = [{"kind": "maildir", "folder": str(house.folder / "in"), "poll": "0.02"}]
        postman = {"kind": "maildir", "folder": str(houses[0].folder / "out")}
        facts = house.settings(postboxes=own, postman=postman, round=300)
        house.config = config(house.folder, facts)
    one, _ = houses
    daemons = [house.serve() for house in houses]

    def all_read() -> bool:
        boxes = _status(one)["postboxes"]
        return len(boxes) == 2 and all(box["read_until"] for box in boxes)

    until(all_read, what="the first look into both postboxes")
    for name, seat in (("Ada", "red"), ("Bo", "blue"), ("Cleo", "green")):
        one.post(_orders(one, name, seat))

    def closings() -> list[Any]:
        return [one for daemon in daemons for one in daemon.logged("clock", acts="close")]

    assert len(until(closings, what="the closing")) == 1
    assert [daemon.stop() for daemon in daemons] == [0, 0]


@pytest.mark.soak
def test_what_a_daemon_held_that_hangs_is_taken_over_within_half_a_minute(
    houses: list[House],
) -> None:
    one, two = houses
    daemons = [one.serve(), two.serve()]
    first = _reader(daemons, one)
    (second,) = [daemon for daemon in daemons if daemon is not first]
    first.process.send_signal(signal.SIGSTOP)
    began = time.monotonic()
    one.post(_orders(one, "Ada", "red"))
    until(lambda: _receipts(one, "Ada"), what="the receipt after the takeover")
    assert 5 < time.monotonic() - began < 30
    first.process.send_signal(signal.SIGCONT)
    one.post(_orders(one, "Bo", "blue"))
    until(lambda: _receipts(one, "Bo"), what="the next receipt")
    until(lambda: len([d for d in _status(one)["daemons"] if d["running"]]) == 2)
    assert _reader(daemons, one) is second
    assert [len(_receipts(one, name)) for name in ("Ada", "Bo")] == [1, 1]
    assert [daemon.stop() for daemon in daemons] == [0, 0]
