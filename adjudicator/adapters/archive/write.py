"""Writing an archive's files: only what changed, each file whole, chain.txt last."""

import os
import tempfile
from pathlib import Path

from adjudicator.adapters.archive import chainfile, places
from adjudicator.adapters.archive.pack import Files
from adjudicator.adapters.archive.trouble import ArchiveTrouble

_OWNER_ONLY = 0o600
_EVERYBODY = 0o644


def write(folder: Path, files: Files) -> tuple[str, ...]:
    """Make the folder hold these files; tells which were written or taken away.

    A reader never sees half a file. Whoever is interrupted leaves an old chain.txt, which does
    not fit the new files; writing again mends that. Files that are not the archive's stay.
    """
    before = _listed(folder)
    in_order = sorted(files, key=lambda name: (name == places.CHAIN, name))
    changed = [
        path
        for path in in_order
        if _replace(folder / path, files[path], private=path == places.PRIVATE)
    ]
    for path in sorted(before - set(files)):
        (folder / path).unlink(missing_ok=True)
        _prune(folder, (folder / path).parent)
        changed.append(path)
    return tuple(changed)


def _listed(folder: Path) -> set[str]:
    """What the archive that is there calls its own."""
    try:
        listed = chainfile.read((folder / places.CHAIN).read_bytes()).files
    except (OSError, ArchiveTrouble):
        return set()
    return {path for path in listed if _inside(path)}


def _inside(path: str) -> bool:
    parts = Path(path).parts
    return not Path(path).is_absolute() and ".." not in parts


def _replace(path: Path, content: bytes, *, private: bool) -> bool:
    mode = _OWNER_ONLY if private else _EVERYBODY & ~_umask()
    try:
        if path.read_bytes() == content and (path.stat().st_mode & 0o777) == mode:
            return False
    except OSError:
        path.parent.mkdir(parents=True, exist_ok=True)
    # made for the owner alone, so that not even for an instant anybody else can read it
    handle, name = tempfile.mkstemp(prefix=".", suffix=".new", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(name).chmod(mode)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    return True


def _umask() -> int:
    mask = os.umask(0o022)
    os.umask(mask)
    return mask


def _prune(top: Path, folder: Path) -> None:
    """Take away folders that hold nothing any more."""
    while folder != top and folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()
        folder = folder.parent
