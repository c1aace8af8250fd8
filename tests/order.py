"""Which files of tests begin, so that no worker ends long after the others.

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


def sort_by_length(items: list[pytest.Item]) -> None:
    """The longest files first; all others stay as they are."""
    lengths = {_ROOT / name: seconds for name, seconds in read_durations().items()}
    items.sort(key=lambda item: -lengths.get(item.path, 0))


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Add up what each file takes."""
    _taken[report.nodeid.partition("::")[0]] += report.duration


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write it down, once and not in every worker."""
    if not hasattr(session.config, "workerinput"):
        taken = {name: round(seconds) for name, seconds in sorted(_taken.items())}
        longer = {name: seconds for name, seconds in taken.items() if seconds >= _SHORT}
        _RECORD.write_text(json.dumps(longer, indent=1) + "\n", encoding="utf-8")
