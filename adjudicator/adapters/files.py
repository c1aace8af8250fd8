"""Files that are whole or not there: written aside, then put in their place."""

import fcntl
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from adjudicator.adapters.rights import PRIVATE_FILE_MODE, PUBLISHED_FILE_MODE, make_folder

_ASIDE = (".", ".new")


def replace_file(
    path: Path, content: bytes, *, published: bool = False, synced: bool = False
) -> bool:
    """Replace the file's content in one step, never seen half done; returns whether it changed.

    `synced`: a loss of power right afterwards does not bring the former content back.
    """
    mode = PUBLISHED_FILE_MODE if published else PRIVATE_FILE_MODE
    try:
        if path.read_bytes() == content and (path.stat().st_mode & 0o777) == mode:
            return False
    except OSError:
        make_folder(path.parent, published=published)
    # made for the owner alone, so that nobody else can read it even for an instant
    handle, name = tempfile.mkstemp(prefix=_ASIDE[0], suffix=_ASIDE[1], dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            if synced:
                file.flush()
                os.fsync(file.fileno())
        Path(name).chmod(mode)
        Path(name).replace(path)
        if synced:
            sync_folder(path.parent)
    except BaseException as error:
        Path(name).unlink(missing_ok=True)
        if isinstance(error, OSError) and error.filename is None:
            error.filename = str(path)  # a full disk does not say where
        raise
    return True


def sync_folder(folder: Path) -> None:
    """Write the folder, or a file, to disk: a file's name is safe only when its folder is."""
    handle = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def lock_folder(folder: Path, *, published: bool = False) -> Iterator[None]:
    """Lock the folder; others wait, and the kernel unlocks it however this process ends."""
    make_folder(folder, published=published)
    handle = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        with suppress(OSError):  # some network disks have no locks; single files are still whole
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def list_files(folder: Path) -> set[str]:
    """List all files below a folder, as paths relative to it."""
    start = len(f"{folder}/")
    return {f"{place}/{name}"[start:] for place, _, names in os.walk(folder) for name in names}


def sweep_folder(folder: Path, *, deep: bool = False) -> None:
    """Remove temporary files left by killed processes; the caller must be alone in the folder."""
    pattern = f"{_ASIDE[0]}????????{_ASIDE[1]}"
    for path in sorted(folder.rglob(pattern) if deep else folder.glob(pattern)):
        path.unlink(missing_ok=True)


def remove_file(top: Path, path: str) -> None:
    """Remove a file, and the folders that are empty without it."""
    (top / path).unlink(missing_ok=True)
    folder = (top / path).parent
    while folder != top and folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()
        folder = folder.parent


def is_inside(path: str) -> bool:
    """Whether a path read from a file stays below the folder it is relative to."""
    return not path.startswith("/") and ".." not in path.split("/")
