"""Fuzzing by hand: new attempts until the time is over; what failed is listed, to be tried again.

python -m tests.fuzz --minutes 60
python -m tests.fuzz --only yaml --number 1234     # one attempt once more
"""

import argparse
import secrets
import sys
import time
import traceback
from collections import Counter

from tests.fuzz.targets import TARGETS, attempt

_ROUND = 10.0
"""Seconds of one target before the next one has its turn."""


def main() -> int:
    """Let each target have its turn again and again."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=60, help="how long [60]")
    parser.add_argument("--only", choices=TARGETS, help="one target [all]")
    parser.add_argument("--number", type=int, help="one attempt, as a failure names it")
    wanted = parser.parse_args()
    names = [wanted.only] if wanted.only else list(TARGETS)
    if wanted.number is not None:
        for name in names:
            attempt(name, wanted.number)
        return 0
    return _run(names, time.monotonic() + 60 * wanted.minutes)


def _run(names: list[str], end: float) -> int:
    number = secrets.randbelow(10**9) * 10**6
    made: Counter[str] = Counter()
    failed: Counter[str] = Counter()
    while time.monotonic() < end:
        for name in names:
            turn = min(end, time.monotonic() + _ROUND)
            while time.monotonic() < turn:
                number += 1
                made[name] += 1
                failed[name] += not _holds(name, number)
        told = ", ".join(f"{name} {made[name]} ({failed[name]} failed)" for name in names)
        print(f"attempts: {told}", flush=True)
    return int(failed.total() > 0)


def _holds(name: str, number: int) -> bool:
    try:
        attempt(name, number)
    except Exception:
        print(f"FAILED: python -m tests.fuzz --only {name} --number {number}")
        traceback.print_exc(limit=-6, file=sys.stdout)
        return False
    return True


if __name__ == "__main__":
    sys.exit(main())
