"""`python -m tests.bench.peak WORDS`: a command, and then its peak memory in KiB.

A process is asked from inside: what its parent is told of it includes the parent's own size.
"""

import re
import resource
import sys
from pathlib import Path

import click

from adjudicator.cli.app import cli

_STATUS = Path("/proc/self/status")


def peak() -> int:
    """The most that this process has had in memory, in KiB."""
    if _STATUS.exists():
        found = re.search(r"VmHWM:\s+(\d+) kB", _STATUS.read_text(encoding="ascii"))
        if found:
            return int(found[1])
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most // 1024 if sys.platform == "darwin" else most


if __name__ == "__main__":
    try:
        cli.main(prog_name="adjudicator")
    except SystemExit as end:
        if end.code:
            raise
    click.echo(peak())
