"""Problems with a database, each in one line that names the way out."""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from sqlalchemy.exc import (
    DBAPIError,
    IntegrityError,
    OperationalError,
    PendingRollbackError,
    ResourceClosedError,
)

from adjudicator.desk.model.errors import Damaged, Refused

LOCKED_SECONDS = 10
"""How long a transaction waits for another one."""


class StoreTrouble(Refused):
    """The database failed; nothing was changed."""


_DAMAGED = (
    "put back a copy of the database, or `adjudicator import` the games from their archives into "
    "a new home"
)


class DamagedRowError(Damaged):
    """Rows of these tables are damaged: they cannot have been written by this program."""

    def __init__(self, tables: Iterable[str]) -> None:
        names = ", ".join(sorted(tables))
        super().__init__(f"a row of {names} cannot be read; {_DAMAGED}")


_SQLITE = {
    sqlite3.SQLITE_BUSY: f"another program has held it for {LOCKED_SECONDS} seconds;"
    " wait for it to end and try again",
    sqlite3.SQLITE_LOCKED: "another program holds it; wait for it to end and try again",
    sqlite3.SQLITE_READONLY: "it cannot be written; make the file and its folder writable",
    sqlite3.SQLITE_PERM: "it may not be opened; check the permissions of the file and its folder",
    sqlite3.SQLITE_AUTH: "it may not be opened; check the permissions of the file and its folder",
    sqlite3.SQLITE_IOERR: "the disk failed while it was read or written; see whether it is full",
    sqlite3.SQLITE_FULL: "the disk is full; make room and try again",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened; check the permissions of the file and its "
    "folder",
    sqlite3.SQLITE_CORRUPT: f"the file is damaged; {_DAMAGED}",
    sqlite3.SQLITE_NOTADB: "the file is not a database of this program; move it away, or name "
    "another home",
}

_POSTGRESQL = {
    "08": "there is no connection; check that the server runs, and user, password and database in "
    "the URL",
    "25006": "the server accepts no writes now; name the one that does",
    "40": "another program got in the way; try again",
    "42501": "the user lacks the permission; grant it or name another user in the URL",
    "53100": "the server's disk is full; make room and try again",
    "53": "the server has no free connection; try again later",
    "55P03": f"another program has held a game for {LOCKED_SECONDS} seconds;"
    " wait for it to end and try again",
    "57": "the server shut down in the middle; nothing was changed, try again when it is back",
}

_LOST: tuple[type[Exception], ...] = (PendingRollbackError, ResourceClosedError)
"""What SQLAlchemy says of a connection that was cut while a part of a transaction was undone."""


@contextmanager
def translate_errors(name: str, *errors: type[Exception]) -> Iterator[None]:
    """Translate database errors of these names, and those of the driver, into StoreTrouble."""
    own_errors: tuple[type[Exception], ...]
    own_errors = (DBAPIError, sqlite3.Error, DamagedRowError, *_LOST, *errors)
    try:
        yield
    except own_errors as error:
        raise StoreTrouble(f"{name}: {_explain(error)}") from error


def _explain(error: Exception) -> str:
    if isinstance(error, DamagedRowError):
        return f"it is damaged, {error}"
    if isinstance(error, _LOST):
        return "the connection was lost in the middle; nothing was changed, try again"
    if isinstance(error, IntegrityError | sqlite3.IntegrityError):
        return "a reference to a game, seat or step that does not exist"
    cause = error.orig if isinstance(error, DBAPIError) else error
    lines = str(cause).strip().splitlines()[:1] or ["no reason given"]
    code = getattr(cause, "sqlite_errorcode", None)
    if code is not None:
        return _SQLITE.get(code & 0xFF, f"the database refused: {lines[0]}")
    state = getattr(cause, "sqlstate", None)
    if state is None and isinstance(error, OperationalError):
        return f"{_POSTGRESQL['08']} ({lines[0]})"
    for length in (5, 2):
        if state and state[:length] in _POSTGRESQL:
            return _POSTGRESQL[state[:length]]
    return f"the database refused: {lines[0]}"
