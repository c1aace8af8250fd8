"""Commands as people start them: a process each, measured from outside."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from adjudicator.cli.benching.rows import milliseconds
from adjudicator.desk.errors import Refused

PEAK = "adjudicator.cli.benching.peak"


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
    done = subprocess.run(command, capture_output=True, text=True, env=env, check=False)  # noqa: S603 - our own command line
    if done.returncode:
        last = (done.stderr.strip() or "no word").splitlines()[-1]
        raise Refused(f"{' '.join(command)} ended with {done.returncode}: {last}")
    return done.stdout
