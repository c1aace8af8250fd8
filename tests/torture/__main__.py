"""Torture: a real daemon and real letters, kill -9 and every fault that there is, then an audit.

python -m tests.torture --kills 300 --engine postgresql --daemons 2 --daemons 3 --daemons 4
"""

import argparse
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path

from tests.servers.postgres import PostgreSQL, binaries
from tests.torture.house import House
from tests.torture.posts import open_post
from tests.torture.run import Torture, lives
from tests.torture.table import as_table, count_figures, name_house

ENGINES = ("sqlite", "postgresql")
_WAYS = 2
_HOUSE = 300.0
"""Seconds of a house, its audit not counted."""
_MORE = 25
"""Kills at commits, where several daemons share a house."""
_KEPT = Path("build", "torture")


def main() -> int:
    """House after house, by folders and by servers in turn; 1 when a promise was broken."""
    parser = argparse.ArgumentParser(prog="python -m tests.torture", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0, help="how long [10]")
    parser.add_argument("--kills", type=int, default=0, help="at least so many [0]")
    parser.add_argument("--letters", type=int, default=0, help="at least so many [0]")
    parser.add_argument("--engine", choices=ENGINES, default="sqlite", help="[sqlite]")
    parser.add_argument("--seed", type=int, default=1, help="which faults, and when [1]")
    parser.add_argument("--games", type=int, default=6, help="so many at the same time [6]")
    parser.add_argument(
        "--daemons", type=int, action="append", help="on one PostgreSQL; house after house [1]"
    )
    wanted = parser.parse_args()
    wanted.daemons = wanted.daemons or [1]
    if max(wanted.daemons) > 1 and wanted.engine != "postgresql":
        parser.error("--daemons: several need --engine postgresql")
    session = Session(wanted)
    with ExitStack() as stack:
        postgresql = _postgresql(stack) if session.wanted.engine == "postgresql" else None
        while session.goes_on():
            session.torture_house(postgresql)
            print(as_table(session.rows), flush=True)
    for counts in (session.faults, session.answers, session.counts):
        print(", ".join(f"{name} {count}" for name, count in sorted(counts.items())))
    for fault in session.broken:
        print(f"BROKEN: {fault}")
    return int(bool(session.broken))


class Session:
    """Houses one after the other, so that none grows until a backup takes longer than a life."""

    def __init__(self, wanted: argparse.Namespace) -> None:
        self.wanted = wanted
        self.rows: list[tuple[str, Mapping[str, int]]] = []
        self.broken: list[str] = []
        self.faults, self.answers, self.counts = Counter[str](), Counter[str](), Counter[str]()
        self._began = time.monotonic()

    def goes_on(self) -> bool:
        """Whether another house is due: each of its kind, the time, and the numbers wanted."""
        kills = sum(row["kill -9"] for _, row in self.rows)
        letters = sum(row["letters"] for _, row in self.rows)
        return (
            len(self.rows) < _WAYS * len(self.wanted.daemons)
            or time.monotonic() < self._began + self.wanted.minutes * 60
            or kills < self.wanted.kills
            or letters < self.wanted.letters
        )

    def torture_house(self, postgresql: PostgreSQL | None) -> None:
        """From its first game to the audit of what is left; what broke a promise is kept."""
        number = len(self.rows)
        daemons = self.wanted.daemons[number // _WAYS % len(self.wanted.daemons)]
        seed = self.wanted.seed + number
        with ExitStack() as stack:
            place = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="torture")))
            post = open_post(place, seed, servers=number % _WAYS == 1)
            stack.callback(post.close)
            house = House(place, post, postgresql)
            stack.callback(house.close)
            long = number < _WAYS  # once is enough for what takes minutes
            torture = Torture(
                house,
                seed,
                self.wanted.games,
                beside=daemons - 1,
                stop_for_minutes=long,
            )
            end = time.monotonic() + min(_HOUSE, self.wanted.minutes * 60 / _WAYS)
            torture.live(lambda _: time.monotonic() < end)
            if daemons > 1:
                torture.die_at_commits(lives(torture.counts["kill -9"] + _MORE, 0))
            evidence, faults = torture.judge()
            if faults:
                shutil.copytree(place, _KEPT / str(seed), dirs_exist_ok=True)
            self.rows.append(
                (name_house(torture, daemons), count_figures(torture, evidence, faults))
            )
            self.broken += (f"{fault} (seed {seed}, kept in {_KEPT})" for fault in faults)
            self.faults += torture.faults
            self.counts += torture.counts
            self.answers += post.sink.faults if post.sink else Counter()


def _postgresql(stack: ExitStack) -> PostgreSQL:
    folder = binaries()
    if folder is None:
        raise SystemExit("PostgreSQL is not installed: no initdb")
    server = PostgreSQL(folder)
    stack.callback(server.stop)
    return server


if __name__ == "__main__":
    sys.exit(main())
