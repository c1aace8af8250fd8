"""Maildirs: a postbox and a postman that need nothing but folders.

A letter is a whole file that is moved into place, never locked, so that a crash loses nothing.
"""

import asyncio
import hashlib
import itertools
import os
import secrets
import socket
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from stat import S_ISREG
from urllib.parse import quote

from adjudicator.adapters.files import sync_folder
from adjudicator.adapters.mail.accounts import (
    TOGETHER,
    MaildirBox,
    MaildirOut,
)
from adjudicator.adapters.mail.troubles import UNFIT_ADDRESS, are_fit_addresses
from adjudicator.desk.model.errors import Away
from adjudicator.desk.model.mail import MAX_HEADER_BYTES, MAX_LETTER_BYTES, Parcel, Posting, Sent
from adjudicator.desk.model.ports import Choose

FOLDERS = ("tmp", "new", "cur")
_LONGEST = 150
_numbers = itertools.count()


def make_maildir(folder: Path) -> None:
    """Make the three folders of a Maildir, readable by their owner only."""
    for name in FOLDERS:
        (folder / name).mkdir(mode=0o700, parents=True, exist_ok=True)


def deliver_letter(folder: Path, content: bytes, at: float | None = None) -> Path:
    """Deliver a letter to new/, whole or not at all; on disk when this returns."""
    make_maildir(folder)
    host = socket.gethostname().replace("/", "\\057").replace(":", "\\072")
    unique = f"P{os.getpid()}Q{next(_numbers)}R{secrets.token_hex(4)}"
    name = f"{time.time():.6f}.{unique}.{host}"
    draft, letter = folder / "tmp" / name, folder / "new" / name
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if at is not None:
            os.utime(draft, (at, at))
        draft.rename(letter)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
    sync_folder(letter.parent)
    return letter


def list_letters(folder: Path, names: Sequence[str]) -> Iterator[tuple[str, os.DirEntry[str]]]:
    """List the letters of these subfolders by the part of their names that never changes.

    Hidden files are skipped; `read_status` sorts out what is not a regular file.
    """
    for name in names:
        with os.scandir(folder / name) as entries:
            for entry in entries:
                if not entry.name.startswith("."):
                    yield entry.name.partition(":")[0], entry


def read_status(entry: os.DirEntry[str]) -> os.stat_result | None:
    """Read a letter's size and time; None if it is not a regular file or is gone."""
    try:
        about = entry.stat(follow_symlinks=False)
    except FileNotFoundError:
        return None
    return about if S_ISREG(about.st_mode) else None


class MaildirPostbox:
    """Letters wait in new/ and cur/, where any program can put them; a rename takes them away."""

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
        # a mail program open on the folder moves letters from new/ to cur/
        self._waiting = ("new", "cur") if self._done else ("new",)
        self._names: frozenset[str] = frozenset()
        self._cut = False

    def fetch(self, limit: int = 100, choose: Choose | None = None) -> Sequence[Parcel]:
        """Fetch the oldest unprocessed letters; the file's time is when they arrived."""
        with self._raise_away():
            self._make_folders()
            letters = sorted(self._list_waiting())
            self._names = frozenset(name for _, name, _ in letters)
            self._cut = len(letters) > limit
            if choose and self._cut:
                places = {name: (at, name, path) for at, name, path in letters}
                letters = [places[one] for one in choose([*places], partial(_look, places))]
            parcels: list[Parcel] = []
            size = 0
            for letter in letters[:limit]:
                parcel = self._read_parcel(*letter)
                if parcel is None:
                    continue
                parcels.append(parcel)
                size += len(parcel.content or b"")
                if size >= TOGETHER:
                    self._cut = True
                    break
            return tuple(parcels)

    def file_away(self, ids: Sequence[str]) -> None:
        """Move processed letters to the Done folder, or to cur/; missing ones are skipped."""
        with self._raise_away():
            self._make_folders()
            places = dict(list_letters(self._folder, self._waiting))
            for name in ids:
                if name in places:
                    self._file_letter(name, Path(places[name]))
        if self._cut:
            self._names = frozenset()

    def reread(self, since: datetime) -> Sequence[Parcel]:
        """Read the processed letters that arrived since then again, oldest first."""
        with self._raise_away():
            self._make_folders()
            folder, places = (
                (self._done, ("new", "cur")) if self._done else (self._folder, ("cur",))
            )
            letters = sorted(self._list_letters(folder, places))
            late = [one for one in letters if one[0] >= since.timestamp() * 1e9]
            return tuple(parcel for one in late if (parcel := self._read_parcel(*one)))

    def wait(self, seconds: float) -> bool:
        """Wait for new names in the folder; one look costs microseconds."""
        until = self._clock() + seconds
        while not self._has_news():
            rest = until - self._clock()
            if rest <= 0:
                return False
            self._sleep(min(self._poll, rest))
        return True

    def close(self) -> None:
        """Do nothing, since nothing is held open."""

    def _make_folders(self) -> None:
        make_maildir(self._folder)
        if self._done:
            make_maildir(self._done)
            (self._done / "maildirfolder").touch()  # for mail programs: a subfolder

    def _list_waiting(self) -> Iterator[tuple[int, str, Path]]:
        return self._list_letters(self._folder, self._waiting)

    def _list_letters(self, folder: Path, names: Sequence[str]) -> Iterator[tuple[int, str, Path]]:
        for name, entry in list_letters(folder, names):
            about = read_status(entry)
            if about is not None:
                yield about.st_mtime_ns, name, Path(entry)

    def _read_parcel(self, time_ns: int, name: str, path: Path) -> Parcel | None:
        try:
            size = path.stat().st_size
            with path.open("rb") as file:
                content = file.read(MAX_HEADER_BYTES if size > MAX_LETTER_BYTES else -1)
        except FileNotFoundError:  # just moved by a mail program: the next look finds it
            self._names -= {name}
            return None
        arrived = datetime.fromtimestamp(time_ns / 1e9, UTC)
        if size > MAX_LETTER_BYTES:
            return Parcel(id=name, arrived=arrived, size=size, content=None, head=content)
        return Parcel(id=name, arrived=arrived, size=size, content=content)

    def _file_letter(self, name: str, path: Path) -> None:
        flags = path.name.partition(":2,")[2]
        new_flags = "".join(sorted({*flags, "S"}))
        try:
            path.rename((self._done or self._folder) / "cur" / f"{name}:2,{new_flags}")
        except FileNotFoundError:
            return  # just renamed by a mail program: it comes again, and is known then

    def _has_news(self) -> bool:
        try:
            return any(
                name not in self._names for name, _ in list_letters(self._folder, self._waiting)
            )
        except OSError:
            return False  # the next fetch reports it

    @contextmanager
    def _raise_away(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise Away(
                f"postbox {self._folder}: {error.strerror or error}; check the folder, its"
                " permissions and the disk"
            ) from error


def _look(
    places: Mapping[str, tuple[int, str, Path]], names: Sequence[str]
) -> Iterator[tuple[str, bytes]]:
    """Read the beginnings of letters; empty for those moved meanwhile."""
    for name in names:
        try:
            with places[name][2].open("rb") as file:
                yield name, file.read(MAX_HEADER_BYTES)
        except OSError:
            yield name, b""


class MaildirPostman:
    """Each recipient has a Maildir; a letter is delivered once it is on the disk."""

    def __init__(self, settings: MaildirOut) -> None:
        self._folder = Path(settings.folder).expanduser().absolute()

    async def send(self, envelope: Posting) -> Sequence[Sent]:
        """Write one file for each recipient."""
        return tuple(
            [
                await asyncio.to_thread(self._deliver, envelope, recipient)
                for recipient in dict.fromkeys(envelope.recipients)
            ]
        )

    async def close(self) -> None:
        """Do nothing, since nothing is held open."""

    def _deliver(self, envelope: Posting, recipient: str) -> Sent:
        if not are_fit_addresses(envelope.sender, recipient):
            return Sent(recipient, "never", UNFIT_ADDRESS)
        # as a mail server leaves it: the recipient on top, line ends as in files
        head = f"Return-Path: <{envelope.sender}>\nDelivered-To: {recipient}\n"
        content = head.encode("utf-8", "replace") + envelope.content.replace(b"\r\n", b"\n")
        try:
            deliver_letter(self._folder / recipient_folder(recipient), content)
        except OSError as error:
            return Sent(recipient, "later", f"{self._folder}: {error.strerror or error}")
        return Sent(recipient, "taken")


def recipient_folder(address: str) -> str:
    """Name a recipient's folder like the address, without any way to lead elsewhere."""
    name = quote(address.lower(), safe="@+-_=")
    if name.startswith("."):
        name = "%2E" + name[1:]
    if len(name) > _LONGEST:
        digest = hashlib.sha256(address.lower().encode("utf-8", "surrogatepass")).hexdigest()
        name = f"{name[: _LONGEST - 17]}-{digest[:16]}"
    return name
