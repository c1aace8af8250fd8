"""Problems with a database, each in one line that names the way out."""

import re
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

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


_NO_SUCH = "a reference to a game, seat or step that does not exist"
_SQLITE = {
    sqlite3.SQLITE_CONSTRAINT: _NO_SUCH,
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
    "23": _NO_SUCH,
    "25006": "the server accepts no writes now; name the one that does",
    "40": "another program got in the way; try again",
    "42501": "the user lacks the permission; grant it or name another user in the URL",
    "53100": "the server's disk is full; make room and try again",
    "53": "the server has no free connection; try again later",
    "55P03": f"another program has held a game for {LOCKED_SECONDS} seconds;"
    " wait for it to end and try again",
    "57": "the server shut down in the middle; nothing was changed, try again when it is back",
}


@contextmanager
def translate_errors(name: str, *errors: type[Exception]) -> Iterator[None]:
    """Translate what these errors, SQLite's or a damaged row say of this database."""
    try:
        yield
    except Exception as error:
        cause: Exception = getattr(error, "orig", None) or error  # SQLAlchemy wraps the driver's
        if not isinstance(cause, (sqlite3.Error, DamagedRowError, *errors)):
            raise
        raise StoreTrouble(f"{name}: {_explain(cause)}") from error


def _explain(cause: Exception) -> str:
    if isinstance(cause, DamagedRowError):
        return f"it is damaged, {cause}"
    lines = str(cause).strip().splitlines()[:1] or ["no reason given"]
    if isinstance(cause, sqlite3.Error):
        code = getattr(cause, "sqlite_errorcode", 0) & 0xFF
        return _SQLITE.get(code, f"the database refused: {lines[0]}")
    if not hasattr(cause, "sqlstate"):  # of a connection cut while a part was undone
        return "the connection was lost in the middle; nothing was changed, try again"
    state, kinds = cause.sqlstate, [one.__name__ for one in type(cause).__mro__]
    if state is None and "OperationalError" in kinds:  # psycopg is not there for everybody
        return f"{_POSTGRESQL['08']} ({lines[0]})"
    for length in (5, 2):
        if state and state[:length] in _POSTGRESQL:
            return _POSTGRESQL[state[:length]]
    return f"the database refused: {lines[0]}"


# URLs that are no databases

_URL = "postgresql://user@host:port/name"
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{0,30}(?=://)")
_ADDRESS = re.compile(r":.*@", re.DOTALL)
_PASSWORD = re.compile(r"pass(word|wd)?\s*=", re.IGNORECASE)


def refuse_url(url: str) -> StoreTrouble:
    """Make the error for a URL that is no database of ours, without repeating a password in it."""
    scheme = _SCHEME.match(url)
    begins = f"it begins with {scheme[0]}://, " if scheme else ""
    return StoreTrouble(
        f"cannot read the database's URL: {begins}expected a file, {_URL} or sqlite:///file; "
        "write @ in a user or a password as %40"
    )


def is_address(place: str) -> bool:
    """Whether a text names a user with a password, or a server, rather than a file."""
    return "://" in place or bool(_ADDRESS.search(place) or _PASSWORD.search(place))


def has_password(url: str) -> bool:
    """Whether a database's URL holds a password."""
    return bool(_ADDRESS.search(url.partition("://")[2]) or _PASSWORD.search(url))
