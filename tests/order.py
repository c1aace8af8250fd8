"""Which files of tests begin, so that no worker ends long after the others, and no core is idle.

    .venv/bin/python -m pytest -n auto --dist loadfile -m "not soak" -p tests.order

runs all tests and writes down how long each file took, which is the order of the next runs.
"""

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest

_ROOT = Path(__file__).resolve().parents[1]
_RECORD = Path(__file__).with_name("durations.json")
_SHORT = 2
"""Seconds; it does not matter when a file begins that takes less."""
_taken: Counter[str] = Counter()


def read_durations() -> Mapping[str, int]:
    """Seconds that the longer files took when that was last written down."""
    found: Mapping[str, int] = json.loads(_RECORD.read_text(encoding="utf-8"))
    return found


_WAITING = (
    *("tests/adapters/postbox/", "tests/adapters/postman/", "tests/bench/test_floods.py"),
    *("tests/browser/", "tests/daemon/", "tests/test_readme.py", "tests/torture/"),
)
"""Files that wait for servers, daemons and browsers much of their time."""


def plan_beginnings(lengths: Mapping[str, int]) -> Mapping[str, float]:
    """When each file begins, from 0 to 1: those that wait all along beside those that compute.

    Of both the longest begin. All that wait at once would leave the cores with nothing to do.
    """
    begins: dict[str, float] = {}
    for waits in (True, False):
        own = [name for name in lengths if name.startswith(_WAITING) == waits]
        before, whole = 0, sum(lengths[name] for name in own)
        for name in sorted(own, key=lambda name: -lengths[name]):
            begins[name] = before / whole
            before += lengths[name]
    return begins


def sort_files(items: list[pytest.Item]) -> None:
    """As planned; short files come last and stay as they are."""
    begins = {_ROOT / name: begin for name, begin in plan_beginnings(read_durations()).items()}
    items.sort(key=lambda item: begins.get(item.path, 1.0))


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Add up what each file takes."""
    _taken[report.nodeid.partition("::")[0]] += report.duration


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write it down, once and not in every worker."""
    if not hasattr(session.config, "workerinput"):
        taken = {name: round(seconds) for name, seconds in sorted(_taken.items())}
        longer = {name: seconds for name, seconds in taken.items() if seconds >= _SHORT}
        _RECORD.write_text(json.dumps(longer, indent=1) + "\n", encoding="utf-8")
