"""What the tasks of the daemon share between two starts or reloads."""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeVar

from adjudicator.adapters.mail.troubles import Backoff
from adjudicator.adapters.settings import ServeSettings
from adjudicator.adapters.store.trouble import StoreTrouble
from adjudicator.cli.serving.log import DATABASE_PLACE, Log, Troubles
from adjudicator.cli.serving.members import ROLES, BoxReading, boot_seconds
from adjudicator.cli.wiring import Office
from adjudicator.desk.model.history import act_trace_id
from adjudicator.desk.model.mail import Claim
from adjudicator.desk.model.ports import Books
from adjudicator.desk.outbox.notices import notify_gm

_T = TypeVar("_T")


class Worker:
    """A thread for blocking calls; unlike those of the standard library it does not delay exit."""

    def __init__(self, name: str) -> None:
        self._queue: SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None] = SimpleQueue()
        self._thread = Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    async def do(self, work: Callable[[], _T]) -> _T:
        """Run the work when its turn comes, and return its result."""
        future: Future[_T] = Future()
        self._queue.put((future, work))
        return await asyncio.wrap_future(future)

    def end(self) -> None:
        """Accept no more work; what is under way finishes by itself."""
        self._queue.put(None)

    def _run(self) -> None:
        while (task := self._queue.get()) is not None:
            future, work = task
            if not future.set_running_or_notify_cancel():
                continue
            try:
                result = work()
            except BaseException as error:  # the caller gets it
                future.set_exception(error)
            else:
                future.set_result(result)


_NOTICED = timedelta(hours=1)
"""So long after a notice of one daemon no other daemon mails the GM about the same trouble."""
_TURN = timedelta(hours=1)
"""So long work that one daemon does is its own, unless it ends sooner."""
_FAULTS = (
    "IntegrityError",
    "DataError",
    "ProgrammingError",
    "NotSupportedError",
    "DamagedRowError",
)
"""As every driver calls what no waiting mends (PEP 249), and we what no program wrote."""


@dataclass
class Runtime:
    """The settings in use: the office, the one writing thread, and the events between tasks."""

    office: Office
    settings: ServeSettings
    log: Log
    troubles: Troubles
    writer: Worker
    """All transactions are made here, one after the other."""
    secret: bytes
    stop: asyncio.Event = field(default_factory=asyncio.Event)
    post: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when a letter was queued."""
    clock: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when something happened that may close a step."""
    is_sending: bool = False
    """Whether letters that keep games going are on their way."""
    sent: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when none of them waits any more, or none is taken."""
    sign: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when other daemons may be waiting to hear how far the postboxes were read."""
    awaited: datetime | None = None
    """Something is due as soon as every postbox has been read until this instant."""
    whole: bool = False
    """Whether the next round is a whole one, since a postbox was read to its end at last."""
    waiting: dict[str, str] = field(default_factory=dict)
    """Letters left in their postbox, and the game of each, whose rules have changed."""
    stopped: set[str] = field(default_factory=set)
    """The games of which that was so when the clock last looked."""
    read_until: dict[str, datetime | None] = field(default_factory=dict)
    """For each own postbox, the start of the last reading that found nothing left to do."""
    owner: str = ""
    """Under which name this daemon claims things among others."""
    roles: Sequence[str] = ROLES
    """What this daemon does."""
    boxes: Mapping[str, str] = field(default_factory=dict)
    """What identifies each own postbox, where others may read it, too."""
    held: frozenset[str] = frozenset()
    """Those of them that this daemon reads now."""
    elsewhere: Mapping[str, BoxReading] = field(default_factory=dict)
    """All that it does not read: how far others have read them."""
    is_clock_wrong: bool = False
    """Whether the clock of this machine is not to be trusted."""
    backoff: Backoff = field(default_factory=lambda: Backoff(first=0.5, most=15.0))
    """For the database."""
    failed: float = 0.0
    """When the database did so last."""

    def __post_init__(self) -> None:
        self._held_until = 0.0
        self._clock: tuple[datetime, float] | None = None

    def now(self) -> datetime:
        """Read the clock, once per letter or round, so that the value can be passed on."""
        if self._clock is None:
            return datetime.now(UTC)
        at, boot = self._clock
        return at + timedelta(seconds=boot_seconds() - boot)

    def set_clock(self, at: datetime, boot: float) -> None:
        """Go by a clock that showed this instant at this second since the machine started."""
        self._clock = at, boot

    def may_read(self, name: str) -> bool:
        """Whether one of the own postboxes is this daemon's to read now."""
        box = self.boxes.get(name)
        return box is None or (box in self.held and boot_seconds() < self._held_until)

    def is_read_elsewhere(self, name: str) -> bool:
        """Whether another daemon has read one of the own postboxes since it gave trouble here."""
        reading, trouble = self.elsewhere.get(self.boxes[name]), self.troubles.now().get(name)
        return bool(trouble and reading and reading.until and reading.until > trouble.since)

    def share_boxes(
        self, boxes_held: frozenset[str], elsewhere: Mapping[str, BoxReading], *, until: float
    ) -> None:
        """Note which postboxes are this daemon's until then, and how far others have read."""
        for name, box in self.boxes.items():
            if name in self.read_until and box in boxes_held - self.held:
                self.read_until[name] = None
        self.held, self.elsewhere, self._held_until = boxes_held, elsewhere, until

    def list_readings(self) -> Mapping[str, datetime | None]:
        """List how far each postbox was read, here or elsewhere."""
        own = {
            name: until
            for name, until in self.read_until.items()
            if self.boxes.get(name) not in self.elsewhere
        }
        return {**own, **{box: reading.until for box, reading in self.elsewhere.items()}}

    def find_read_until(self) -> datetime | None:
        """Find the instant until which every postbox was read; None until all have been."""
        readings = self.list_readings().values()
        instants = [until for until in readings if until is not None]
        return min(instants) if instants and len(instants) == len(readings) else None

    def is_awaited(self, name: str) -> bool:
        """Whether something is due that only another look into this postbox holds up."""
        until = self.read_until[name]
        return until is not None and self.awaited is not None and until < self.awaited

    def list_waiting(self, name: str) -> tuple[str, ...]:
        """List the games whose letters are left in one of the own postboxes."""
        return tuple(sorted({g for key, g in self.waiting.items() if key.startswith(f"{name} ")}))

    def list_stopped(self) -> AbstractSet[str]:
        """List the games whose letters are left in any postbox."""
        elsewhere = {game for reading in self.elsewhere.values() for game in reading.waits}
        return elsewhere.union(self.waiting.values())

    async def write(self, work: Callable[[Books], _T], worker: Worker | None = None) -> _T:
        """Run one transaction; StoreTrouble is reported once and raised again.

        An error of the database that retrying cannot help is raised as it is.
        """

        def whole() -> _T:
            with self.office.store.writing() as books:
                return work(books)

        return await self.ask(whole, worker or self.writer)

    async def ask(self, work: Callable[[], _T], worker: Worker) -> _T:
        """Ask the database something, as `write` does."""
        try:
            return await worker.do(work)
        except StoreTrouble as trouble:
            cause = trouble.__cause__
            if cause and any(kind.__name__ in _FAULTS for kind in type(cause).__mro__):
                raise cause from None
            self.troubles.begin(DATABASE_PLACE, str(trouble), self.now())
            self.failed = time.monotonic()
            raise

    async def is_mine(self, work: str) -> bool:
        """Whether this daemon goes on, and no other that shares the books does this work now."""
        if self.stop.is_set() or not self.office.store.is_shared:
            return not self.stop.is_set()
        at = self.now()
        turn = Claim(name=work, owner=self.owner, until=at + _TURN)
        return await self.write(lambda books: books.claim(turn, at))

    async def mail_gm(
        self, place: str, headline: str, lines: Sequence[str], after: timedelta = timedelta()
    ) -> None:
        """Mail the GM about a trouble, once, after this long; not if another daemon just did."""
        at = self.now()
        if not self.troubles.to_mail(place, at, after):
            return

        def work(books: Books) -> None:
            notice = Claim(name=f"notice {place}", owner=self.owner, until=at + _NOTICED)
            if self.owner and not books.claim(notice, at):
                return
            books.because(act_trace_id(f"trouble {place}", at))
            notify_gm(books, self.settings.house, headline, lines, at=at)

        try:
            await self.write(work)
        except StoreTrouble:
            return  # there will be another round
        self.troubles.mark_mailed(place)
        self.post.set()

    async def recover(self) -> None:
        """Pause after a failure of the database; each pause is longer."""
        self.backoff.failed(self.failed)
        await self.pause(self.backoff.count_seconds(time.monotonic()))

    def recovered(self) -> None:
        """Note a successful write; the trouble ends if nothing else fails for a while."""
        if time.monotonic() - self.failed >= 2 * self.settings.round:
            self.backoff.worked()
            self.troubles.end(DATABASE_PLACE, self.now())

    def note_sending(self, *, is_sending: bool) -> None:
        """Note whether letters that keep games going are on their way."""
        self.is_sending = is_sending
        if not is_sending:
            self.sent.set()

    async def let_letters_pass(self, seconds: float) -> None:
        """Pause while such letters are on their way, for this long at most."""
        end = time.monotonic() + seconds
        while self.is_sending and not self.stop.is_set() and time.monotonic() < end:
            await self.pause(end - time.monotonic(), self.sent)

    async def pause(self, seconds: float, wake: asyncio.Event | None = None) -> None:
        """Pause this long, or until something wakes us or everything stops."""
        if self.stop.is_set():
            return
        waits = [asyncio.ensure_future(self.stop.wait())]
        if wake is not None:
            waits.append(asyncio.ensure_future(wake.wait()))
        try:
            await asyncio.wait(waits, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in waits:
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task
        if wake is not None:
            wake.clear()
