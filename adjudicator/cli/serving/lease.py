"""One server for a home: a lock on the machine, and a lease in the books for all machines.

filelock empties its file when it tries the lock; here the file names the process that holds it.
"""

import fcntl
import os
import secrets
import socket
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Self

from adjudicator.desk.model.epochs import ROUND, count_rounds
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.ports import Books
from adjudicator.desk.model.values import Heartbeat

DAEMON = "daemon"
"""The name of the daemon's heartbeat, which is its lease."""
LOCK_FILE = "serve.lock"
LENGTH = timedelta(minutes=2)
"""A daemon that was unresponsive for so long has lost its lease."""


class HomeTaken(Refused):
    """Another daemon serves this home."""


class LeaseLost(Refused):
    """Another daemon took the lease while this one was unresponsive."""


class Lease:
    """A lease held from `take` to `give_back`; the system frees the lock of a killed process."""

    def __init__(self, home: Path) -> None:
        self.owner = secrets.token_hex(8)
        self._facts: dict[str, Any] = {
            "owner": self.owner,
            "host": socket.gethostname(),
            "home": str(home),
            "pid": os.getpid(),
        }
        self.round = 0
        """How many rounds the daemons of these books have made."""
        self.left: tuple[Mapping[str, Any], ...] = ()
        """The problems of the daemon before this one."""
        self._handle = _lock_home(home / LOCK_FILE)

    @classmethod
    def take(cls, home: Path, books: Books, *, at: datetime, boot: float) -> Self:
        """Take the lease; raises Taken."""
        lease = cls(home)
        try:
            holder = _find_holder(books)
            lease._require_free(holder, at)
            lease.round = count_rounds(books)
            lease.left = tuple(holder.facts["problems"]) if holder else ()
            lease._save(books, at=at, boot=boot, problems=lease.left, until=at + LENGTH)
            books.release_letters()
        except BaseException:
            lease.unlock()
            raise
        return lease

    def renew(
        self, books: Books, *, at: datetime, boot: float, problems: Sequence[Mapping[str, Any]]
    ) -> None:
        """Extend the lease; raises Lost."""
        holder = _find_holder(books)
        if holder is not None and holder.facts.get("owner") != self.owner:
            raise LeaseLost(_describe_holder(holder.facts))
        self._save(books, at=at, boot=boot, problems=problems, until=at + LENGTH)

    def give_back(self, books: Books, *, at: datetime, boot: float) -> None:
        """Give the lease back, so that the next daemon need not wait."""
        holder = _find_holder(books)
        if holder is not None and holder.facts.get("owner") == self.owner:
            problems = holder.facts["problems"]
            self._save(books, at=at, boot=boot, problems=problems, until=at)

    def unlock(self) -> None:
        """Release the lock on the machine."""
        os.close(self._handle)

    def _require_free(self, holder: Heartbeat | None, at: datetime) -> None:
        """Require a free lease: given back, expired, or of this home, whose lock we have."""
        if holder is None or datetime.fromisoformat(str(holder.facts["until"])) <= at:
            return
        if any(holder.facts.get(name) != self._facts[name] for name in ("host", "home")):
            raise HomeTaken(_describe_holder(holder.facts))

    def _save(
        self,
        books: Books,
        *,
        at: datetime,
        boot: float,
        problems: Sequence[Mapping[str, Any]],
        until: datetime,
    ) -> None:
        self.round += 1
        facts = {**self._facts, "until": until.isoformat(), "problems": list(problems)}
        facts[ROUND] = self.round
        books.save(Heartbeat(name=DAEMON, at=at, boot=boot, facts=facts))


def _find_holder(books: Books) -> Heartbeat | None:
    return books.heartbeat(DAEMON)


def _describe_holder(facts: Mapping[str, Any]) -> str:
    return (
        f"another daemon serves these games: process {facts.get('pid')} on {facts.get('host')},"
        f" home {facts.get('home')}; stop it first, or wait until {facts.get('until')} if it is"
        " dead"
    )


def _lock_home(path: Path) -> int:
    """Lock the home; the kernel releases it however we end."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise Refused(
            f"cannot open {path}: {error.strerror}; name another home with --home"
        ) from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        pid = os.pread(handle, 20, 0).decode("ascii", "replace").strip()
        os.close(handle)
        who = f"process {pid}" if pid else "another process"
        raise HomeTaken(
            f"{path.parent}: {who} already serves this home; stop it first, or name another home"
        ) from error
    os.ftruncate(handle, 0)
    os.pwrite(handle, f"{os.getpid()}\n".encode(), 0)
    return handle
