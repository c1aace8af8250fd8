"""Torture: a real daemon and real letters, kill -9 and every fault that there is, then an audit.

python -m tests.torture --minutes 60 --engine postgresql
"""

import argparse
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from tests.servers.postgres import PostgreSQL, binaries
from tests.torture.house import House
from tests.torture.posts import open_post
from tests.torture.run import Torture, lives
from tests.torture.table import as_table, figures

ENGINES = ("sqlite", "postgresql")


def main() -> int:
    """A run for each way of mail, half of the time each; 1 when a promise was broken."""
    parser = argparse.ArgumentParser(prog="python -m tests.torture", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0, help="how long [10]")
    parser.add_argument("--kills", type=int, default=0, help="at least so many [0]")
    parser.add_argument("--letters", type=int, default=0, help="at least so many [0]")
    parser.add_argument("--engine", choices=ENGINES, default="sqlite", help="[sqlite]")
    parser.add_argument("--seed", type=int, default=1, help="which faults, and when [1]")
    parser.add_argument("--games", type=int, default=6, help="so many at the same time [6]")
    wanted = parser.parse_args()
    rows, broken = [], []
    for servers in (False, True):
        row, faults = _run(wanted, servers=servers)
        rows.append(row)
        broken += faults
    print(as_table(rows))
    for fault in broken:
        print(f"BROKEN: {fault}")
    return int(bool(broken))


def _run(wanted: argparse.Namespace, *, servers: bool) -> tuple[dict[str, str], list[str]]:
    with ExitStack() as stack:
        place = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="torture")))
        postgresql = _postgresql(stack) if wanted.engine == "postgresql" else None
        post = open_post(place, wanted.seed, servers=servers)
        stack.callback(post.close)
        house = House(place, post, postgresql)
        stack.callback(house.close)
        torture = Torture(house, wanted.seed, wanted.games)
        end = time.monotonic() + wanted.minutes * 30
        few = lives(wanted.kills // 2, wanted.letters // 2)
        evidence, faults = torture.run(lambda run: time.monotonic() < end or few(run))
        row = figures(torture, evidence, faults)
        print(", ".join(f"{name} {count}" for name, count in sorted(torture.faults.items())))
        if post.sink is not None:
            print(", ".join(f"{name} {n}" for name, n in sorted(post.sink.faults.items())))
        print(", ".join(f"{name} {count}" for name, count in sorted(torture.counts.items())))
        return row, faults


def _postgresql(stack: ExitStack) -> PostgreSQL:
    folder = binaries()
    if folder is None:
        raise SystemExit("PostgreSQL is not installed: no initdb")
    server = PostgreSQL(folder)
    stack.callback(server.stop)
    return server


if __name__ == "__main__":
    sys.exit(main())
