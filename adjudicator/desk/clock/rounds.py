"""Begin and end a round of the clock: in which games may time have changed something?"""

from collections.abc import Sequence

from msgspec import Struct

from adjudicator.desk.clock.readings import (
    ClockReading,
    LastReading,
    follow_reading,
    is_quiet,
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


def begin_round(books: Books, now: ClockReading, *, is_first: bool) -> Round:
    """Begin a round: with the games whose time has come, or with all of them.

    An outage or a jump of the clock matters to every game that is not over, and so does whatever
    happened before the daemon started. Such a round counts once it has ended.
    """
    last = recall_reading(books, LAST_ROUND)
    if is_first or not is_quiet(last, now):
        games = [game.id for game in books.games() if game.status is not Status.OVER]
        return Round(games=games, last=last, is_noted=False)
    end_round(books, now, last)
    return Round(games=books.awake(now.at), last=last)


def look_between(books: Books, now: ClockReading) -> Round:
    """Look at the games in which something has happened since the last round."""
    return Round(games=books.awake(now.at), last=recall_reading(books, LAST_ROUND))


def end_round(books: Books, now: ClockReading, last: LastReading | None) -> None:
    """Note that whatever was due in this round is done."""
    store_reading(books, LAST_ROUND, follow_reading(last, now, last))
