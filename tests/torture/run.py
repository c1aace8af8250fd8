"""Life after life of the daemon, each ended by kill -9; at the end an audit."""

import random
import signal
import time
from collections import Counter
from collections.abc import Callable, Mapping

from tests.daemon.running import PATIENCE, Running, until
from tests.torture.audit import find_faults
from tests.torture.crowd import Crowd
from tests.torture.evidence import Evidence, collect_evidence
from tests.torture.faults import (
    POSTGRESQL_FAULTS,
    Fault,
    Scene,
    old_backup,
    running_faults,
    starting_faults,
    stopped_for_minutes,
)
from tests.torture.house import House

_EARLY, _IN_A_FAULT, _QUIET, _AT_START, _ASKED = 0.08, 0.3, 0.25, 0.12, 0.08
"""How often it is killed before it said a word, or in the middle of a fault; how often a life has
no fault, or begins with one; how often it is asked to stop instead."""
_BESIDE = 0.8
"""How often another daemon that lives is killed between two lives."""
_HELPS = ("--only", "post-in,clock,post-out")
"""Archives and pages are left to the first daemon."""
_START = 30.0
_MOST_LINES = 60
_FEW = 4
"""Kills between two faults of daemons that kill themselves."""
_MOST_POINTS = 80
"""Of a daemon that kills itself: half as many transactions."""
_GLANCE = 0.02
"""Seconds between two looks of the players, who leave the processor to the daemon."""
_PACE = 2.5
"""Seconds after which a life goes on even if the log has not grown as far as it should: while a
fault lasts there may be nothing to say."""
_OLD_BACKUP, _MINUTES = 40, 50
"""Every so many lives an old backup is put back; after so many it may be stopped for minutes."""
_STOPPED = "SIGSTOP of minutes"
GoOn = Callable[["Torture"], bool]


class Torture:
    """One house, one crowd, one seed."""

    def __init__(
        self,
        house: House,
        seed: int,
        games: int = 4,
        *,
        beside: int = 0,
        stop_for_minutes: bool = True,
    ) -> None:
        self.house = house
        self.crowd = Crowd(house, seed, games)
        self.counts: Counter[str] = Counter()
        self.faults: Counter[str] = Counter()
        self.broken: list[str] = []
        """What is seen at once, and not in what is left."""
        self._stop_for_minutes = stop_for_minutes
        self._beside: list[Running | None] = [None] * beside
        """Other daemons that share the work on one PostgreSQL."""
        self._ended: Running | None = None
        self._chance = random.Random(seed)

    def run(self, go_on: GoOn) -> tuple[Evidence, list[str]]:
        """Lives while they are wanted; what is left then, and what is wrong with it."""
        self.live(go_on)
        return self.judge()

    def live(self, go_on: GoOn) -> None:
        """Life after life of one daemon, beside others; faults come in the middle of lives."""
        while go_on(self):
            self.counts["lives"] += 1
            self.crowd.open_games()
            self._change_others()
            if self.counts["lives"] % _OLD_BACKUP == 0 and self.house.bundle.exists():
                self.put_back()
            else:
                self._live()

    def die_at_commits(self, go_on: GoOn) -> None:
        """Daemons that kill themselves at a commit, each followed at once.

        After every few kills PostgreSQL cuts them off, is restarted, and so on, in turn.
        """
        self._end_others()
        daemons = [*self._beside, None]
        due = self.counts["kill -9"]
        end_of_patience = time.monotonic() + PATIENCE
        while go_on(self):
            assert time.monotonic() < end_of_patience, "no daemon comes to its end"
            for number, daemon in enumerate(daemons):
                if daemon is None or daemon.ended():
                    self._count_end(daemon)
                    end_of_patience = time.monotonic() + PATIENCE
                    self.crowd.open_games()
                    end = self._chance.randint(1, _MOST_POINTS)
                    daemons[number] = self.house.start(is_far=number == 0, end=end)
            if self.counts["kill -9"] >= due + _FEW:
                due += _FEW
                with self._draw(POSTGRESQL_FAULTS)(Scene(self.house, self._chance)):
                    self.crowd.look()
            self.crowd.look()
            time.sleep(_GLANCE)
        self._beside = daemons
        self._end_others()
        self._beside.pop()

    def _count_end(self, daemon: Running | None) -> None:
        if daemon is not None:
            is_killed = daemon.stop() == -signal.SIGKILL
            self.counts["kill -9" if is_killed else "ended by itself"] += 1

    def judge(self) -> tuple[Evidence, list[str]]:
        """Once everything that was written is answered and delivered."""
        self._drain()
        post, crowd = self.house.post, self.crowd
        evidence = collect_evidence(self.house.office, post.out, crowd.sent, self.house.vanished)
        return evidence, [*self.broken, *find_faults(evidence)]

    def _live(self) -> None:
        chance = self._chance
        starting = {} if self._beside else starting_faults(self.house)
        if starting and chance.random() < _AT_START:
            self._start_badly(self._draw(starting))
            return
        daemon = self.house.start()
        if chance.random() >= _EARLY:
            self._await(daemon)
            self._work(daemon)
            if chance.random() >= _QUIET:
                self._suffer(daemon, self._choose_fault())
            self._work(daemon)
        if daemon is not self._ended:
            self._end(daemon)

    def _change_others(self) -> None:
        """Other daemons are killed now and then between two lives, and followed at once."""
        for number, daemon in enumerate(self._beside):
            if daemon is not None and not daemon.ended() and self._chance.random() < _BESIDE:
                daemon.kill()
                self.counts["kill -9"] += 1
            if daemon is None or daemon.ended():
                self._beside[number] = self.house.start(*_HELPS, is_far=number == 0)

    def _end_others(self) -> None:
        for daemon in self._beside:
            if daemon is not None and not daemon.ended():
                daemon.kill()
                self.counts["kill -9"] += 1
        self._beside = [None] * len(self._beside)

    def _choose_fault(self) -> Fault:
        if not self._stop_for_minutes or self.counts["lives"] < _MINUTES:
            return self._draw(running_faults(self.house, alone=not self._beside))
        self._stop_for_minutes = False
        self.faults[_STOPPED] += 1
        return stopped_for_minutes

    def put_back(self) -> None:
        """It is refused until somebody recovers it."""
        self.faults["old backup put back"] += 1
        self._end_others()
        with old_backup(Scene(self.house, self._chance)):
            daemon = self.house.start()
            if daemon.process.wait(PATIENCE) != 1:
                self.broken.append("an old backup was played on")
            self._end(daemon)

    def _draw(self, faults: Mapping[str, Fault]) -> Fault:
        """At random, but none again before each of them came as often."""
        fewest = min(self.faults[name] for name in faults)
        left = sorted(name for name in faults if self.faults[name] == fewest)
        name = self._chance.choice(left)
        self.faults[name] += 1
        return faults[name]

    def _start_badly(self, fault: Fault) -> None:
        """It refuses to start, or waits; neither must cost anything."""
        with fault(Scene(self.house, self._chance)):
            daemon = self.house.start()
            end = time.monotonic() + _PACE
            while not (daemon.ended() or daemon.logged("trouble") or time.monotonic() > end):
                time.sleep(_GLANCE)
            self._end(daemon)

    def _suffer(self, daemon: Running, fault: Fault) -> None:
        if daemon.ended():
            return
        with fault(Scene(self.house, self._chance, daemon)):
            self._work(daemon)
            if self._chance.random() < _IN_A_FAULT:
                self._end(daemon)

    def _await(self, daemon: Running) -> None:
        """Until it serves: on a busy machine it would be dead before it has read a letter."""
        end = time.monotonic() + _START
        while not (daemon.logged("serving") or daemon.ended() or time.monotonic() > end):
            self.crowd.look()
            time.sleep(_GLANCE)

    def _work(self, daemon: Running) -> None:
        """Until its log has grown by so many lines."""
        goal = len(daemon.lines()) + self._chance.randint(0, _MOST_LINES)
        end = time.monotonic() + _PACE
        while len(daemon.lines()) < goal and not daemon.ended() and time.monotonic() < end:
            self.crowd.look()
            time.sleep(_GLANCE)

    def _end(self, daemon: Running) -> None:
        self._ended = daemon
        if daemon.ended():
            daemon.stop()
            self.counts["ended by itself"] += 1
        elif self._chance.random() < _ASKED:
            daemon.process.send_signal(signal.SIGCONT)
            daemon.stop()
            self.counts["asked to stop"] += 1
        else:
            daemon.kill()
            self.counts["kill -9"] += 1

    def _drain(self) -> None:
        """Without faults, and with nobody writing, until nothing waits any more."""
        self._end_others()
        self.crowd.open_games()
        until(self.crowd.all_posted, what="the players' own mail server")
        while True:
            daemon = self.house.start().ready()
            until(self._is_quiet, 10 * PATIENCE, what="an empty postbox and outbox")
            code = daemon.stop()
            assert code == 0, f"the daemon ended with {code}"
            if self._is_quiet():
                return

    def _is_quiet(self) -> bool:
        self.crowd.read_only()
        with self.house.office.reading() as books:
            return not books.waiting_letters() and not self.house.post.waiting()


def lives(kills: int, letters: int) -> GoOn:
    """Until it was killed so often and so many letters were written."""
    return lambda run: run.counts["kill -9"] < kills or run.crowd.written < letters
