"""Folders of letters as Maildir has them: whole files only, moved into place, never locked."""

import itertools
import os
import secrets
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from stat import S_ISREG

FOLDERS = ("tmp", "new", "cur")
_numbers = itertools.count()


def make_maildir(folder: Path) -> None:
    """The three folders of a Maildir, readable by their owner only."""
    for name in FOLDERS:
        (folder / name).mkdir(mode=0o700, parents=True, exist_ok=True)


def deliver_letter(folder: Path, content: bytes, at: float | None = None) -> Path:
    """One letter into new/, whole or not at all, and on the disk when this returns."""
    make_maildir(folder)
    name = _make_name()
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
    _sync_folder(letter.parent)
    return letter


def letter_key(name: str) -> str:
    """What a letter is called whichever folder it is in and however it is flagged."""
    return name.partition(":")[0]


def list_entries(folder: Path, *names: str) -> Iterator[os.DirEntry[str]]:
    """The letters of these subfolders; whatever else lies there is not ours."""
    for name in names:
        with os.scandir(folder / name) as found:
            yield from (entry for entry in found if not entry.name.startswith("."))


def read_entry_status(entry: os.DirEntry[str]) -> os.stat_result | None:
    """A letter's size and time; None for what is no plain file or was taken away meanwhile."""
    try:
        about = entry.stat(follow_symlinks=False)
    except FileNotFoundError:
        return None
    return about if S_ISREG(about.st_mode) else None


def _make_name() -> str:
    host = socket.gethostname().replace("/", "\\057").replace(":", "\\072")
    count = next(_numbers)
    return f"{time.time():.6f}.P{os.getpid()}Q{count}R{secrets.token_hex(4)}.{host}"


def _sync_folder(folder: Path) -> None:
    """A name in a folder is on the disk only when the folder is."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
