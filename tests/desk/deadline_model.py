"""What must hold about deadlines, said once more and independently of adjudicator/desk.

Schedules are found by walking the clock on the wall; a round of the clock is judged from what the
model itself has kept.
"""

from dataclasses import dataclass, field
from datetime import UTC, datetime, time, timedelta
from itertools import takewhile
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


def rested(days: set[int], at: time, zone: str, begin: datetime, least: timedelta) -> datetime:
    """The instant after so much time; a day is over when the clock on the wall shows the same."""
    if least < DAY:
        return begin + least
    wall = begin.astimezone(ZoneInfo(zone)).replace(tzinfo=None)
    if walked(days, at, zone, begin, begin - MINUTE) == begin:
        wall = datetime.combine(wall.date(), at)  # as it was meant, where clocks left it out
    later = (wall + least // DAY * DAY).replace(tzinfo=ZoneInfo(zone), fold=0)
    return later.astimezone(UTC) + least % DAY


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

    def deadline(self, opened: datetime, after: datetime | None = None) -> datetime | None:
        """When a step is due that opens now, after this deadline."""
        if self.pace == "none":
            return None
        if " " not in self.pace:
            return opened + span(self.pace)
        words, clock = self.pace.split(" ")
        days = set(range(7)) if words == "daily" else {DAYS.index(d) for d in words.split(",")}
        at = time.fromisoformat(clock)
        begin = opened if after is None else min(after, opened)
        return walked(days, at, self.zone, rested(days, at, self.zone, begin, self.least), opened)

    def soon(self, opened: datetime) -> datetime:
        """When an answer in mid-turn is due."""
        return opened + self.interrupt


@dataclass
class Seat:
    """A seat as everybody at the table would tell it."""

    kind: str
    sent: bool = False
    ready: bool = True
    owes: bool = False
    since: datetime = LONG_AGO
    sitting: int = 0
    """Rises when somebody else, or nobody, plays the seat; new keys leave it as it is."""

    @property
    def is_in(self) -> bool:
        return not self.owes or self.kind != "player" or self.sent

    @property
    def agrees(self) -> bool:
        """To close before the deadline."""
        return not self.owes or self.kind != "player" or (self.sent and self.ready)


@dataclass(frozen=True)
class Closed:
    """A step that was closed, or a ruling, and counts."""

    number: int
    came: dict[str, tuple[int, bool]]
    """Of each seat for which it counts: who sat there, and whether orders came."""


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
    past: list[Closed] = field(default_factory=list)

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

    def changed(self, at: datetime) -> datetime:
        """When orders, or those who write them, last changed; nobody sits down tomorrow."""
        since = [seat.since for seat in self.seats.values()]
        return max([self.opened, self.filed, *(one for one in since if one <= at + 5 * MINUTE)])

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
            told.closes = self._closes(at, read)
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
        if not long and self.paused is None and self._settled(at, read):
            return  # it closes now, so its deadline does not matter any more
        lost, end = max(start, self.opened), min(read, self.paused or read)
        if self.deadline is not None and lost < self.deadline <= end:
            told.moved = end - lost
            self.deadline += told.moved
        if long and self.paused is None and self.deadline is not None:
            told.pauses = True
            self.paused = at

    def _closes(self, at: datetime, read: datetime) -> str:
        assert self.deadline is not None
        if min(at, read) >= self.deadline + self.rule.grace:
            return "over"
        return "settled" if self._settled(at, read) else ""

    def _settled(self, at: datetime, read: datetime) -> bool:
        agreed = all(seat.agrees for seat in self.seats.values())
        return agreed and min(at, read) >= self.changed(at) + self.rule.settle

    def close(self, at: datetime) -> set[str]:
        """The step is closed; who has now missed too many in a row."""
        assert self.step not in self.closed, f"step {self.step} closed twice"
        self.closed.add(self.step)
        early = self.deadline is not None and at < self.deadline
        came = {}
        for name, seat in self.seats.items():
            if seat.kind != "player" or not seat.owes:
                continue
            if seat.is_in or (self.counts and not early):
                came[name] = (seat.sitting, seat.is_in)
        self.past.append(Closed(self.step, came))
        late = [name for name, (_, is_in) in came.items() if not is_in]
        return {name for name in late if self.missed(name) >= self.rule.nmr_limit}

    def missed(self, name: str) -> int:
        """How many steps whoever plays a seat now has missed in a row."""
        mine = [one.came[name] for one in reversed(self.past) if name in one.came]
        sitting = self.seats[name].sitting
        return sum(1 for _ in takewhile(lambda one: one == (sitting, False), mine))

    def ruled(self, number: int) -> None:
        """A ruling comes before the step that is open, which keeps its lower number."""
        self.past.append(Closed(number, {}))

    def struck(self, number: int) -> None:
        """A step and all after it count no longer, nor does what was missed in them."""
        numbers = [one.number for one in self.past]
        del self.past[numbers.index(number) :]

    def seated(self, name: str, kind: str, at: datetime) -> None:
        """Somebody else, or nobody, plays a seat from now on."""
        seat = self.seats[name]
        seat.kind, seat.since, seat.sitting = kind, at, seat.sitting + 1
