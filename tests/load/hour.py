"""An hour in which many deadlines fall: letters are posted, daemons work, and mailboxes are read.

Everything is told from outside: when a letter was put into a postbox, and when the one that
answers it, or a report, was put into a player's mailbox.
"""

import email
import random
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from email.policy import compat32
from pathlib import Path

from msgspec import Struct

from adjudicator.adapters.mail.maildir import deliver_letter
from adjudicator.cli.wiring import Office
from tests.daemon.running import Running, config, start_program, until
from tests.load.town import ADDRESS, GM, Writing, choose_silent, set_deadlines

_PAUSE = 0.05
_CALM = 1.0
"""Seconds between two looks whether anything still waits."""
_LONGEST = 3600.0
"""Seconds that everything may take once nobody writes any more."""
_LEAD = timedelta(seconds=20)
"""How long before a deadline the last players write; the first ones write at the beginning."""
_RSS = re.compile(r"VmRSS:\s+(\d+) kB")
_TICKS = 100
_HEAD = 8192


class Plan(Struct, frozen=True, kw_only=True):
    """How a run is made."""

    games: int
    daemons: int
    minutes: float
    """How long the deadlines take; 0: all letters wait when the daemons start."""
    part: float | None = None
    """How much of it is played, from its beginning; the games of later deadlines only stand by."""
    seed: int


class Sign(Struct, frozen=True):
    """A letter that came out: whom it answers, what it is, when it lay in the mailbox."""

    game: str
    reader: str
    answers: str
    kind: str
    at: float


class Hour(Struct, frozen=True, kw_only=True):
    """What was measured."""

    letters: int
    receipts: tuple[float, ...]
    """Seconds from each letter to its receipt."""
    closed: int
    reports: tuple[float, ...]
    """Seconds from each deadline that closed a game to the last report."""
    sent: int
    seconds: float
    """From the first letter, or from when the daemons serve, to the last letter out."""
    cpu: float
    """Seconds of a processor that all daemons took, the database server's not counted."""
    memory: tuple[int, ...]
    """KiB of the largest daemon, second by second."""
    stored: int
    """Bytes that the database has grown by."""


class Town(Struct, frozen=True, kw_only=True):
    """Where a run takes place."""

    place: Path
    homes: Sequence[Path]
    """One for each daemon; the same where they share it."""
    writings: Sequence[Writing]

    def postbox(self, number: int) -> Path:
        """Return the folder of a postbox."""
        return self.place / f"in-{number}"

    @property
    def mailboxes(self) -> Path:
        """Return the folder of all players' mailboxes."""
        return self.place / "out"


Start = Callable[[Path, Path], Running]
"""Starts a daemon with a settings file, and keeps its log in another one."""


def run_hour(town: Town, plan: Plan, start: Start = start_program) -> Hour:
    """Let the daemons work until everything is answered; measure."""
    before = _weigh(town.homes[0])
    silent = choose_silent([*town.writings], plan.seed) if plan.minutes else frozenset()
    span = timedelta(minutes=plan.minutes) if plan.minutes else timedelta(days=2)
    part = span if plan.part is None else timedelta(minutes=plan.part)
    deadlines = set_deadlines(town.homes[0], plan.games, span, part)
    posted: dict[str, float] = {}
    waiting = _plan_letters(town.writings, silent, deadlines, plan)
    if not plan.minutes:
        posted |= _post(town, plan, waiting, time.time())
        waiting = []
    daemons = [start(*_settle(town, plan, number)) for number in range(plan.daemons)]
    began = time.time()
    memory: list[int] = []
    try:
        for daemon in daemons:
            daemon.ready()
        if not plan.minutes:  # what waited before they served is nobody's delay
            posted = dict.fromkeys(posted, time.time())
        while waiting:
            now = time.time()
            due = [one for one in waiting if one[0] <= now]
            waiting = waiting[len(due) :]
            posted |= _post(town, plan, due, now)
            _note_memory(memory, daemons, now - began)
            time.sleep(_PAUSE)
        last = max(deadlines.values()) if plan.minutes else datetime.now(UTC)
        until(lambda: datetime.now(UTC) > last, _LONGEST, "the last deadline", _CALM)
        with closing(Office(str(town.homes[0]))) as office:  # opened once: each time it costs

            def is_calm() -> bool:
                _note_memory(memory, daemons, time.time() - began)
                return _is_calm(town, plan, office)

            until(is_calm, _LONGEST, "calm", _CALM)
        cpu = sum(_read_cpu(daemon.process.pid) for daemon in daemons)
    finally:
        codes = [daemon.stop() for daemon in daemons]
    assert not any(codes), f"the daemons ended with {codes}"
    signs = [*_read_mailboxes(town.mailboxes)]
    first = min(posted.values())
    receipts = {sign.answers: sign.at for sign in signs if sign.answers in posted}
    ends = _find_last_reports(signs)
    missed = {one.game for one in town.writings if one.sender in silent}
    return Hour(
        letters=len(posted),
        receipts=tuple(sorted(at - posted[name] for name, at in receipts.items())),
        closed=len(ends),
        reports=tuple(
            sorted(ends[game] - deadlines[game].timestamp() for game in missed & {*ends})
        ),
        sent=len(signs),
        seconds=max(sign.at for sign in signs) - first,
        cpu=cpu,
        memory=tuple(memory),
        stored=_weigh(town.homes[0]) - before,
    )


def _plan_letters(
    writings: Sequence[Writing],
    silent: frozenset[str],
    deadlines: Mapping[str, datetime],
    plan: Plan,
) -> list[tuple[float, Writing]]:
    """Plan when each letter is posted: at any time before its game's deadline."""
    chance, now = random.Random(plan.seed), time.time()
    planned = [
        (chance.uniform(now, max(now, (deadlines[one.game] - _LEAD).timestamp())), one)
        for one in writings
        if one.sender not in silent and one.game in deadlines
    ]
    return sorted(planned, key=lambda one: (one[0], one[1].message_id))


def _post(
    town: Town, plan: Plan, due: Sequence[tuple[float, Writing]], now: float
) -> dict[str, float]:
    """Put letters into the postboxes; a game's letters all come into the same one."""
    for _, one in due:
        deliver_letter(town.postbox(int(one.game[1:]) % plan.daemons), one.content)
    return {one.message_id: now for _, one in due}


def _settle(town: Town, plan: Plan, number: int) -> tuple[Path, Path]:
    """Write the settings of a daemon, and name its log."""
    boxes = [{"kind": "maildir", "folder": str(town.postbox(box))} for box in range(plan.daemons)]
    facts = {
        "home": str(town.homes[number]),
        "address": ADDRESS,
        "gm": [GM],
        "hourly_letters": 1000000,
        "postboxes": [*boxes[number:], *boxes[:number]],
        "postman": {"kind": "maildir", "folder": str(town.mailboxes)},
    }
    folder = town.place / f"daemon-{number}"
    folder.mkdir()
    return config(folder, facts), folder / "log"


def _is_calm(town: Town, plan: Plan, office: Office) -> bool:
    """Whether nothing waits: no letter in, none out, no game whose time has come."""
    for box in range(plan.daemons):
        if any((town.postbox(box) / "new").iterdir()):
            return False
    with office.reading() as books:
        return not books.waiting_letters() and not books.awake(datetime.now(UTC))


def _note_memory(memory: list[int], daemons: Sequence[Running], seconds: float) -> None:
    """Note the size of the largest daemon, once a second."""
    if seconds < len(memory):
        return
    sizes = [0]
    for daemon in daemons:
        with suppress(OSError):
            found = _RSS.search(Path(f"/proc/{daemon.process.pid}/status").read_text("ascii"))
            sizes.append(int(found[1]) if found else 0)
    memory.append(max(sizes))


def _read_cpu(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def _read_mailboxes(folder: Path) -> Iterator[Sign]:
    """Read the heads of all letters that players got."""
    for path in sorted(folder.glob("*@*/new/*")):
        with path.open("rb") as file:
            head = email.message_from_bytes(file.read(_HEAD), policy=compat32)
        named = str(head["Message-ID"]).strip("<>").split(".")
        reader = path.parents[1].name
        game = reader.partition(".")[2].partition("@")[0]
        yield Sign(
            game,
            reader,
            str(head["In-Reply-To"]),
            named[3] if len(named) > 3 else "",
            path.stat().st_mtime,
        )


def _find_last_reports(signs: Sequence[Sign]) -> dict[str, float]:
    """Find when the last report of each game that closed lay in its mailbox."""
    ends: dict[str, float] = {}
    for sign in signs:
        if sign.kind == "report":
            ends[sign.game] = max(sign.at, ends.get(sign.game, 0.0))
    return ends


def _weigh(home: Path) -> int:
    """Weigh the database: its file, or what the server says of it."""
    with closing(Office(str(home))) as office:
        if office.url is None:
            return office.home.database.stat().st_size
        with office.store.engine.connect() as connection:
            size = connection.exec_driver_sql("SELECT pg_database_size(current_database())")
            return int(size.scalar_one())
