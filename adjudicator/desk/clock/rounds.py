"""Begin and end a round of the clock: in which games may time have changed something?"""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.desk.clock.readings import (
    ClockReading,
    LastReading,
    follow_reading,
    is_quiet,
    measure_clock_jump,
    recall_reading,
    store_reading,
)
from adjudicator.desk.model.ports import Books
from adjudicator.desk.model.values import Status

LAST_ROUND = "last round"
"""The name of the heartbeat under which the clock remembers its last round."""


class Round(Struct, frozen=True, kw_only=True):
    """What a round of the clock begins with."""

    games: Sequence[str]
    """The games to be looked at, in order."""
    last: LastReading | None
    """The round before."""
    is_noted: bool = True
    """Whether the next round need not look at what this one was to look at."""


def begin_round(
    books: Books, now: ClockReading, *, is_first: bool, own: ClockReading | None = None
) -> Round:
    """Begin a round: with the games whose time has come, or with all of them.

    An outage or a jump of the clock matters to every game that is not over, and so does whatever
    happened before the daemon started. Such a round counts once it has ended. `own`: this daemon's
    last reading, where the last round may have been another machine's.
    """
    last = _recall_last(books, now, own)
    if is_first or not is_quiet(last, now):
        games = [game.id for game in books.games() if game.status is not Status.OVER]
        return Round(games=games, last=last, is_noted=False)
    end_round(books, now, last)
    return Round(games=books.awake(now.at), last=last)


def look_between(books: Books, now: ClockReading, *, own: ClockReading | None = None) -> Round:
    """Look at the games in which something has happened since the last round."""
    return Round(games=books.awake(now.at), last=_recall_last(books, now, own))


def _recall_last(books: Books, now: ClockReading, own: ClockReading | None) -> LastReading | None:
    """Recall the last round; by this machine's own if that shows that the clock jumped."""
    last = recall_reading(books, LAST_ROUND)
    if last is None or own is None or last.machine == now.machine:
        return last
    reading = replace(last, at=own.at, boot=own.boot, machine=own.machine)
    return last if measure_clock_jump(reading, now) is None else reading


def end_round(books: Books, now: ClockReading, last: LastReading | None) -> None:
    """Note that whatever was due in this round is done."""
    store_reading(books, LAST_ROUND, follow_reading(last, now, last))
