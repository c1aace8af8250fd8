"""What is measured and how often, the rows of the result, and the floors of this machine."""

import hashlib
import json
import sqlite3
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

Measure = Callable[[], Mapping[str, float]]
"""Does something once and tells what it took, by name."""


class Target(Struct, frozen=True, kw_only=True):
    """What a ratio should come to."""

    at_most: float | None = None
    at_least: float | None = None

    def met_by(self, ratio: float) -> bool:
        """Whether this ratio is good enough."""
        enough = self.at_least is None or ratio >= self.at_least
        return enough and (self.at_most is None or ratio <= self.at_most)

    def told(self, ratio: float) -> str:
        """`at most 10: met`."""
        if self.at_most is not None:
            words = f"at most {self.at_most:g}"
        else:
            words = f"at least {self.at_least:g}"
        return f"{words}: {'met' if self.met_by(ratio) else 'MISSED'}"


class Row(Struct, frozen=True, kw_only=True):
    """One line of the table; `ratio` is the value measured in units of `of`."""

    name: str
    value: float
    unit: str
    ratio: float | None = None
    of: str | None = None
    target: Target | None = None

    def document(self) -> dict[str, Any]:
        """The row for programs."""
        return {
            "name": self.name,
            "value": _short(self.value),
            "unit": self.unit,
            "ratio": None if self.ratio is None else _short(self.ratio),
            "of": self.of,
        }


def _short(number: float) -> float | int:
    """Four digits are more than the measuring is worth."""
    return int(number) if number == int(number) else float(f"{number:.4g}")


def seconds(work: Callable[[], object], times: int = 1) -> float:
    """How long doing it takes: the median of doing it so often in a row."""
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return statistics.median(taken)


def milliseconds(work: Callable[[], object], times: int = 1) -> float:
    """The same in thousandths."""
    return 1000 * seconds(work, times)


def cpu_milliseconds(work: Callable[[], object], times: int = 1) -> float:
    """How much time of a processor doing it takes, on average of so often, in thousandths."""
    start = time.process_time()
    for _ in range(times):
        work()
    return 1000 * (time.process_time() - start) / times


def medians(
    measures: Sequence[Measure], rounds: int, progress: Callable[[int, str], None]
) -> dict[str, float]:
    """Everything once per round, so that what disturbs the machine disturbs all alike."""
    values: dict[str, list[float]] = {}
    for number in range(1, rounds + 1):
        for measure in measures:
            for name, value in measure().items():
                values.setdefault(name, []).append(value)
        progress(number, f"round {number} of {rounds}")
    return {name: statistics.median(found) for name, found in values.items()}


def fingerprint(document: Any) -> str:
    """The standard library's sorted JSON of a document, and its SHA-256."""
    return hashlib.sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()


class Ledger:
    """A SQLite file of one table, with a write-ahead log; every commit is on the disk."""

    def __init__(self, path: Path) -> None:
        self._connection = sqlite3.connect(path, isolation_level=None)
        self._connection.execute("PRAGMA journal_mode=WAL").fetchone()
        self._connection.execute("PRAGMA synchronous=FULL")
        self._connection.execute("CREATE TABLE IF NOT EXISTS entries (content BLOB NOT NULL)")

    def write(self, content: bytes) -> None:
        """One transaction that writes these bytes as one row."""
        self._connection.execute("BEGIN IMMEDIATE")
        self._connection.execute("INSERT INTO entries VALUES (?)", (content,))
        self._connection.execute("COMMIT")

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()
