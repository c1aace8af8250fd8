"""Requests that the desk rejects, in words for their writer."""

from collections.abc import Mapping
from typing import NamedTuple


class Suggest(NamedTuple):
    """A way out of an error: a command, which each face words in its own syntax."""

    command: str
    game: str
    words: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    options: Mapping[str, str] = {}


class Refused(Exception):  # noqa: N818 - it reads like what it says
    """The request cannot be granted; the message says why, and the way out what helps."""

    def __init__(self, message: str = "", *, suggest: Suggest | None = None) -> None:
        super().__init__(message)
        self.suggest = suggest


class Misused(Refused):
    """Arguments that do not go together."""


class Unknown(Refused):
    """There is no such game, seat, step, kind or rule."""


class Already(Refused):
    """It has happened already and cannot happen twice."""


class Changed(Refused):
    """The rules would adjudicate earlier steps of a running game differently now."""

    def __init__(self, message: str = "", *, game: str = "") -> None:
        super().__init__(message, suggest=Suggest("accept", game) if game else None)
        self.game = game


class Damaged(Exception):  # noqa: N818 - it is said of what is kept
    """Stored data cannot be read; the message says which, and the way out."""


class Away(Refused):
    """A mail server cannot be reached or rejects the login; nothing is lost, try again later."""


class LockedOut(Away):
    """A mail server cannot be used before the GM does what the message says."""
