"""What is wrong just now: told once when it begins and once when it is over."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from msgspec import Struct

from adjudicator.cli.serving.logs import Log

_AGAIN = timedelta(hours=1)


class Trouble(Struct, frozen=True):
    """Something that is wrong, and since when."""

    place: str
    words: str
    since: datetime
    told: datetime


class Troubles:
    """One line when a trouble begins, one an hour while it lasts, one when it is over."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._open: dict[str, Trouble] = {}

    def begin(self, place: str, words: str, at: datetime) -> bool:
        """It is so at this place; True when it was told."""
        known = self._open.get(place)
        since = known.since if known else at
        if known and at - known.told < _AGAIN:
            self._open[place] = Trouble(place, words, since, known.told)
            return False
        self._open[place] = Trouble(place, words, since, at)
        if known:
            self._log.warning("still in trouble", place=place, words=words, since=_clock(since))
        else:
            self._log.warning("trouble", place=place, words=words)
        return True

    def end(self, place: str, at: datetime) -> None:
        """It is not so any more, if it ever was."""
        known = self._open.pop(place, None)
        if known:
            seconds = round((at - known.since).total_seconds())
            self._log.info("all well again", place=place, after=f"{seconds}s")

    def now(self) -> Mapping[str, Trouble]:
        """What is wrong, by place."""
        return dict(self._open)


def _clock(instant: datetime) -> str:
    return instant.isoformat(timespec="seconds")
