"""Folders for unfinished work; those of processes that were killed are swept away."""

import fcntl
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from adjudicator.adapters.rights import PRIVATE_FILE_MODE

_PREFIX = ".adjudicator-work-"
_PATTERN = f"{_PREFIX}{'?' * 8}"
_LOCK = "lock"


@contextmanager
def open_workspace(place: Path) -> Iterator[Path]:
    """Make a folder in this place, and remove it at the end with all that is left in it."""
    sweep_workspaces(place)
    folder, handle = _make(place)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        if handle is not None:
            os.close(handle)


def sweep_workspaces(place: Path) -> None:
    """Remove the workspaces in this place that no living process holds."""
    for folder in sorted(place.glob(_PATTERN)):
        with suppress(OSError):  # it is held, or gone meanwhile
            _require_own(folder)
            handle = _lock(folder)
            shutil.rmtree(folder, ignore_errors=True)
            os.close(handle)


def _make(place: Path) -> tuple[Path, int | None]:
    while True:
        folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=place))
        try:
            return folder, _lock(folder)
        except (BlockingIOError, FileNotFoundError):
            continue  # it was swept before it was locked
        except OSError:
            return folder, None  # some network disks know no locks; nothing is swept there


def _require_own(folder: Path) -> None:
    """In a folder such as /tmp others may have made one of that name."""
    facts = folder.lstat()
    if not stat.S_ISDIR(facts.st_mode) or facts.st_uid != os.geteuid():
        raise PermissionError


def _lock(folder: Path) -> int:
    """Lock the folder by a file in it; the kernel unlocks it however this process ends."""
    path = folder / _LOCK
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, PRIVATE_FILE_MODE)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        is_there = os.path.samestat(path.stat(), os.fstat(handle))
    except BaseException:
        os.close(handle)
        raise
    if not is_there:
        os.close(handle)
        raise FileNotFoundError(path)
    return handle
