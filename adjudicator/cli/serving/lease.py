"""What a daemon holds while it serves: its row in the books, claims, and the lock of its home.

Books in a file have one daemon at a time, books on a server any number. filelock empties its file
when it tries the lock; here the file names the process that holds it.
"""

import fcntl
import os
import secrets
import socket
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Self

from msgspec.structs import asdict, replace

from adjudicator.cli.serving.members import (
    DAEMON,
    FORGOTTEN,
    ROLES,
    Member,
    identify_machine,
    list_members,
)
from adjudicator.desk.model.deadlines import format_deadline
from adjudicator.desk.model.epochs import count_rounds, explain_round
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.mail import Claim
from adjudicator.desk.model.ports import Books
from adjudicator.desk.model.values import Heartbeat

LOCK_FILE = "serve.lock"
LENGTH = timedelta(minutes=2)
"""A daemon that serves alone and was unresponsive for so long has lost its lease."""
SHARED_LENGTH = timedelta(seconds=20)
"""A daemon beside others that was unresponsive for so long counts as dead: others take its work."""
_START = "start"
"""The claim that makes daemons start one after the other."""


class HomeTaken(Refused):
    """Another daemon serves this home."""

    def __init__(self, message: str, holder: str) -> None:
        super().__init__(message)
        self.holder = holder


class LeaseLost(Refused):
    """Another daemon took the lease while this one was unresponsive."""


class Lease:
    """A lease held from `take` to `give_back`; the system frees the lock of a killed process."""

    def __init__(self, home: Path, *, at: datetime, shared: bool) -> None:
        self.owner = secrets.token_hex(8)
        self.is_shared = shared
        self.round = 0
        """How many rounds the daemons of these books have made."""
        self.left: tuple[Mapping[str, Any], ...] = ()
        """The problems of the daemon before this one."""
        self._home = str(home)
        self._began = at
        self._handle = None if shared else _lock_home(home / LOCK_FILE)

    @classmethod
    def take(
        cls,
        home: Path,
        books: Books,
        *,
        at: datetime,
        boot: float,
        shared: bool = False,
        roles: Sequence[str] = ROLES,
    ) -> Self:
        """Take the lease, alone or `shared` with others; raises HomeTaken."""
        lease = cls(home, at=at, shared=shared)
        try:
            books.claim(Claim(name=_START, owner=lease.owner, until=at), at)
            members = list_members(books)
            lease._require_room(members, at)
            former = lease._list_former(members, at)
            lease.left = tuple({p["place"]: p for one in former for p in one.problems}.values())
            lease.round = lease._save(books, lease._describe(at, roles, {}, lease.left), boot=boot)
            _bury(books, at, followed={one.owner for one in former})
        except BaseException:
            lease.unlock()
            raise
        return lease

    def renew(
        self,
        books: Books,
        *,
        at: datetime,
        boot: float,
        problems: Sequence[Mapping[str, Any]],
        roles: Sequence[str] = ROLES,
        boxes: Mapping[str, str] = {},
    ) -> int:
        """Extend the lease; returns the number of the round, which counts once it is committed.

        Raises LeaseLost, and Refused where the books have become older than the lease.
        """
        members = list_members(books)
        others = [one for one in members if one.owner != self.owner and one.lives(at)]
        if taker := next((one for one in others if one.alone or not self.is_shared), None):
            raise LeaseLost(_describe_holder(taker))
        if self.round > count_rounds(books) + 1:
            raise explain_round(self._home)
        number = self._save(books, self._describe(at, roles, boxes, problems), boot=boot)
        # where ours was late, so may be those of others who live: the database was away
        in_time = any(one.owner == self.owner and one.until > at for one in members)
        former = [one for one in self._list_former(members, at) if one.boxes.keys() <= boxes.keys()]
        if in_time and (former or any(_awaits_burial(one, at) for one in members)):
            books.claim(Claim(name=_START, owner=self.owner, until=at), at)
            _bury(books, at, followed={one.owner for one in former})
        return number

    def claim(self, books: Books, name: str, *, at: datetime) -> bool:
        """Claim something for as long as the lease lasts."""
        return books.claim(Claim(name=name, owner=self.owner, until=at + self.length), at)

    @property
    def length(self) -> timedelta:
        """How long the lease lasts if it is not renewed."""
        return SHARED_LENGTH if self.is_shared else LENGTH

    def give_back(self, books: Books, *, at: datetime, boot: float) -> None:
        """Give the lease back, so that nobody need wait for what this daemon held."""
        books.release_claims(self.owner)
        books.release_letters(self.owner)
        own = next((one for one in list_members(books) if one.owner == self.owner), None)
        if own is not None:
            self._save(books, replace(own, until=at, seen=at), boot=boot)

    def unlock(self) -> None:
        """Release the lock on the machine."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

    def _require_room(self, members: Sequence[Member], at: datetime) -> None:
        """Require that nobody else serves, or that all can share; who had our lock is dead."""
        for one in members:
            shares = self.is_shared and not one.alone
            if one.lives(at) and not shares and not self._was_locked_by(one):
                raise HomeTaken(_describe_holder(one), one.words)

    def _was_locked_by(self, one: Member) -> bool:
        here = (socket.gethostname(), self._home)
        return one.alone and self._handle is not None and (one.host, one.home) == here

    def _list_former(self, members: Sequence[Member], at: datetime) -> Sequence[Member]:
        """List those whose place this daemon takes: alone of all, else of the dead of its home.

        One that was killed elsewhere, as in a container, is known to be dead only after a while.
        """
        if not self.is_shared:
            return [one for one in members if one.owner != self.owner]
        place = (socket.gethostname(), self._home)
        here = [one for one in members if (one.host, one.home) == place and not one.lives(at)]
        return [one for one in here if one.owner != self.owner and one.seen <= self._began]

    def _describe(
        self,
        at: datetime,
        roles: Sequence[str],
        boxes: Mapping[str, str],
        problems: Sequence[Mapping[str, Any]],
    ) -> Member:
        return Member(
            owner=self.owner,
            host=socket.gethostname(),
            home=self._home,
            pid=os.getpid(),
            machine=identify_machine(),
            roles=tuple(roles),
            boxes=boxes,
            problems=list(problems),
            began=self._began,
            until=at + self.length,
            alone=not self.is_shared,
            seen=at,
        )

    def _save(self, books: Books, member: Member, *, boot: float) -> int:
        number = count_rounds(books) + 1
        _save_member(books, replace(member, round=number), boot=boot)
        return number


def _save_member(books: Books, member: Member, *, boot: float = 0.0) -> None:
    facts = asdict(member) | {
        "until": member.until.isoformat(),
        "began": member.began.isoformat(),
    }
    del facts["seen"]
    books.save(Heartbeat(name=DAEMON + member.owner, at=member.seen, boot=boot, facts=facts))


def _bury(books: Books, at: datetime, followed: AbstractSet[str] = frozenset()) -> None:
    """Release what dead daemons held; forget those of long ago, and those that are followed."""
    members = list_members(books)
    living = {one.owner for one in members if one.lives(at)} - followed
    owners = {claim.owner for claim in books.claims()} | set(books.letter_holders())
    for owner in sorted(owners - living):
        books.release_letters(owner)
        books.release_claims(owner)
    for one in members:
        if one.owner in followed or (one.owner not in living and _is_long_ago(one, at)):
            books.forget_heartbeat(DAEMON + one.owner)
        elif one.owner not in living and not one.is_buried:
            _save_member(books, replace(one, is_buried=True))
    books.forget_heartbeat(DAEMON.strip())  # of the one daemon that older releases had


def _awaits_burial(one: Member, at: datetime) -> bool:
    """Whether a dead daemon still holds something, or is to be forgotten."""
    return not one.lives(at) and (not one.is_buried or _is_long_ago(one, at))


def _is_long_ago(one: Member, at: datetime) -> bool:
    """Whether nobody waits for what a dead daemon read any more."""
    return at - one.seen > FORGOTTEN


def _describe_holder(one: Member) -> str:
    return (
        f"another daemon serves these games: {one.words}, home {one.home}; stop it first, or wait "
        f"until {format_deadline(one.until, 'UTC', seconds=True)} if it is dead"
    )


@contextmanager
def locked_home(home: Path) -> Iterator[None]:
    """Lock the home, so that no daemon starts; raises HomeTaken where one has."""
    handle = _lock_home(home / LOCK_FILE)
    try:
        yield
    finally:
        os.close(handle)


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
            f"{path.parent}: {who} already serves this home; stop it first, or name another home",
            who,
        ) from error
    os.ftruncate(handle, 0)
    os.pwrite(handle, f"{os.getpid()}\n".encode(), 0)
    return handle
