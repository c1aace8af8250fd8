"""Signs of life: a daemon keeps its row, shares the postboxes with others, and reads one clock."""

import socket
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from datetime import UTC, datetime, timedelta
from functools import partial

from adjudicator.adapters.store.databases import CLOCK_NEWS, POST_NEWS
from adjudicator.adapters.store.trouble import StoreTrouble
from adjudicator.cli.serving.lease import Lease
from adjudicator.cli.serving.members import (
    BOX,
    FORGOTTEN,
    UNREAD,
    BoxReading,
    boot_seconds,
    find_readings,
    list_members,
    name_unread,
    store_box,
)
from adjudicator.cli.serving.runtime import Runtime, Worker
from adjudicator.desk.model.epochs import find_other_secret
from adjudicator.desk.model.ports import Books

_BEAT, _LULL = 5.0, 1.0
"""Seconds between two signs of life of a daemon beside others, at most and at least.

A few may fail before it is dead.
"""
_STUCK = timedelta(minutes=1)
"""A daemon that could not read a postbox for so long leaves it to another that may."""
_EAR, _DEAF = 1.0, 5.0
"""Seconds of a wait for news, for which a stop has to wait, too, and of a pause after a failure."""
_HANDED_ON = timedelta(minutes=1)
"""A postbox that nobody reads for so long was not just handed on to another daemon."""
_MISSED = timedelta(minutes=10)
"""So long after that the GM gets a letter."""
_GONE = (
    f"If it is gone for good, do nothing: {FORGOTTEN // timedelta(hours=1)} hours after its daemon "
    "was last seen, games go on without it."
)
LARGEST_ERROR = timedelta(seconds=30)
"""How far the clock of a daemon's machine may be off the database's."""
CLOCK_PLACE = f"clock of {socket.gethostname()}"


class Keeper:
    """The task that says that the daemon lives, and finds out what the others do."""

    def __init__(self, runtime: Runtime, lease: Lease) -> None:
        self._runtime = runtime
        self._lease = lease
        self._worker = Worker("keeper") if lease.is_shared else runtime.writer
        self._unread: dict[str, datetime] = {}
        """The postboxes that no daemon reads, and since when."""

    async def run(self) -> None:
        """Give signs of life until everything stops."""
        runtime, pause = self._runtime, float(self._runtime.settings.round)
        longest = min(pause, _BEAT) if self._lease.is_shared else pause
        shortest = min(longest, _LULL) if self._lease.is_shared else pause
        while not runtime.stop.is_set():
            await runtime.pause(shortest)
            await runtime.pause(longest - shortest, runtime.sign)
            try:
                await self.beat()
            except StoreTrouble:
                await runtime.recover()

    async def close(self) -> None:
        """Stop; a sign of life under way may finish."""
        if self._worker is not self._runtime.writer:
            self._worker.end()

    async def beat(self) -> None:
        """Give a sign of life, and share the postboxes; raises LeaseLost, and Refused.

        Refused means that the books belong to another home by now, or are older than they were.
        """
        runtime = self._runtime
        await set_clock(runtime, self._worker)
        at, boot = runtime.now(), boot_seconds()
        own = {
            runtime.boxes[name]: BoxReading(until=until, waits=runtime.list_waiting(name))
            for name, until in runtime.read_until.items()
            if name in runtime.boxes
        }
        troubles = runtime.troubles.now()
        problems = [one.facts() for one in troubles.values()]
        stuck = {
            box
            for name, box in runtime.boxes.items()
            if name in troubles and at - troubles[name].since > _STUCK
        }

        def work(books: Books) -> tuple[int, frozenset[str], Mapping[str, BoxReading]]:
            place = str(runtime.office.home.secret_file)
            if fault := find_other_secret(books, runtime.secret, place):
                raise fault
            number = self._lease.renew(
                books,
                at=at,
                boot=boot,
                problems=problems,
                roles=runtime.roles,
                boxes={box: name for name, box in runtime.boxes.items()},
            )
            claimable = sorted(own.keys() - self._find_yielded(books, stuck, at))
            boxes_held = frozenset(
                box for box in claimable if self._lease.claim(books, BOX + box, at=at)
            )
            for box in sorted(boxes_held & runtime.held):
                store_box(books, box, self._lease.owner, own[box])
            return number, boxes_held, find_readings(books, at, boxes_held)

        number, boxes_held, elsewhere = await runtime.write(work, self._worker)
        self._lease.round = number
        await self._worker.do(partial(runtime.office.record_round, number))
        self._share_boxes(boxes_held, elsewhere, until=boot + self._lease.length.total_seconds())
        runtime.recovered()
        await self._report_unread(at)

    def _share_boxes(
        self, boxes_held: frozenset[str], elsewhere: Mapping[str, BoxReading], *, until: float
    ) -> None:
        """Note how far others have read, and wake the clock if it may have waited for that."""
        runtime = self._runtime
        before = runtime.find_read_until()
        runtime.share_boxes(boxes_held, elsewhere, until=until)
        now = runtime.find_read_until()
        if now is not None and now != before and elsewhere:
            runtime.whole = runtime.whole or before is None
            runtime.clock.set()

    async def _report_unread(self, at: datetime) -> None:
        """Report the postboxes that no daemon reads, for which every deadline waits."""
        runtime = self._runtime
        elsewhere = runtime.elsewhere.items()
        unread = {name_unread(box) for box, reading in elsewhere if not reading.has_reader}
        for place in self._unread.keys() - unread:
            runtime.troubles.end(place, at)
        self._unread = {place: self._unread.get(place, at) for place in unread}
        for place, since in sorted(self._unread.items()):
            if at - since < _HANDED_ON:
                continue
            runtime.troubles.begin(place, UNREAD, at)
            lines = (f"{place}: {UNREAD}.", _GONE)
            await runtime.mail_gm(place, "A postbox is not read by any daemon", lines, _MISSED)

    def _find_yielded(
        self, books: Books, stuck: AbstractSet[str], at: datetime
    ) -> AbstractSet[str]:
        """Find the postboxes that this daemon cannot read and leaves to others who may.

        If nobody has taken one for as long as a lease lasts, this daemon tries again.
        """
        if not stuck:
            return stuck
        others = {
            box
            for one in list_members(books)
            if one.owner != self._lease.owner and one.lives(at) and "post-in" in one.roles
            for box in one.boxes
        }
        free = {one.name for one in books.claims() if one.until <= at - self._lease.length}
        return {box for box in stuck & others if BOX + box not in free}


async def set_clock(runtime: Runtime, worker: Worker) -> None:
    """Set the daemon's clock by the database's, if it is one for all, and report a wrong one."""
    at = await runtime.ask(runtime.office.store.read_clock, worker)
    if at is None:
        return
    runtime.set_clock(at, boot_seconds())  # rather late than early: what is due can wait
    off = datetime.now(UTC) - at
    runtime.is_clock_wrong = abs(off) > LARGEST_ERROR
    if not runtime.is_clock_wrong:
        runtime.troubles.end(CLOCK_PLACE, at)
        return
    direction = "ahead of" if off > timedelta() else "behind"
    words = (
        f"it is {abs(round(off.total_seconds()))} seconds {direction} the database's; correct "
        "the wrong one; until then this daemon closes no step"
    )
    runtime.troubles.begin(CLOCK_PLACE, words, at)


class Listener:
    """The task that wakes the daemon when others have queued letters or changed games."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._worker = Worker("listener")

    async def run(self) -> None:
        """Listen until everything stops; what is missed meanwhile is found by the next look."""
        runtime = self._runtime
        while not runtime.stop.is_set():
            try:
                news = await self._worker.do(partial(runtime.office.store.await_news, _EAR))
            except StoreTrouble:
                await runtime.pause(_DEAF)
                continue
            if POST_NEWS in news:
                runtime.post.set()
            if CLOCK_NEWS in news:
                runtime.clock.set()

    async def close(self) -> None:
        """Stop listening."""
        self._worker.end()
