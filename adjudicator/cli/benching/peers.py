"""The PyPI package `diplomacy`, measured in a Python of its own, beside ours in the same run."""

import importlib.util
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from adjudicator.adapters.data import home
from adjudicator.cli.benching.processes import run
from adjudicator.cli.benching.rows import milliseconds
from adjudicator.desk.errors import Refused

SCRIPT = Path(__file__).with_name("diplomacy_player.py")
PLACES = ("peers/bin/python", "peers/Scripts/python.exe")


def find() -> Path | None:
    """A Python that has the package: the one of `make bench-peers`, else this one."""
    for place in PLACES:
        python = home() / ".venv" / place
        if python.exists():
            return python
    return Path(sys.executable) if importlib.util.find_spec("diplomacy") else None


class Diplomacy:
    """The package in a process that plays when it is asked to."""

    def __init__(self, python: Path) -> None:
        self._python = str(python)
        self._process = subprocess.Popen(  # noqa: S603 - our own script
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
