"""The daemons that serve the same books: the row of each, what it does, and whether it lives."""

import os
import time
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from msgspec import Struct, convert

from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.ports import Books
from adjudicator.desk.model.values import Heartbeat

ROLES = ("post-in", "clock", "post-out", "site")
"""What a daemon can do: read letters, keep deadlines, send letters, write archives and pages."""
DAEMON = "daemon "
"""Before the owner, in the name of a daemon's heartbeat."""
BOX = "postbox "
"""Before what identifies a postbox, in the name of its heartbeat and of the claim to read it."""
FORGOTTEN = timedelta(days=1)
"""So long the books know of a daemon that is gone, and wait for the postboxes that it listed."""
_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
_PROCESSES = Path("/proc/self/ns/pid")


class Member(Struct, frozen=True, kw_only=True):
    """A daemon, as its row describes it."""

    owner: str
    host: str
    home: str
    pid: int
    machine: str
    """The boot and the table of processes that `pid` belongs to."""
    roles: tuple[str, ...]
    boxes: Mapping[str, str]
    """The postboxes in its settings: what identifies each, and what its log calls it."""
    problems: Sequence[Mapping[str, Any]] = ()
    began: datetime
    until: datetime
    """When it counts as dead if nothing is heard of it."""
    alone: bool = False
    """Whether no other daemon may serve these books beside it."""
    is_buried: bool = False
    """Whether what it held was released after its death."""
    round: int = 0
    seen: datetime

    @property
    def words(self) -> str:
        """What the daemon is called in messages."""
        return f"process {self.pid} on {self.host}"

    def lives(self, at: datetime) -> bool:
        """Whether it showed a sign of life in time, and was not killed on this machine since."""
        return self.until > at and not (self.machine == identify_machine() and is_gone(self.pid))


def choose_roles(only: str | None) -> tuple[str, ...]:
    """Choose what a daemon does: everything, or the roles named here; raises Refused."""
    if only is None:
        return ROLES
    names = [role.strip() for role in only.split(",")]
    for role in names:
        if role not in ROLES:
            raise Refused(
                f"--only: there is no role {role or 'without a name'}; expected some of "
                f"{', '.join(ROLES)}"
            )
    return tuple(role for role in ROLES if role in names)


def list_members(books: Books) -> Sequence[Member]:
    """List the daemons that the books know, those that are gone included."""
    return [convert({**beat.facts, "seen": beat.at}, Member) for beat in books.heartbeats(DAEMON)]


def find_readers(books: Books, members: Iterable[Member], at: datetime) -> Mapping[str, Member]:
    """Find which living daemon reads each postbox."""
    living = {one.owner: one for one in members if one.lives(at)}
    return {
        claim.name.removeprefix(BOX): living[claim.owner]
        for claim in books.claims()
        if claim.name.startswith(BOX) and claim.owner in living and claim.until > at
    }


def find_unserved(members: Iterable[Member], at: datetime) -> tuple[str, ...]:
    """Find the roles that no living daemon has."""
    served = {role for one in members if one.lives(at) for role in one.roles}
    return tuple(role for role in ROLES if role not in served)


UNREAD = "no daemon reads it, so no step closes; start one that has it in its settings"


def name_unread(box: str) -> str:
    """Name the place of the trouble that nobody reads a postbox."""
    return f"postbox {box}"


class BoxReading(Struct, frozen=True, kw_only=True):
    """How far a postbox was read, by whoever reads it."""

    until: datetime | None
    """The start of the last reading that found nothing left to do; None: not yet."""
    waits: tuple[str, ...] = ()
    """The games whose letters are left in it, since their rules have changed."""
    has_reader: bool = True
    """Whether any daemon reads it now."""


def store_box(books: Books, box: str, owner: str, reading: BoxReading) -> None:
    """Store how far this daemon has read a postbox, for the clocks of the others."""
    if reading.until is not None:
        facts = {"reader": owner, "waits": list(reading.waits)}
        books.save(Heartbeat(name=BOX + box, at=reading.until, facts=facts))


def find_readings(
    books: Books, at: datetime, without: AbstractSet[str] = frozenset()
) -> Mapping[str, BoxReading]:
    """Find how far the postboxes in the settings of all daemons were read, by who reads each now.

    One that nobody reads now, or whose reader has not come to its end, holds the clock up.
    """
    members = list_members(books)
    readers = find_readers(books, members, at)
    beats = {beat.name.removeprefix(BOX): beat for beat in books.heartbeats(BOX)}
    readings = {}
    for box in sorted({box for one in members for box in one.boxes} - without):
        facts = beats[box].facts if box in beats else {"reader": "", "waits": []}
        reads = box in readers and readers[box].owner == facts["reader"]
        until = beats[box].at if reads else None
        waits, has_reader = tuple(facts["waits"]), box in readers
        readings[box] = BoxReading(until=until, waits=waits, has_reader=has_reader)
    return readings


def boot_seconds() -> float:
    """Return the seconds since the machine started, including sleep where known."""
    clock = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
    return time.clock_gettime(clock)


def boot_id() -> str:
    """Identify the start of the machine that its boot clock counts from."""
    with suppress(OSError):
        return _BOOT_ID.read_text().strip()
    return ""


def identify_machine() -> str:
    """Identify whose processes ours can see: those of one boot and, in a container, of it alone."""
    with suppress(OSError):
        return f"{boot_id()} {_PROCESSES.readlink()}"
    return boot_id()


def is_gone(pid: int) -> bool:
    """Whether there is no such process on this machine."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except PermissionError:  # another user's process, so it exists
        return False
    return False
