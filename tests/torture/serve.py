"""`adjudicator serve` with a clock that can be set wrong, and without long pauses.

The file that TORTURE_CLOCK names says by how many seconds the clock is wrong. What is tried again
after minutes is tried again at once, so that an hour holds the faults of a year. TORTURE_END counts
transactions, two for each: the daemon kills itself just before or just after one is committed.
"""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta, tzinfo
from itertools import count
from pathlib import Path
from typing import Self

from adjudicator.adapters.mail.troubles import Backoff
from adjudicator.adapters.store.store import SqlStore
from adjudicator.cli.serving import daemon, runtime, signs_of_life
from adjudicator.desk.model.ports import Books
from adjudicator.desk.outbox import send

CLOCK, END = "TORTURE_CLOCK", "TORTURE_END"
_PAUSE = 0.05
_real_seconds, _real_writing = Backoff.count_seconds, SqlStore.writing
_points = count(1)


class WrongClock(datetime):
    """As the file says, read anew each time."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> Self:
        seconds = float(Path(os.environ[CLOCK]).read_text() or 0)
        return super().now(tz) + timedelta(seconds=seconds)


def _count_seconds(self: Backoff, now: float) -> float:
    return min(_PAUSE, _real_seconds(self, now))


@contextmanager
def _writing(self: SqlStore) -> Iterator[Books]:
    with _real_writing(self) as books:
        yield books
        _pass_point()
    _pass_point()


def _pass_point() -> None:
    if next(_points) == int(os.environ[END]):
        os.kill(os.getpid(), signal.SIGKILL)


def be_impatient() -> None:
    """From here on what this program serves is a daemon of this sort."""
    for module in (daemon, signs_of_life, runtime):
        module.datetime = WrongClock  # type: ignore[misc]
    Backoff.count_seconds = _count_seconds  # type: ignore[method-assign]
    SqlStore.writing = _writing  # type: ignore[assignment, method-assign]
    send._BACK_OFF = (0,)
    send._AWAY = timedelta()
