"""What is wrong just now: logged once when it begins and once when it is over."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from msgspec import Struct, convert
from msgspec.structs import replace

from adjudicator.cli.serving.log import Log

_AGAIN = timedelta(hours=1)


class Trouble(Struct, frozen=True, kw_only=True):
    """Something that is wrong, and since when."""

    place: str
    words: str
    since: datetime
    logged: datetime | None = None
    """When the log told it last; None: by a daemon before this one."""
    mailed: bool = False
    """Whether the GM got a letter about it."""

    def facts(self) -> dict[str, Any]:
        """As it stands in the daemon's heartbeat."""
        facts = {"place": self.place, "words": self.words, "mailed": self.mailed}
        return {**facts, "since": self.since.isoformat()}


class Troubles:
    """One line when a trouble begins, one an hour while it lasts, one when it is over."""

    def __init__(self, log: Log) -> None:
        self.log = log
        self._open: dict[str, Trouble] = {}
        self._before: dict[str, Trouble] = {}

    def remember(self, problems: Sequence[Mapping[str, Any]]) -> None:
        """What was wrong when a daemon was last heard of, so that the GM is told once."""
        self._before = {one["place"]: convert(one, Trouble) for one in problems}

    def begin(self, place: str, words: str, at: datetime) -> None:
        """It is so at this place."""
        known = self._open.get(place) or self._before.pop(place, None)
        trouble = known or Trouble(place=place, words=words, since=at)
        if trouble.logged is None:
            self.log.warning("trouble", place=place, words=words)
        elif at - trouble.logged >= _AGAIN:
            since = trouble.since.isoformat(timespec="seconds")
            self.log.warning("still in trouble", place=place, words=words, since=since)
        else:
            self._open[place] = replace(trouble, words=words)
            return
        self._open[place] = replace(trouble, words=words, logged=at)

    def end(self, place: str, at: datetime) -> None:
        """It is not so any more, if it ever was."""
        self._before.pop(place, None)
        known = self._open.pop(place, None)
        if known:
            seconds = round((at - known.since).total_seconds())
            self.log.info("all well again", place=place, after=f"{seconds}s")

    def to_mail(self, place: str, at: datetime, after: timedelta = timedelta()) -> bool:
        """Whether the GM should get a letter about it: once, when it has lasted so long."""
        known = self._open.get(place)
        return known is not None and not known.mailed and at - known.since >= after

    def mailed(self, place: str) -> None:
        """The GM got it."""
        if place in self._open:
            self._open[place] = replace(self._open[place], mailed=True)

    def now(self) -> Mapping[str, Trouble]:
        """What is wrong, by place."""
        return dict(self._open)
