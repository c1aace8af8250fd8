"""The readings of the clock in this round and the last one."""

from datetime import datetime, timedelta

from msgspec import Struct

from adjudicator.desk.model.ports import Books
from adjudicator.desk.model.values import Heartbeat

LARGEST_DRIFT = timedelta(minutes=5)
"""The most that wall clock and boot clock may drift apart between two rounds."""


class ClockReading(Struct, frozen=True, kw_only=True):
    """The instruments that the daemon read in one round."""

    at: datetime
    read_until: datetime | None
    """All postboxes were read to their end at or after this instant; None: not yet."""
    boot: float
    """CLOCK_BOOTTIME in seconds."""
    machine: str = ""
    """The boot to which `boot` belongs: another machine or boot counts from another zero."""


class LastReading(Struct, frozen=True, kw_only=True):
    """The previous round, as a game remembers it."""

    at: datetime
    read: datetime | None
    boot: float
    machine: str


def heartbeat_name(game: str) -> str:
    """Name the heartbeat under which the clock remembers a game."""
    return f"game {game}"


def recall_reading(books: Books, game: str) -> LastReading | None:
    """Recall the previous round; None in the first one."""
    name = heartbeat_name(game)
    beat = next((beat for beat in books.heartbeats() if beat.name == name), None)
    if beat is None:
        return None
    read = beat.facts.get("read")
    return LastReading(
        at=beat.at,
        read=datetime.fromisoformat(read) if read else None,
        boot=beat.boot,
        machine=beat.facts.get("machine", ""),
    )


def store_reading(
    books: Books, game: str, now: ClockReading, before: LastReading | None, *, jumped: bool = False
) -> None:
    """Store this round; letters once read stay read, except when the clock jumps."""
    read = now.read_until
    if before is not None and before.read is not None and not jumped:
        read = before.read if read is None else max(read, before.read)
    facts = {"read": read.isoformat() if read else None, "machine": now.machine}
    books.save(Heartbeat(name=heartbeat_name(game), at=now.at, boot=now.boot, facts=facts))


def clock_jump(before: LastReading | None, now: ClockReading) -> timedelta | None:
    """Measure how far the wall clock jumped since the last round; None if it did not."""
    if before is None:
        return None
    passed = now.at - before.at
    if before.machine == now.machine and now.boot >= before.boot:
        off = passed - timedelta(seconds=now.boot - before.boot)
        return off if abs(off) > LARGEST_DRIFT else None
    return passed if passed < -LARGEST_DRIFT else None  # after a reboot only a jump back shows
