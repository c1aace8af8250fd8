"""Rounds of the clock: read it once, and do what is due in the games whose time has come."""

import socket
import time
from collections.abc import Callable
from datetime import datetime
from functools import partial

from adjudicator.adapters.store.trouble import StoreTrouble
from adjudicator.cli.serving.log import describe_error
from adjudicator.cli.serving.members import boot_id, boot_seconds
from adjudicator.cli.serving.runtime import Runtime
from adjudicator.cli.serving.signs_of_life import CLOCK_PLACE, set_clock
from adjudicator.desk.clock.readings import ClockReading, LastReading, hold_reading
from adjudicator.desk.clock.rounds import Round, begin_round, end_round, look_between
from adjudicator.desk.clock.tick import Ticked, tick
from adjudicator.desk.model.epochs import keep_measure
from adjudicator.desk.model.errors import Changed, Damaged, Unknown
from adjudicator.desk.model.ports import Books
from adjudicator.desk.steps.advance import StepClosing
from adjudicator.desk.steps.lock import lock_context

CLOCK = "clock"
_TAKEN = "Letters are still accepted."
_WAITING = "Letters to it wait in the postbox, and are read when it continues."


class Clockwork:
    """The task for everything that depends on time: deadlines, reminders, outages."""

    def __init__(self, runtime: Runtime, on_closed: Callable[[StepClosing], None]) -> None:
        self._runtime = runtime
        self._closed = on_closed
        self._machine = boot_id()
        self._is_first = True
        self._own: ClockReading | None = None
        self.alive = time.monotonic()
        """When the last round ended."""

    async def run(self) -> None:
        """Run rounds until everything stops."""
        runtime = self._runtime
        next_round = time.monotonic()
        while not runtime.stop.is_set():
            runtime.clock.clear()
            whole = runtime.whole or time.monotonic() >= next_round
            runtime.whole = False
            try:
                await self.round(whole=whole)
            except StoreTrouble:
                self.alive = time.monotonic()
                await runtime.recover()
                continue
            except Exception as error:  # whatever failed, the next round is tried
                runtime.troubles.begin(CLOCK, describe_error(error), runtime.now())
            else:
                runtime.troubles.end(CLOCK, runtime.now())
            self.alive = time.monotonic()
            if whole:
                next_round = self.alive + runtime.settings.round
            await runtime.pause(max(0.0, next_round - time.monotonic()), runtime.clock)

    async def round(self, *, whole: bool) -> None:
        """Go through the games whose time has come; a whole round also notes that it was made."""
        runtime = self._runtime
        await set_clock(runtime, runtime.writer)
        if runtime.is_clock_wrong:
            await self._report_wrong_clock()
            return
        now = ClockReading(
            at=runtime.now(),
            read_until=runtime.find_read_until(),
            boot=boot_seconds(),
            machine=self._machine,
        )
        runtime.awaited = None
        begin = self._begin if whole else partial(look_between, own=self._own)
        this_round = await runtime.write(lambda books: begin(books, now))
        for game in sorted({*this_round.games, *runtime.stopped}):
            while await self._tick(game, now, this_round):
                pass  # its next step has all orders, which were filed ahead
        if not this_round.is_noted:
            await runtime.write(partial(end_round, now=now, last=this_round.last))
        self._own = now

    def _begin(self, books: Books, now: ClockReading) -> Round:
        """Find the games that time may affect."""
        keep_measure(books, self._runtime.office.journal.measure(), at=now.at)
        is_first, self._is_first = self._is_first, False
        return begin_round(books, now, is_first=is_first, own=self._own)

    async def _report_wrong_clock(self) -> None:
        """Report to the GM, once, that this machine's clock keeps its daemon from closing steps."""
        trouble = self._runtime.troubles.now()[CLOCK_PLACE]
        lines = (
            f"The clock of the machine {socket.gethostname()} is wrong: {trouble.words}.",
            "It reads and sends letters all the same. Daemons on other machines go on.",
        )
        await self._runtime.mail_gm(CLOCK_PLACE, "The clock of a machine is wrong", lines)

    async def _tick(self, game: str, now: ClockReading, this_round: Round) -> bool:
        """Do what is due in a game; return whether its next step closes at once."""
        runtime, last = self._runtime, this_round.last

        def work(books: Books) -> Ticked:
            if this_round.is_noted and not (
                game in runtime.stopped or books.lock_awake(game, now.at)
            ):
                return Ticked()  # somebody else was, or is, at it
            if game in runtime.list_stopped():  # waiting letters come before any closing
                lock_context(books, runtime.office.library, game, at=now.at)
                return Ticked()
            return tick(
                books,
                runtime.office.library,
                game,
                at=now.at,
                read_until=now.read_until,
                boot=now.boot,
                machine=now.machine,
                last=last,
            )

        try:
            ticked = await runtime.write(work)
        except StoreTrouble:
            raise
        except Exception as error:  # one game must not stop the clock of the others
            await self._report_stuck(game, error, now.at)
            await self._hold(game, last)
            return False
        runtime.troubles.end(_trouble_place(game), now.at)
        runtime.stopped.discard(game)
        self._log_acts(game, ticked)
        if ticked.awaited is not None:
            runtime.awaited = max(ticked.awaited, runtime.awaited or ticked.awaited)
        return ticked.closing is not None and ticked.closing.goes_on

    async def _hold(self, game: str, last: LastReading | None) -> None:
        """Note since when a game has stood still; one that cannot be read stops no other either."""
        try:
            await self._runtime.write(partial(hold_reading, game=game, last=last))
        except StoreTrouble:
            raise
        except Unknown:  # it was deleted
            self._runtime.stopped.discard(game)
            self._runtime.troubles.end(_trouble_place(game), self._runtime.now())
        except Damaged:
            return

    async def _report_stuck(self, game: str, error: Exception, at: datetime) -> None:
        """Report a stuck game to the GM, once, while the others continue."""
        place, words = _trouble_place(game), describe_error(error)
        letters = _WAITING if isinstance(error, Changed) else _TAKEN
        self._runtime.troubles.begin(place, words, at)
        lines = (
            f"{game} has stopped: {words}.".replace("..", "."),
            f"No step of it closes until that is fixed. {letters}",
            f"`adjudicator show {game}` shows its status.",
        )
        await self._runtime.mail_gm(place, f"{game} has stopped", lines)

    def _log_acts(self, game: str, ticked: Ticked) -> None:
        if not ticked.acts:
            return
        facts = {"game": game, "acts": ", ".join(ticked.acts)}
        if ticked.closing is not None:
            facts["step"] = ticked.closing.step.name
            self._closed(ticked.closing)
            self._runtime.clock.set()
        self._runtime.log.bind(trace=ticked.cause).info("clock", **facts)
        self._runtime.post.set()


def _trouble_place(game: str) -> str:
    return f"game {game}"
