"""A club's worst hour: thousands of games, everybody writes, all deadlines fall; then a table.

    python -m tests.load --games 5000 --minutes 60 --engine postgresql --daemons 1 --daemons 2

`--minutes 0` puts all letters into the postboxes at once, and tells how much can be done in a
second. Beside each run stands the floor: the bare parts of the same letters on the same machine.
"""

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from pathlib import Path

from adjudicator.adapters.mail.maildir import deliver_letter
from adjudicator.cli.demo.mail_programs import find_form, open_message
from adjudicator.cli.wiring import DATABASE_VARIABLE, Office
from tests.bench.letters import bare_parse, bare_yaml
from tests.load.hour import Hour, Plan, Town, run_hour
from tests.load.table import write_table
from tests.load.town import make_games
from tests.servers.postgres import PostgreSQL, binaries

ENGINES = ("sqlite", "postgresql")
_SAMPLE = 50


def main(words: Sequence[str] | None = None) -> int:
    """Run an hour for each number of daemons; 1 when a letter was not answered."""
    wanted = _read_arguments(words)
    hours: list[tuple[str, Hour, float]] = []
    for daemons in wanted.daemons or [1]:
        with ExitStack() as stack:
            place = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="load")))
            if wanted.engine == "postgresql":
                server = stack.enter_context(_open_server())
                os.environ[DATABASE_VARIABLE] = server.database()
            began, home = time.perf_counter(), place / "home"
            town = Town(
                place=place, homes=(home,) * daemons, writings=make_games(home, wanted.games)
            )
            print(f"{wanted.games} games made in {time.perf_counter() - began:.0f} s", flush=True)
            plan = Plan(
                games=wanted.games,
                daemons=daemons,
                minutes=wanted.minutes,
                part=wanted.part,
                seed=wanted.seed,
            )
            hour = run_hour(town, plan)
            hours.append((f"{wanted.engine}, {daemons}", hour, measure_floor(town, hour)))
        print(write_table(hours), flush=True)
    return int(any(len(hour.receipts) < hour.letters for _, hour, _ in hours))


def _read_arguments(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.load",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--games", type=int, default=5000, help="how many [5000]")
    parser.add_argument("--minutes", type=float, default=60.0, help="how long the hour is [60]")
    parser.add_argument("--part", type=float, help="play so many minutes of it [all]")
    parser.add_argument("--engine", choices=ENGINES, default="sqlite", help="[sqlite]")
    parser.add_argument("--daemons", type=int, action="append", help="how many, each a run [1]")
    parser.add_argument("--seed", type=int, default=1, help="who writes when [1]")
    return parser.parse_args(words)


def _open_server() -> "closing[_Stopping]":
    folder = binaries()
    assert folder is not None, "PostgreSQL is not installed"
    return closing(_Stopping(folder))


class _Stopping(PostgreSQL):
    """A server whose commits are on the disk, and which is gone at the end."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, durable=True)

    def close(self) -> None:
        """Stop it."""
        self.stop()


def measure_floor(town: Town, hour: Hour) -> float:
    """Measure the seconds that the same letters cost in bare parts, one after the other.

    In: parsed by the standard library, YAML read, a row committed. Out: a row committed, the file
    written.
    """
    samples = [*_sample_letters(town.mailboxes)]
    size = len(statistics.median_low(samples)) if samples else 0
    letters = [one.content for one in town.writings[:_SAMPLE]]
    with closing(Office(str(town.homes[0]))) as office, office.store.engine.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE floor (content TEXT NOT NULL)")

    with closing(Office(str(town.homes[0]))) as office:

        def commit(content: bytes) -> None:
            text = content.decode("ascii", "replace").replace("'", "").replace("%", "")
            with office.store.engine.begin() as connection:
                connection.exec_driver_sql(f"INSERT INTO floor VALUES ('{text}')")

        def take(content: bytes) -> None:
            bare_parse(content)
            bare_yaml(find_form(open_message(content)))
            commit(content)

        def send(content: bytes) -> None:
            commit(content)
            deliver_letter(town.place / "floor", content)

        return hour.letters * _time(take, letters) + hour.sent * _time(
            send, [b"x" * size] * _SAMPLE
        )


def _time(work: Callable[[bytes], None], contents: Sequence[bytes]) -> float:
    """Seconds of one, the median of these."""
    taken = []
    for content in contents:
        began = time.perf_counter()
        work(content)
        taken.append(time.perf_counter() - began)
    return statistics.median(taken)


def _sample_letters(folder: Path) -> Iterator[bytes]:
    for path in sorted(folder.glob("*@*/new/*"))[:_SAMPLE]:
        yield path.read_bytes()


if __name__ == "__main__":
    raise SystemExit(main())
