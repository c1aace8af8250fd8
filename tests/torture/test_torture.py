"""A minute of torture: whatever is done to the daemon, nothing is lost and nothing comes twice."""

from pathlib import Path

import pytest

from tests.servers.dovecot import installed
from tests.servers.needed import need
from tests.servers.postgres import PostgreSQL
from tests.torture.conftest import tortured
from tests.torture.evidence import Evidence
from tests.torture.run import Torture, lives

KILLS, MANY, LETTERS = 3, 20, 9


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


def test_three_daemons_on_one_postgresql(tmp_path: Path, postgresql: PostgreSQL) -> None:
    """Of three hosts, one whose clock is wrong; PostgreSQL cuts them off, is restarted, crashes."""
    with tortured(tmp_path, 5, games=1, postgresql=postgresql, beside=2) as torture:
        torture.house.far_clock.write_text("300")
        torture.die_at_commits(lives(MANY, LETTERS))
        evidence, faults = torture.judge()
        _everything_was_kept(torture, evidence, faults, games=1)
        assert torture.counts["kill -9"] >= MANY


@pytest.mark.soak
@pytest.mark.parametrize("beside", [1, 2, 3])
def test_several_daemons_on_one_postgresql(
    beside: int, tmp_path: Path, postgresql: PostgreSQL
) -> None:
    with tortured(tmp_path, 5, games=1, postgresql=postgresql, beside=beside) as torture:
        evidence, faults = torture.run(lives(100, 100))
        _everything_was_kept(torture, evidence, faults, games=1)
        assert torture.counts["kill -9"] >= 100
