"""`adjudicator serve` with a clock that can be set wrong, and without long pauses.

The file that TORTURE_CLOCK names says by how many seconds the clock is wrong. What is tried again
after minutes is tried again at once, so that an hour holds the faults of a year.
"""

import os
from datetime import datetime, timedelta, tzinfo
from pathlib import Path
from typing import Self

from adjudicator.adapters.mail.troubles import Backoff
from adjudicator.cli.serving import daemon, keeper, runtime
from adjudicator.desk.outbox import send

CLOCK = "TORTURE_CLOCK"
_PAUSE = 0.05
_real_left = Backoff.left


class WrongClock(datetime):
    """As the file says, read anew each time."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> Self:
        seconds = float(Path(os.environ[CLOCK]).read_text() or 0)
        return super().now(tz) + timedelta(seconds=seconds)


def _left(self: Backoff, now: float) -> float:
    return min(_PAUSE, _real_left(self, now))


def be_impatient() -> None:
    """From here on what this program serves is a daemon of this sort."""
    for module in (daemon, keeper, runtime):
        module.datetime = WrongClock  # type: ignore[misc]
    Backoff.left = _left  # type: ignore[method-assign]
    send._BACK_OFF = (0,)
    send._AWAY = timedelta()
