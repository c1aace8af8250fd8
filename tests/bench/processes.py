"""Programs measured from outside: our commands, and the package `diplomacy` in its own Python."""

import importlib.util
import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from adjudicator.adapters.games.data_folders import find_data_home
from adjudicator.desk.model.errors import Refused
from tests.bench.measures import milliseconds

PEAK = "tests.bench.peak"


def cold(home: Path, *words: str) -> float:
    """Milliseconds that a command takes, from nothing to its end."""
    command = [sys.executable, "-m", "adjudicator", "--home", str(home), *words]
    return milliseconds(lambda: run(command))


def peak(home: Path, *words: str) -> float:
    """Megabytes (MiB) that a command has in memory at most."""
    told = run([sys.executable, "-m", PEAK, "--home", str(home), *words])
    return int(told.splitlines()[-1]) / 1024


def run(command: Sequence[str]) -> str:
    """What a command says on standard output; it must go well.

    No setting of ours reaches it; and Python may keep what it compiles, as it does for users.
    """
    ours = ("ADJUDICATOR_", "PYTHONDONTWRITEBYTECODE")
    env = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    done = subprocess.run(command, capture_output=True, text=True, env=env, check=False)
    if done.returncode:
        last = (done.stderr.strip() or "no word").splitlines()[-1]
        raise Refused(f"{' '.join(command)} ended with {done.returncode}: {last}")
    return done.stdout


SCRIPT = Path(__file__).with_name("diplomacy_player.py")
PLACES = ("peers/bin/python", "peers/Scripts/python.exe")


def find() -> Path | None:
    """A Python that has the package: the one of `make bench-peers`, else this one."""
    for place in PLACES:
        python = find_data_home() / ".venv" / place
        if python.exists():
            return python
    return Path(sys.executable) if importlib.util.find_spec("diplomacy") else None


class Diplomacy:
    """The package in a process that plays when it is asked to."""

    def __init__(self, python: Path) -> None:
        self._python = str(python)
        self._process = subprocess.Popen(
            [self._python, str(SCRIPT)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self.version = self._ask("version")

    def process(self) -> float:
        """Milliseconds of one `process()` in a movement phase."""
        return float(self._ask("process"))

    def play(self) -> tuple[float, float]:
        """Seasons a second of random play, and phases: everybody's orders, and one `process()`."""
        seasons, phases = self._ask("play").split()
        return float(seasons), float(phases)

    def cold(self) -> float:
        """Milliseconds of a process that imports the package, makes a game and processes once."""
        return milliseconds(lambda: run([self._python, str(SCRIPT), "once"]))

    def close(self) -> None:
        """Let it end."""
        with suppress(OSError, ValueError):  # it may have ended, or been closed already
            self._process.communicate()
        self._process.wait()

    def _ask(self, what: str) -> str:
        into, out = self._process.stdin, self._process.stdout
        assert into is not None
        assert out is not None
        try:
            into.write(f"{what}\n")
            into.flush()
            answer = out.readline().strip()
        except OSError:  # it has ended
            answer = ""
        if not answer:
            self.close()
            raise Refused(
                f"{self._python} cannot play diplomacy; install it again with `make bench-peers`"
            )
        return answer
