"""What must hold about deadlines, said once more and independently of adjudicator/desk.

Schedules are found by walking the clock on the wall; a round of the clock is judged from what the
model itself has kept.
"""

from dataclasses import dataclass, field
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
NOTHING = timedelta()
DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
LONG_AGO = datetime.min.replace(tzinfo=UTC)
_STRIDE = timedelta(minutes=15)  # every offset and every time that the tests use is a multiple


def span(text: str) -> timedelta:
    return int(text[:-1]) * {"m": MINUTE, "h": HOUR, "d": DAY}[text[-1]]


def walked(days: set[int], at: time, zone: str, earliest: datetime, opened: datetime) -> datetime:
    """The first scheduled instant, found by looking at the clock every quarter of an hour."""
    wall = ZoneInfo(zone)
    start = earliest.astimezone(UTC) - 3 * HOUR
    now = start.replace(minute=0, second=0, microsecond=0)
    before = now.astimezone(wall)
    while True:
        now += _STRIDE
        local = now.astimezone(wall)
        found = None
        skipped = (local.utcoffset() or NOTHING) - (before.utcoffset() or NOTHING)
        gap = (before + _STRIDE).replace(tzinfo=None)
        wanted = datetime.combine(gap.date(), at)
        if skipped > NOTHING and gap <= wanted < gap + skipped:
            found, day = now + (wanted - gap), gap.date()  # never on the clock: as much later
        elif local.timetz().replace(tzinfo=None, fold=0) == at and local.fold == 0:
            found, day = now, local.date()
        if found and day.weekday() in days and found >= earliest and found > opened:
            return found
        before = local


@dataclass(frozen=True)
class Rule:
    """How a game's steps are timed."""

    pace: str
    zone: str
    least: timedelta
    grace: timedelta
    settle: timedelta
    interrupt: timedelta
    outage: timedelta
    nmr: str
    nmr_limit: int

    def deadline(self, opened: datetime) -> datetime | None:
        """When a step is due that opens now."""
        if self.pace == "none":
            return None
        if " " not in self.pace:
            return opened + span(self.pace)
        words, clock = self.pace.split(" ")
        days = set(range(7)) if words == "daily" else {DAYS.index(d) for d in words.split(",")}
        at = time.fromisoformat(clock)
        return walked(days, at, self.zone, opened + self.least, opened)

    def kept(self, turn: datetime | None, opened: datetime) -> datetime | None:
        """When an answer in mid-turn is due."""
        return turn and max(turn, opened + self.interrupt)


@dataclass
class Seat:
    """A seat as everybody at the table would tell it."""

    kind: str
    missed: int = 0
    sent: bool = False
    ready: bool = True
    owes: bool = False
    since: datetime = LONG_AGO

    @property
    def is_in(self) -> bool:
        return not self.owes or self.kind != "player" or self.sent

    @property
    def agrees(self) -> bool:
        """To close before the deadline."""
        return not self.owes or self.kind != "player" or (self.sent and self.ready)


@dataclass
class Round:
    """What the model says about one round."""

    pauses: bool = False
    jumped: bool = False
    closes: str = ""
    """over | settled, or nothing"""
    moved: timedelta = NOTHING


@dataclass
class Model:
    """One game."""

    rule: Rule
    seats: dict[str, Seat]
    step: int = 0
    opened: datetime = LONG_AGO
    deadline: datetime | None = None
    counts: bool = True
    """Whether who is silent in this step has missed something: not in mid-turn."""
    filed: datetime = LONG_AGO
    """When orders of the step last changed."""
    paused: datetime | None = None
    last: tuple[datetime, float, datetime | None] | None = None
    """Wall clock, boot clock, and until when all post was read, a round ago."""
    closed: set[int] = field(default_factory=set)
    past: list[dict[str, bool | None]] = field(default_factory=list)
    """Of each closed step that counts: whose orders came, and whose were missed."""

    def begin(
        self,
        step: int,
        opened: datetime,
        deadline: datetime | None,
        owing: set[str],
        *,
        counts: bool,
    ) -> None:
        """A step opens."""
        assert step > self.step, "numbers are never used again"
        self.step, self.opened, self.deadline, self.counts = step, opened, deadline, counts
        self.filed = opened
        for name, seat in self.seats.items():
            seat.sent, seat.ready, seat.owes = False, True, name in owing

    @property
    def changed(self) -> datetime:
        """When orders, or those who write them, last changed."""
        return max([self.opened, self.filed, *(seat.since for seat in self.seats.values())])

    def missing(self) -> set[str]:
        return {name for name, seat in self.seats.items() if not seat.is_in}

    def round(self, at: datetime, boot: float, read: datetime | None) -> Round:
        """What the clock has to do now."""
        last, told = self.last, Round()
        told.jumped = self._jumped(at, boot)
        if told.jumped or last is None or last[2] is None or read is None:
            known = read if read is not None or told.jumped or last is None else last[2]
        else:
            known = max(read, last[2])
        self.last = (at, boot, known)
        if told.jumped:
            told.pauses = self.paused is None and self.deadline is not None
            if told.pauses:
                assert last is not None
                self.paused = last[0] + timedelta(seconds=max(boot - last[1], 0))
            return told
        self._outage(at, read, last[2] if last else None, told)
        if self.paused is None and read is not None and self.deadline is not None:
            told.closes = self._closes(min(at, read))
        return told

    def _jumped(self, at: datetime, boot: float) -> bool:
        if self.last is None:
            return False
        passed = (at - self.last[0]).total_seconds()
        if boot < self.last[1]:
            return passed < -300
        return abs(passed - (boot - self.last[1])) > 300

    def _outage(
        self, at: datetime, read: datetime | None, before: datetime | None, told: Round
    ) -> None:
        if read is None:
            return
        start = before or self.opened
        if read - start <= self.rule.outage:
            return
        long = read - start > DAY and before is not None
        if not long and self.paused is None and self._settled(min(at, read)):
            return  # it closes now, so its deadline does not matter any more
        lost, end = max(start, self.opened), min(read, self.paused or read)
        if self.deadline is not None and lost < self.deadline <= end:
            told.moved = end - lost
            self.deadline += told.moved
        if long and self.paused is None and self.deadline is not None:
            told.pauses = True
            self.paused = at

    def _closes(self, known: datetime) -> str:
        assert self.deadline is not None
        if known >= self.deadline + self.rule.grace:
            return "over"
        return "settled" if self._settled(known) else ""

    def _settled(self, known: datetime) -> bool:
        agreed = all(seat.agrees for seat in self.seats.values())
        return agreed and known >= self.changed + self.rule.settle

    def close(self, at: datetime) -> set[str]:
        """The step is closed; who has now missed too many in a row."""
        assert self.step not in self.closed, f"step {self.step} closed twice"
        self.closed.add(self.step)
        gone = set()
        counted: dict[str, bool | None] = {}
        self.past.append(counted)
        for name, seat in self.seats.items():
            if seat.kind != "player" or not seat.owes:
                continue
            if seat.is_in:
                seat.missed, counted[name] = 0, True
            elif self.counts and (self.deadline is None or at >= self.deadline):
                seat.missed, counted[name] = seat.missed + 1, False
                gone |= {name} if seat.missed >= self.rule.nmr_limit else set()
        return gone

    def struck(self) -> None:
        """The last closed step counts no longer, nor does what was missed in it."""
        self.past.pop()

    def silences(self, name: str) -> int:
        """In how many steps that count nothing came from a seat."""
        return sum(counted.get(name) is False for counted in self.past)

    def seated(self, name: str, kind: str, at: datetime) -> None:
        """Somebody else, or nobody, plays a seat from now on."""
        seat = self.seats[name]
        seat.kind, seat.missed, seat.since = kind, 0, at
