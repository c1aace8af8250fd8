"""Rights on the disk: only the owner may read files, except those that are published."""

import itertools
import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PRIVATE_FILE_MODE, PUBLISHED_FILE_MODE = 0o600, 0o644
PUBLISHED_FOLDER_MODE = 0o755
SITE_MARK = b'<meta name="generator" content="adjudicator">'
"""In the first page of a site."""
_PUBLIC_ARCHIVE = b"\ncontents: public\n"
_OTHERS = 0o077
_STRANGERS = 0o007
_HEAD = 4096


@contextmanager
def keep_to_owner() -> Iterator[None]:
    """Restrict new files to their owner while this is open, except published ones."""
    before = os.umask(_OTHERS)
    try:
        yield
    finally:
        os.umask(before)


def make_folder(folder: Path, *, published: bool = False) -> None:
    """Make the folder and any missing ones above it."""
    missing = itertools.takewhile(lambda one: not one.exists(), (folder, *folder.parents))
    for one in reversed(list(missing)):
        with suppress(FileExistsError):
            one.mkdir(mode=0o700)
            if published:
                one.chmod(PUBLISHED_FOLDER_MODE)
    folder.mkdir(exist_ok=True)  # the error says what is there instead


def set_rights(top: Path, paths: Iterable[str], *, published: bool) -> None:
    """Set whether others can read these files and the folders below `top` that hold them."""
    file, folder = (
        (PUBLISHED_FILE_MODE, PUBLISHED_FOLDER_MODE) if published else (PRIVATE_FILE_MODE, 0o700)
    )
    modes = dict.fromkeys((Path(path) for path in paths), file)
    modes |= {one: folder for path in list(modes) for one in path.parents if one.parts}
    for path, mode in modes.items():
        if (top / path).exists() and _read_mode(top / path) != mode:
            (top / path).chmod(mode)


def find_open(home: Path, posts: Iterable[Path] = ()) -> Iterator[tuple[Path, int]]:
    """Find what others can read of a home and of post folders elsewhere, with its proper mode.

    A group may share a post folder with the mail server; nobody else may read it.
    """
    yield from _find_below(home, _read_mode(home)) if home.is_dir() else ()
    for post in posts:
        mode = _read_mode(post) if post.is_dir() else 0
        if mode & _STRANGERS:
            yield post, mode & ~_STRANGERS


def close_to_others(home: Path, posts: Iterable[Path] = ()) -> None:
    """Remove others' rights to what `find_open` finds, as far as this process may."""
    for path, mode in find_open(home, posts):
        with suppress(OSError):
            path.chmod(mode)


def close_folder(folder: Path) -> None:
    """Remove others' rights to the folder, unless it is a public one such as /tmp."""
    mode = _read_mode(folder)
    if mode & _OTHERS and not mode & stat.S_ISVTX:
        folder.chmod(mode & ~_OTHERS)


def _find_below(folder: Path, mode: int) -> Iterator[tuple[Path, int]]:
    if mode & stat.S_ISVTX:
        return
    if mode & _OTHERS:
        yield folder, mode & ~_OTHERS
    for path in _list_entries(folder):
        with suppress(FileNotFoundError):  # a draft, deleted since
            mode = path.lstat().st_mode
            if stat.S_ISDIR(mode):
                yield from () if _is_published(path) else _find_below(path, stat.S_IMODE(mode))
            elif mode & _OTHERS and not stat.S_ISLNK(mode):
                yield path, stat.S_IMODE(mode) & ~_OTHERS


def _list_entries(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def _is_published(folder: Path) -> bool:
    """Whether the folder holds a site or a public archive."""
    return SITE_MARK in _read_head(folder / "index.html") or _PUBLIC_ARCHIVE in _read_head(
        folder / "game.yaml"
    )


def _read_head(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(_HEAD)
    except OSError:
        return b""


def _read_mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)
