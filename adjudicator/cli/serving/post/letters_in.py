"""Fetch incoming letters, process each in a transaction, and only then remove it."""

import time
from collections.abc import Collection, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial

from adjudicator.adapters.mail.inbound.glance import glance
from adjudicator.adapters.mail.inbound.letter import parse_letter
from adjudicator.adapters.mail.troubles import Backoff
from adjudicator.adapters.store.trouble import StoreTrouble
from adjudicator.cli.serving.log import Log, describe_error, locate_error
from adjudicator.cli.serving.post.quarantine import (
    QUARANTINE_FOLDER,
    SUSPECT,
    Marker,
    Patience,
    is_deadly,
    make_unread_letter,
    set_aside,
)
from adjudicator.cli.serving.runtime import Runtime, Worker
from adjudicator.core.document import Seat
from adjudicator.desk.inbox.reading_order import NOBODY_KNOWN, find_party, order_by_writer
from adjudicator.desk.inbox.receive import REPEAT, receive_letter
from adjudicator.desk.model.deadlines import format_deadline
from adjudicator.desk.model.errors import Changed, LockedOut
from adjudicator.desk.model.history import trace_id
from adjudicator.desk.model.mail import IncomingLetter, Parcel
from adjudicator.desk.model.ports import Books, Look, Postbox
from adjudicator.desk.model.values import Arrival

_WAIT = 1.0
"""Seconds for which a postbox may wait; a stop has to wait for it, too."""
_BATCH = 5
"""Letters after which the next look is due: a player may have written."""
_HANDFUL = 0.5
"""Seconds after which it is due in a crowded postbox, however few were read."""
_GLANCES = 100
"""Letters of a flood that are glanced at in one look, half of them the newest."""
_LONG = timedelta(hours=1)
"""How long a postbox may be unreadable before the GM gets a notice."""


class _ReadingOrder:
    """The order in which a crowded postbox is read."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._parties: dict[str, str] = {}
        self._kept: Collection[str] = ()
        self.is_crowded = False
        self.is_sure = True
        """Whether each letter that waits was looked at."""

    def begin(self, lingering: Collection[str]) -> None:
        """Start a new look at the postbox, in which these letters are there for a reason."""
        self._kept = lingering
        self.is_crowded, self.is_sure = False, True

    def choose(self, waiting: Sequence[str], look: Look) -> Sequence[str]:
        """Choose letters of players first, in turn; strangers wait until all were looked at.

        Each is looked at once, and few in one look: a flood must not hold up who writes meanwhile.
        """
        self.is_crowded = True
        runtime, house = self._runtime, self._runtime.settings.house
        lingering = [one for one in waiting if one in self._kept]
        others = [one for one in waiting if one not in self._kept]
        new = [one for one in others if one not in self._parties]
        few = _GLANCES // 2
        now = [one for one in lingering if one not in self._parties]
        now += new if len(new) <= _GLANCES else [*new[:few], *new[-few:]]
        self.is_sure = len(new) <= _GLANCES
        parties = {one: self._parties.get(one, NOBODY_KNOWN) for one in (*lingering, *others)}
        with runtime.office.store.reading() as books:
            for one, beginning in look(now) if now else ():
                parties[one] = find_party(books, runtime.secret, house, glance(beginning))
        letters_known = self._parties.keys() | now
        self._parties = {one: party for one, party in parties.items() if one in letters_known}
        order = order_by_writer(others, parties)
        return [*lingering, *(order if self.is_sure else filter(parties.get, order))]

    def is_known(self, name: str) -> bool:
        """Whether a letter seems to be from a player."""
        return bool(self._parties.get(name))


class LettersIn:
    """One postbox and the thread that it blocks."""

    def __init__(self, runtime: Runtime, name: str, postbox: Postbox) -> None:
        self.name = name
        self._runtime = runtime
        self._postbox = postbox
        self._worker = Worker(name)
        self._patience = Patience()
        self._reading_order = _ReadingOrder(runtime)
        place = runtime.office.home.path / QUARANTINE_FOLDER / f".{name.replace(' ', '-')}"
        self._marker = Marker(place)
        self._backoff = Backoff(first=1.0, most=15.0)
        self._asked = 0.0
        self._can_wait = True
        """Whether the last wait ended well: a trouble lasts until reading and waiting work."""
        self._taken_in: dict[str, Log] = {}
        """Letters that are in the books, but that the postbox may still hold; each with its way."""
        self._waiting: set[str] = set()
        """Letters that are left where they are, since the rules of their game have changed."""
        self._flagged: set[str] = set()
        """Those of them of which the postbox was told."""
        self._stuck = 0
        """How many of these it held all the same."""
        self._changed_games = False
        """Whether letters have done so since the postbox was last read to its end."""
        runtime.read_until[name] = None

    async def run(self) -> None:
        """Read letters until everything stops."""
        runtime = self._runtime
        while not runtime.stop.is_set():
            if not runtime.may_read(self.name):
                await self._stand_by()
                continue
            try:
                await self._look()
            except StoreTrouble:
                await runtime.recover()
            except Exception as error:  # whatever failed, the postbox is checked again
                locked = isinstance(error, LockedOut)
                await self._report_away(describe_error(error), locked=locked)

    async def _stand_by(self) -> None:
        """Leave the postbox to the daemon that reads it now."""
        runtime = self._runtime
        with suppress(Exception):  # it need not be left in order
            await self._worker.do(self._postbox.close)
        while not (runtime.stop.is_set() or runtime.may_read(self.name)):
            await runtime.pause(_WAIT)
            if runtime.is_read_elsewhere(self.name):
                self._end_trouble()

    async def _look(self) -> None:
        """Read what is there, or wait if there is nothing."""
        more = await self.read_box()
        if self._can_wait:
            self._end_trouble()
        if not more:
            self._can_wait = False
            await self._wait()
            self._can_wait = True
            self._end_trouble()

    def _end_trouble(self) -> None:
        self._backoff.worked()
        self._runtime.troubles.end(self.name, self._runtime.now())

    async def _report_away(self, words: str, *, locked: bool) -> None:
        """Report an unreachable server to the log at once and the GM after an hour; pauses grow.

        If only the GM can help, there is nothing to wait for.
        """
        runtime = self._runtime
        runtime.troubles.begin(self.name, words, runtime.now())
        # this notice may itself have to wait
        since = format_deadline(runtime.troubles.now()[self.name].since, "UTC")
        lines = (
            f"Since {since}, no letters could be fetched: {words}.",
            "Nothing is lost. Deadlines that fall into this time will be moved when it is over.",
        )
        after = timedelta() if locked else _LONG
        await runtime.mail_gm(self.name, f"{self.name} cannot be read", lines, after=after)
        self._backoff.failed(time.monotonic())
        await runtime.pause(self._backoff.count_seconds(time.monotonic()))

    async def close(self) -> None:
        """Log out of the server."""
        await self._worker.do(self._postbox.close)
        self._worker.end()

    async def read_box(self) -> bool:
        """Look into the postbox once; returns True if there may be more to do at once."""
        runtime = self._runtime
        began = runtime.now()
        self._asked = time.monotonic()
        # letters already read, and those that must wait, don't hold up the others
        unsure = self._stuck + len(self._taken_in) - len(self._flagged)
        limit = _BATCH + unsure + len(self._patience) + len(self._waiting)
        order = self._reading_order
        order.begin({*self._taken_in, *self._waiting})
        parcels = await self._worker.do(partial(self._postbox.fetch, limit, order.choose))
        there = {parcel.id for parcel in parcels}
        for name in self._waiting - there:
            self._end_wait(name)
        self._taken_in = {one: log for one, log in self._taken_in.items() if one in there}
        self._flagged &= there
        self._stuck = len(self._flagged)
        news = [one for one in parcels if one.id not in self._taken_in and self._is_free(one.id)]
        # what is left in a crowded postbox doesn't seem to be from players
        only_strangers = order.is_crowded and bool(news) and not order.is_known(news[0].id)
        if order.is_sure and (only_strangers or (not news and len(parcels) < limit)):
            self._reach_end(began)
        until = time.monotonic() + _HANDFUL
        try:
            for parcel in news:
                if runtime.stop.is_set() or (order.is_crowded and time.monotonic() > until):
                    break
                if self._patience.ripe(parcel.id):
                    await self._take(parcel)
        finally:
            handled = sorted(self._taken_in)
            if handled:
                await self._worker.do(partial(self._postbox.file_away, handled))
                self._patience.forget(handled)
            for one in set(handled) - self._flagged:
                self._taken_in[one].info("letter done with", postbox=self.name)
            self._flagged.update(handled)
        return bool(handled) or not order.is_sure

    def _reach_end(self, began: datetime) -> None:
        """Record that everything that had arrived before this look has been read."""
        runtime = self._runtime
        is_first, is_awaited = runtime.read_until[self.name] is None, runtime.is_awaited(self.name)
        runtime.read_until[self.name] = began
        if is_first:
            runtime.whole = True  # steps that are due were waiting for this
        if is_first or is_awaited or self._changed_games:  # no step closes before all are read
            self._changed_games = False
            runtime.clock.set()
            runtime.sign.set()

    async def _take(self, parcel: Parcel) -> None:
        """Record the effects of the letter, or retry it later."""
        home, suspect = self._runtime.office.home.path, self._marker.begin(parcel.id) >= SUSPECT
        if suspect and await self._worker.do(partial(is_deadly, home, parcel.readable)):
            letter = make_unread_letter(self.name, parcel, "it ends the program that reads it")
            await self._set_aside(parcel, letter, "the program that reads it ends")
            self._marker.end()
            return
        try:
            await self._receive(parcel)
        finally:
            self._marker.end()

    async def _receive(self, parcel: Parcel) -> None:
        runtime = self._runtime
        letter = await self._worker.do(partial(parse_letter, parcel.readable, parcel.size))
        log = self._log(letter)
        log.info("letter fetched", postbox=self.name, bytes=parcel.size)
        log.info(
            "letter read",
            blocks=len(letter.blocks),
            problems=len(letter.problems) or None,
            automatic=letter.automatic,
            bounced=len(letter.bounced) or None,
        )
        at = runtime.now()

        def work(books: Books) -> tuple[Arrival, Sequence[tuple[str, Seat, int]]]:
            received = receive_letter(
                books,
                runtime.office.library,
                letter,
                house=runtime.settings.house,
                secret=runtime.secret,
                arrived=parcel.arrived,
                at=at,
            )
            return received, books.caused(trace_id(letter.message_id, letter.digest))

        try:
            received, caused = await runtime.write(work)
        except StoreTrouble:
            raise
        except Changed as change:
            self._begin_wait(parcel.id, change.game, log)
            return
        except Exception as error:  # one letter must not keep the others from being read
            await self._failed(parcel, letter, locate_error(error))
            return
        effects = ", ".join(f"{kind} {number} to {seat}" for kind, seat, number in caused)
        log.info(
            "letter in",
            game=received.game,
            seat=received.seat,
            outcome=received.outcome,
            reason=received.reason or None,
            caused=(effects or None) if received.outcome != REPEAT else None,
        )
        self._taken_in[parcel.id] = log
        self._end_wait(parcel.id)
        runtime.post.set()
        self._changed_games |= bool(received.game)

    def _begin_wait(self, parcel: str, game: str, log: Log) -> None:
        """Leave the letter in the postbox until its game continues."""
        runtime = self._runtime
        if parcel not in self._waiting:
            log.info("letter waits", game=game, reason="the rules have changed")
        self._waiting.add(parcel)
        runtime.waiting[f"{self.name} {parcel}"] = game
        runtime.stopped.add(game)
        runtime.clock.set()  # so that the GM is notified

    def _end_wait(self, parcel: str) -> None:
        self._waiting.discard(parcel)
        self._runtime.waiting.pop(f"{self.name} {parcel}", None)

    def _is_free(self, parcel: str) -> bool:
        """Whether a letter that waited for its game can be read now."""
        game = self._runtime.waiting.get(f"{self.name} {parcel}")
        return game is None or game not in self._runtime.stopped

    def _log(self, letter: IncomingLetter) -> Log:
        """Return a log bound to the letter's trace id."""
        return self._runtime.log.bind(trace=trace_id(letter.message_id, letter.digest))

    async def _failed(self, parcel: Parcel, letter: IncomingLetter, error: str) -> None:
        """Retry the letter later; after several failures, set it aside and notify the GM."""
        pause = self._patience.failed(parcel.id)
        if pause is None:
            await self._set_aside(parcel, letter, error)
            return
        self._log(letter).error("letter failed", error=error, again_in=f"{pause:.0f}s")

    async def _set_aside(self, parcel: Parcel, letter: IncomingLetter, error: str) -> None:
        file = await set_aside(self._runtime, parcel, letter, error)
        log = self._taken_in[parcel.id] = self._log(letter)
        self._end_wait(parcel.id)
        log.error("letter set aside", error=error, kept=file)
        self._runtime.post.set()

    async def _wait(self) -> None:
        """Wait until something may have arrived, or the next look is due anyway."""
        runtime = self._runtime
        while not runtime.stop.is_set():
            if await self._worker.do(partial(self._postbox.wait, _WAIT)):
                return
            if self._patience.any_ripe() or any(map(self._is_free, self._waiting)):
                return
            if runtime.is_awaited(self.name):
                return
            if time.monotonic() - self._asked >= runtime.settings.round:
                return
