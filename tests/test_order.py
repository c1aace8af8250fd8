"""The order in which the files of tests begin when all of them run."""

from pathlib import Path

from tests.order import plan_beginnings, read_durations

ROOT = Path(__file__).resolve().parents[1]


def test_the_files_of_tests_that_begin_are_there() -> None:
    assert [name for name in read_durations() if not (ROOT / name).is_file()] == []


def test_files_that_wait_begin_all_along_beside_files_that_compute() -> None:
    waiting = {"tests/browser/a": 30, "tests/daemon/b": 10}
    computing = {"tests/desk/c": 8, "tests/core/d": 12, "tests/rules/e": 20}
    begins = plan_beginnings({**waiting, **computing})
    assert sorted(begins, key=begins.__getitem__) == [
        *("tests/browser/a", "tests/rules/e", "tests/core/d"),
        *("tests/daemon/b", "tests/desk/c"),
    ]
