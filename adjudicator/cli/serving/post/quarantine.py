"""Letters that the desk fails on: tried again, then set aside; never lost."""

import hashlib
import json
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from adjudicator.adapters.files import replace_file
from adjudicator.cli.serving.runtime import Runtime
from adjudicator.core.finding import Finding, Grade
from adjudicator.desk.model.deadlines import format_deadline
from adjudicator.desk.model.history import trace_id
from adjudicator.desk.model.mail import IncomingLetter, Parcel
from adjudicator.desk.model.ports import Books
from adjudicator.desk.model.values import Arrival
from adjudicator.desk.outbox.notices import notify_gm

QUARANTINE_FOLDER = "unread"
SUSPECT = 2
"""After so many crashes on a letter, a separate process tries it first."""
_TRIAL, _TRIALS = 60.0, 2
"""Seconds that a trial may take, and how many of them a letter has to fail."""
_PAUSES = (2.0, 20.0, 120.0)
"""Seconds before the second, third and fourth attempt; after that it is set aside."""


class Patience:
    """The failed attempts of a letter, and when to try it next."""

    def __init__(self) -> None:
        self._failed: dict[str, tuple[int, float]] = {}

    def __len__(self) -> int:
        """Count the failures."""
        return len(self._failed)

    def ripe(self, name: str) -> bool:
        """Whether the letter may be tried now."""
        return self._failed.get(name, (0, 0.0))[1] <= time.monotonic()

    def any_ripe(self) -> bool:
        """Whether a failed letter may be tried again now."""
        return any(self.ripe(name) for name in self._failed)

    def failed(self, name: str) -> float | None:
        """Record a failure; returns seconds until the next attempt, None after too many."""
        times, _ = self._failed.get(name, (0, 0.0))
        if times >= len(_PAUSES):
            return None
        self._failed[name] = (times + 1, time.monotonic() + _PAUSES[times])
        return _PAUSES[times]

    def forget(self, names: Sequence[str]) -> None:
        """Forget letters that have been dealt with."""
        for name in names:
            self._failed.pop(name, None)


class Marker:
    """Remembers on the disk which letter is being read, for the case that it ends the program."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def begin(self, name: str) -> int:
        """Mark that this letter is being read; returns how often the program died reading it."""
        times = self._read_times(name)
        with suppress(OSError):
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._path.write_text(json.dumps({"letter": name, "times": times + 1}))
        return times

    def end(self) -> None:
        """Remove the mark: the program survived, and read the letter or will retry it."""
        with suppress(OSError):
            self._path.unlink()

    def _read_times(self, name: str) -> int:
        try:
            facts = json.loads(self._path.read_text())
            return int(facts["times"]) if facts["letter"] == name else 0
        except (OSError, ValueError, KeyError, TypeError):
            return 0


def is_deadly(home: Path, content: bytes) -> bool:
    """Whether reading this letter crashes the reader, tried out in a process of its own.

    One trial proves nothing: the machine may have stopped meanwhile, so that it took too long, or
    have run out of memory for a moment.
    """
    path = home / QUARANTINE_FOLDER / ".trial"
    replace_file(path, content, synced=True)
    try:
        return all(_dies(home, path) for _ in range(_TRIALS))
    finally:
        path.unlink(missing_ok=True)


def _dies(home: Path, letter: Path) -> bool:
    words = ("--home", home, "receive", "--dry-run", letter)
    try:
        process = subprocess.run(  # noqa: S603 - our own program
            [sys.executable, "-m", "adjudicator", *words],
            capture_output=True,
            timeout=_TRIAL,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return True
    return process.returncode < 0  # a signal ended it; a process that refused the letter survived


def make_unread_letter(box: str, parcel: Parcel, why: str) -> IncomingLetter:
    """Make a letter that is never read, since it kills its reader."""
    name = f"{box} {parcel.id} {parcel.arrived.isoformat()} {parcel.size}"
    return IncomingLetter(
        message_id=None,
        digest=hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest(),
        sender=None,
        problems=(Finding(grade=Grade.UNREADABLE, rule="", message=why),),
    )


async def set_aside(runtime: Runtime, parcel: Parcel, letter: IncomingLetter, error: str) -> str:
    """Store the letter in the home, note it in the store and mail the GM; returns its file."""
    on = trace_id(letter.message_id, letter.digest)
    name = f"{on}.eml"
    file = runtime.office.home.path / QUARANTINE_FOLDER / name
    at = runtime.now()

    def work(books: Books) -> None:
        replace_file(file, parcel.readable, synced=True)
        books.because(on)
        # not recorded as an arrival: once the fault is fixed, the letter can be read
        digest = f"aside {letter.digest}"
        if books.arrival(letter.message_id or "", digest) is not None:
            return
        books.save(
            Arrival(
                message_id=letter.message_id or "",
                digest=digest,
                arrived=parcel.arrived,
                read=at,
                date=letter.date,
                sender=letter.sender,
                outcome="silence",
                reason=f"set aside after {error}; it is kept as {QUARANTINE_FOLDER}/{name}",
            )
        )
        notify_gm(
            books,
            runtime.settings.house,
            "a letter could not be read",
            (
                (
                    f"A letter that arrived {format_deadline(parcel.arrived, 'UTC')} could not be "
                    "read."
                ),
                "Nothing in it was done, and nobody was answered.",
                f"It is kept as {file}. Please read it, and do by hand what it asks for.",
                f"The error to report: {error}.",
                "Once it is fixed, `adjudicator receive` processes the letter.",
            ),
            at=at,
        )

    await runtime.write(work)
    return f"{QUARANTINE_FOLDER}/{name}"
