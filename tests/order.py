"""Which files of tests begin, so that no worker ends long after the others."""

from pathlib import Path

import pytest

LONGEST = (
    "tests/browser/test_site.py",
    "tests/desk/test_noninterference.py",
    "tests/torture/test_torture.py",
    "tests/daemon/test_troubles.py",
    "tests/adapters/store/test_killed.py",
    "tests/test_house.py",
    "tests/test_toy_copied.py",
    "tests/daemon/test_maildir.py",
    "tests/cli/test_demo.py",
    "tests/browser/test_letters.py",
    "tests/adapters/mails/test_whole_games.py",
    "tests/orders/test_report_fields.py",
    "tests/daemon/test_killed.py",
    "tests/test_readme.py",
    "tests/desk/test_deadline_machine.py",
    "tests/adapters/letter/test_attacks.py",
    "tests/fuzz/test_fuzz.py",
)
"""The files that take longest, the longest first; at the end one of them would run alone."""
_ROOT = Path(__file__).resolve().parents[1]


def sort_by_length(items: list[pytest.Item]) -> None:
    """The longest files first; all others stay as they are."""
    places = {_ROOT / name: number for number, name in enumerate(LONGEST)}
    items.sort(key=lambda item: places.get(item.path, len(places)))
