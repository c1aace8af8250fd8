"""The readings of the clock in this round and the last one."""

from datetime import datetime, timedelta

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.desk.model.ports import Books
from adjudicator.desk.model.values import Heartbeat

LARGEST_DRIFT = timedelta(minutes=5)
"""The most that wall clock and boot clock may drift apart between two rounds."""
SHORTEST_OUTAGE = timedelta(minutes=15)
"""The shortest time without mail that the settings of a game can call an outage.

It is longer than two rounds of the slowest daemon: each deadline falls between two rounds, and
would move for ever where that pause is an outage.
"""


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
    """The previous round, as the clock or a game remembers it."""

    at: datetime
    read: datetime | None
    boot: float
    machine: str
    round: int = 0
    """Its number, which never falls, as instants do when a clock is put back."""
    is_held: bool = False
    """Whether the game has stood still since then, whatever rounds there were for others."""


def name_heartbeat(game: str) -> str:
    """Name the heartbeat under which the clock remembers a game."""
    return f"game {game}"


def recall_reading(books: Books, name: str) -> LastReading | None:
    """Recall the reading kept under this name, if any."""
    beat = books.heartbeat(name)
    if beat is None:
        return None
    read = beat.facts.get("read")
    return LastReading(
        at=beat.at,
        read=datetime.fromisoformat(read) if read else None,
        boot=beat.boot,
        machine=beat.facts.get("machine", ""),
        round=beat.facts.get("round", 0),
        is_held=beat.facts.get("held", False),
    )


def store_reading(books: Books, name: str, reading: LastReading) -> None:
    """Store a reading under this name."""
    facts = {
        "read": reading.read.isoformat() if reading.read else None,
        "machine": reading.machine,
        "round": reading.round,
        "held": reading.is_held,
    }
    books.save(Heartbeat(name=name, at=reading.at, boot=reading.boot, facts=facts))


def follow_reading(
    before: LastReading | None, now: ClockReading, last: LastReading | None
) -> LastReading:
    """Make what the round after the last one leaves.

    Letters once read stay read, except when the clock jumps.
    """
    read, number = now.read_until, last.round + 1 if last else 0
    if before is not None and before.read is not None and measure_clock_jump(before, now) is None:
        read = before.read if read is None else max(read, before.read)
    return LastReading(at=now.at, read=read, boot=now.boot, machine=now.machine, round=number)


def find_previous_reading(
    own: LastReading | None, last: LastReading | None, created: datetime
) -> LastReading | None:
    """Find the previous round of a game: its own, or a later one in which nothing was due in it.

    A game has none before its first round, and has stood still since one that is held.
    """
    if last is None or (own is not None and (own.is_held or own.round > last.round)):
        return own
    return last if own is not None or last.at > created else None


def hold_reading(books: Books, game: str, last: LastReading | None) -> None:
    """Note that a game stands still from this round on, unless it does already."""
    name = name_heartbeat(game)
    before = find_previous_reading(recall_reading(books, name), last, books.game(game).created)
    if before is not None and not before.is_held:
        store_reading(books, name, replace(before, is_held=True))


def is_quiet(before: LastReading | None, now: ClockReading) -> bool:
    """Whether nothing has happened since the previous round that could matter to every game."""
    if before is None or measure_clock_jump(before, now) is not None:
        return False
    if now.read_until is None:
        return True
    return before.read is not None and now.read_until - before.read < SHORTEST_OUTAGE


def measure_clock_jump(before: LastReading | None, now: ClockReading) -> timedelta | None:
    """Measure how far the wall clock jumped since the last round; None if it did not."""
    if before is None:
        return None
    passed = now.at - before.at
    if before.machine == now.machine and now.boot >= before.boot:
        off = passed - timedelta(seconds=now.boot - before.boot)
        return off if abs(off) > LARGEST_DRIFT else None
    return passed if passed < -LARGEST_DRIFT else None  # after a reboot only a jump back shows
