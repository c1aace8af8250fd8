"""The log: one line for each event on standard error, under the trace id of its letter.

What is wrong just now is logged once when it begins and once when it is over.
"""

import json
import os
import re
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from msgspec import Struct, convert
from msgspec.structs import replace

from adjudicator.core.document import replace_unseen
from adjudicator.desk.model.errors import Refused

_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
_KEY = re.compile(rf"(?<![\w-])[{_LETTERS}]{{4}}-[{_LETTERS}]{{4}}(?![\w-])", re.IGNORECASE)
_NAMES = ("game", "place", "message_id", "trace", "home", "file", "kept")
"""Facts that the program names itself: what looks like a key there is the name of a game."""
_LONGEST = 500
_AGAIN = timedelta(hours=1)
_OURS = "/adjudicator/"
TROUBLES = "serve.troubles"
"""The file in the home with the current troubles."""
if TYPE_CHECKING:
    from structlog.typing import FilteringBoundLogger

    Log = FilteringBoundLogger
else:
    Log = Any  # `status` writes no log, and structlog brings half of rich
DATABASE_PLACE = "database"
"""The place of a trouble with the database itself."""


class _Stream:
    """Standard error; the daemon continues if it is closed."""

    def write(self, text: str) -> None:
        try:
            sys.stderr.write(text)
        except (OSError, ValueError):
            return

    def flush(self) -> None:
        try:
            sys.stderr.flush()
        except (OSError, ValueError):
            return


def set_up_log(style: str, into: TextIO | None = None) -> Log:
    """Set up the log, as text for people or as JSON for programs; standard error by default."""
    import structlog

    renderer: Any = (
        structlog.processors.JSONRenderer()
        if style == "json"
        else structlog.dev.ConsoleRenderer(colors=False, pad_event_to=28)
    )
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            _mask,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger("info"),
        logger_factory=structlog.PrintLoggerFactory(file=into or _Stream()),  # type: ignore[arg-type]  # all it needs of a file
        cache_logger_on_first_use=False,
    )
    log: Log = structlog.get_logger()
    return log


def describe_error(error: BaseException) -> str:
    """Describe an error in our own words, or say where an unexpected one came from."""
    return str(error) if isinstance(error, Refused) else locate_error(error)


def locate_error(error: BaseException) -> str:
    """Locate an error: its kind, and the place in our code that raised it.

    Its text is left out, since it may quote a letter.
    """
    place = ""
    trace = error.__traceback__
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if _OURS in file or not place:
            place = f"{Path(file).name}:{trace.tb_lineno}"
        trace = trace.tb_next
    return f"{type(error).__name__} at {place}" if place else type(error).__name__


def _mask(_logger: Any, _method: str, event: Any) -> Any:
    """Mask everything that looks like a key, and keep each line a single line."""
    names = " ".join(str(event[name]) for name in _NAMES if event.get(name))

    def hide(match: "re.Match[str]") -> str:
        return match.group() if match.group() in names else "****-****"

    for name, value in [*event.items()]:
        if value is None:
            del event[name]
        elif isinstance(value, str) and name not in ("timestamp", "level", "event"):
            plain = " ".join(replace_unseen(value, " ").split())
            event[name] = _KEY.sub(hide, plain)[:_LONGEST]
    return event


class Trouble(Struct, frozen=True, kw_only=True):
    """A current problem, and since when it exists."""

    place: str
    words: str
    since: datetime
    logged: datetime | None = None
    """When it was last logged; None: by an earlier daemon."""
    mailed: bool = False
    """Whether the GM got a letter about it."""

    def facts(self) -> dict[str, Any]:
        """Format the trouble for the daemon's heartbeat."""
        facts = {"place": self.place, "words": self.words, "mailed": self.mailed}
        return {**facts, "since": self.since.isoformat()}


class Troubles:
    """One line when a trouble begins, one an hour while it lasts, one when it is over."""

    def __init__(self, log: Log) -> None:
        self.log = log
        self.file: TroubleFile | None = None
        self._open: dict[str, Trouble] = {}
        self._before: dict[str, Trouble] = {}

    def remember(self, problems: Sequence[Mapping[str, Any]]) -> None:
        """Restore the troubles of the last daemon, so that the GM is notified only once."""
        self._before = {one["place"]: convert(one, Trouble) for one in problems}

    def begin(self, place: str, words: str, at: datetime) -> None:
        """Record that this trouble began at this place."""
        open_trouble = self._open.get(place) or self._before.pop(place, None)
        trouble = open_trouble or Trouble(place=place, words=words, since=at)
        if trouble.logged is None:
            self.log.warning("trouble", place=place, words=words)
        elif at - trouble.logged >= _AGAIN:
            since = trouble.since.isoformat(timespec="seconds")
            self.log.warning("still in trouble", place=place, words=words, since=since)
        else:
            at = trouble.logged
        self._open[place] = replace(trouble, words=words, logged=at)
        self._keep()

    def end(self, place: str, at: datetime) -> None:
        """Record that the trouble has ended, if it was ever there."""
        self._before.pop(place, None)
        open_trouble = self._open.pop(place, None)
        if open_trouble:
            seconds = round((at - open_trouble.since).total_seconds())
            self.log.info("all well again", place=place, after=f"{seconds}s")
            self._keep()

    def to_mail(self, place: str, at: datetime, after: timedelta = timedelta()) -> bool:
        """Whether the GM should get a letter about it: once, after this long."""
        open_trouble = self._open.get(place)
        return (
            open_trouble is not None
            and not open_trouble.mailed
            and at - open_trouble.since >= after
        )

    def mark_mailed(self, place: str) -> None:
        """Record that the GM got the letter."""
        if place in self._open:
            self._open[place] = replace(self._open[place], mailed=True)

    def now(self) -> Mapping[str, Trouble]:
        """Return the current troubles by place."""
        return dict(self._open)

    def _keep(self) -> None:
        if self.file is not None:
            self.file.write([one.facts() for one in self._open.values()])


class TroubleFile:
    """The daemon's troubles beside its database, for when that cannot be written.

    The file has its full size from the start and is written in place, so that it needs no room on
    a full disk.
    """

    _SIZE = 16 * 1024
    _LONGEST = 300
    """Characters of one trouble."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._pid = os.getpid()
        self.write(())

    def write(self, problems: Sequence[Mapping[str, Any]]) -> None:
        """Write the current troubles, as many as fit."""
        facts = [{**one, "words": str(one["words"])[: self._LONGEST]} for one in problems]
        content = self._encode(facts)
        while len(content) > self._SIZE:
            facts.pop()
            content = self._encode(facts)
        with suppress(OSError):
            handle = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                os.pwrite(handle, content.ljust(self._SIZE), 0)
            finally:
                os.close(handle)

    def _encode(self, problems: Sequence[Mapping[str, Any]]) -> bytes:
        return json.dumps({"pid": self._pid, "problems": problems}).encode()

    @staticmethod
    def read(path: Path) -> tuple[int, list[dict[str, Any]]] | None:
        """Read the process that wrote the file, and its troubles; None if there is no such file."""
        try:
            content = json.loads(path.read_text())
            return int(content["pid"]), list(content["problems"])
        except (OSError, ValueError, KeyError, TypeError):
            return None
