"""Whom files and folders are for."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

MASKS = (0o000, 0o022, 0o077)
"""Usual umasks, and the most careless one."""


@contextmanager
def umask(mask: int) -> Iterator[None]:
    """What is made meanwhile, also by other processes that start now, has this umask."""
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


def modes(folder: Path) -> dict[Path, int]:
    """Of the folder and of all that is in it."""
    return {path: path.lstat().st_mode & 0o777 for path in (folder, *folder.rglob("*"))}


def readable(folder: Path) -> list[Path]:
    """What there others than its owner have any right to."""
    return [path for path, mode in modes(folder).items() if mode & 0o077]


def closed(folder: Path) -> list[Path]:
    """What there not everybody can read."""
    wanted = {path: 0o755 if path.is_dir() else 0o644 for path in modes(folder)}
    return [path for path, mode in modes(folder).items() if mode != wanted[path]]


def open_all(folder: Path) -> None:
    """As careless programs leave it."""
    for path in modes(folder):
        path.chmod(0o755 if path.is_dir() else 0o644)
