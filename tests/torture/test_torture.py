"""A minute of torture: whatever is done to the daemon, nothing is lost and nothing comes twice."""

from pathlib import Path

import pytest

from tests.servers.dovecot import installed
from tests.servers.needed import need
from tests.servers.postgres import PostgreSQL
from tests.torture.conftest import tortured
from tests.torture.evidence import Evidence
from tests.torture.run import Torture, lives

KILLS, LETTERS = 3, 9


def _everything_was_kept(
    torture: Torture, evidence: Evidence, faults: list[str], games: int = 2
) -> None:
    assert faults == []
    assert torture.counts["kill -9"] >= KILLS
    assert len(evidence.written) == torture.crowd.written >= LETTERS
    assert len(evidence.received) >= LETTERS
    assert evidence.verified >= games
    assert evidence.chained


def test_folders_and_a_file(tmp_path: Path) -> None:
    with tortured(tmp_path, 1) as torture:
        _everything_was_kept(torture, *torture.run(lives(KILLS, LETTERS)))


def test_an_old_backup_is_put_back(tmp_path: Path) -> None:
    with tortured(tmp_path, 4, games=1) as torture:
        torture.run(lives(1, 2))
        assert torture.house.back_up()
        torture.run(lives(2, LETTERS))
        torture.put_back()
        evidence, faults = torture.run(lives(KILLS, LETTERS + 2))
        _everything_was_kept(torture, evidence, faults, games=1)
        assert evidence.vanished


def test_servers_and_a_file(tmp_path: Path) -> None:
    need("Dovecot", there=installed())
    with tortured(tmp_path, 2, servers=True) as torture:
        _everything_was_kept(torture, *torture.run(lives(KILLS, LETTERS)))


@pytest.mark.parametrize(
    ("kills", "letters"), [(4, LETTERS), pytest.param(300, 300, marks=pytest.mark.soak)]
)
def test_three_daemons_on_one_postgresql(
    kills: int, letters: int, tmp_path: Path, postgresql: PostgreSQL
) -> None:
    with tortured(tmp_path, 5, games=1, postgresql=postgresql, beside=2) as torture:
        evidence, faults = torture.run(lives(kills, letters))
        _everything_was_kept(torture, evidence, faults, games=1)
        assert torture.counts["kill -9"] >= kills
