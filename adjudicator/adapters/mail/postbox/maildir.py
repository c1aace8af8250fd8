"""The postbox that needs nothing: a Maildir, fed by any program that can write a file."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from adjudicator.adapters.mail import maildirs
from adjudicator.adapters.mail.accounts import (
    HEAD_BYTES,
    MAX_FETCHED_BYTES,
    TOGETHER,
    MaildirBox,
)
from adjudicator.desk.model.errors import Away
from adjudicator.desk.model.mail import Parcel


class MaildirPostbox:
    """Letters wait in new/ and cur/; a rename takes them away, so a crash loses nothing."""

    def __init__(
        self,
        settings: MaildirBox,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._folder = Path(settings.folder).expanduser().absolute()
        self._poll = settings.poll
        self._clock = clock
        self._sleep = sleep
        self._done = self._folder / f".{settings.done}" if settings.done else None
        # a mail program that somebody looks with moves letters from new/ to cur/
        self._waiting = ("new", "cur") if self._done else ("new",)
        self._known: frozenset[str] = frozenset()
        self._cut = False

    def fetch(self, limit: int = 100) -> Sequence[Parcel]:
        """The oldest letters that are not done with; the file's time is their arrival."""
        with self._raise_away():
            self._make_folders()
            found = sorted(self._list_waiting())
            self._known = frozenset(name for _, name, _ in found)
            self._cut = len(found) > limit
            parcels: list[Parcel] = []
            held = 0
            for letter in found[:limit]:
                parcel = self._read_parcel(*letter)
                if parcel is None:
                    continue
                parcels.append(parcel)
                held += len(parcel.content or b"")
                if held >= TOGETHER:
                    self._cut = True
                    break
            return tuple(parcels)

    def done(self, ids: Sequence[str]) -> None:
        """Moved to the Done folder, or to cur/; what is not there any more is done already."""
        with self._raise_away():
            self._make_folders()
            places = {
                maildirs.letter_key(entry.name): Path(entry.path)
                for entry in maildirs.list_entries(self._folder, *self._waiting)
            }
            for name in ids:
                if name in places:
                    self._file_away(name, places[name])
        if self._cut:
            self._known = frozenset()

    def wait(self, seconds: float) -> bool:
        """Looks at the names only, which costs microseconds."""
        until = self._clock() + seconds
        while not self._has_news():
            left = until - self._clock()
            if left <= 0:
                return False
            self._sleep(min(self._poll, left))
        return True

    def close(self) -> None:
        """Nothing is held open."""

    def _make_folders(self) -> None:
        maildirs.make_maildir(self._folder)
        if self._done:
            maildirs.make_maildir(self._done)
            (self._done / "maildirfolder").touch()  # for mail programs: a subfolder

    def _list_waiting(self) -> Iterator[tuple[int, str, Path]]:
        for entry in maildirs.list_entries(self._folder, *self._waiting):
            about = maildirs.read_entry_status(entry)
            if about is not None:
                yield about.st_mtime_ns, maildirs.letter_key(entry.name), Path(entry.path)

    def _read_parcel(self, time_ns: int, name: str, path: Path) -> Parcel | None:
        try:
            size = path.stat().st_size
            with path.open("rb") as file:
                begun = file.read(HEAD_BYTES if size > MAX_FETCHED_BYTES else -1)
        except FileNotFoundError:  # a mail program moved it just now: it comes next time
            self._known -= {name}
            return None
        arrived = datetime.fromtimestamp(time_ns / 1e9, UTC)
        if size > MAX_FETCHED_BYTES:
            return Parcel(id=name, arrived=arrived, size=size, content=None, head=begun)
        return Parcel(id=name, arrived=arrived, size=size, content=begun)

    def _file_away(self, name: str, path: Path) -> None:
        flags = path.name.partition(":2,")[2]
        seen = "".join(sorted({*flags, "S"}))
        try:
            path.rename((self._done or self._folder) / "cur" / f"{name}:2,{seen}")
        except FileNotFoundError:
            return  # renamed by a mail program just now: it comes again, and is known then

    def _has_news(self) -> bool:
        try:
            return any(
                maildirs.letter_key(entry.name) not in self._known
                for entry in maildirs.list_entries(self._folder, *self._waiting)
            )
        except OSError:
            return False  # the next fetch tells it

    @contextmanager
    def _raise_away(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise Away(
                f"postbox {self._folder}: {error.strerror or error}; check the folder, its"
                " permissions and the disk"
            ) from error
