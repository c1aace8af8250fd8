"""The log: one line an event on standard error, a letter's whole path under one id."""

import re
import sys
from pathlib import Path
from typing import Any, TextIO

import structlog

from adjudicator.desk.model.errors import Refused

_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
_KEY = re.compile(rf"\b[{_LETTERS}]{{4}}-[{_LETTERS}]{{4}}\b", re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]+")
_LONGEST = 500
_OURS = "/adjudicator/"
Log = structlog.typing.FilteringBoundLogger


class _Stream:
    """Standard error, whose end is no reason to stop serving."""

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
    """The log, as text for people or as JSON for programs; to standard error by default."""
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
    """Our own words, or where an unexpected error came from."""
    return str(error) if isinstance(error, Refused) else locate_error(error)


def locate_error(error: BaseException) -> str:
    """The place in our code that an error came from, with the kind of error.

    Its text is left out: it may quote a letter.
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
    """Whatever looks like a key is none of a log's business, and a line stays one line."""
    for name, value in [*event.items()]:
        if value is None:
            del event[name]
        elif isinstance(value, str) and name not in ("timestamp", "level", "event"):
            plain = _CONTROL.sub(" ", value)
            event[name] = _KEY.sub("****-****", plain)[:_LONGEST]
    return event
