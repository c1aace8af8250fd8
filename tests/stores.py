"""The stores of tests: copies of one that was migrated once, which do not wait for the disk.

Waiting for the disk keeps books from a power cut, and no test has one; kill -9 needs no waiting.
"""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from adjudicator.adapters.store import engines, opening

_make_file, _set_up_sqlite = opening._make_file, engines._set_up_sqlite


@cache
def blank_store() -> bytes:
    """An empty store, migrated once."""
    with tempfile.TemporaryDirectory() as folder, stores_as_in_life():
        opening.open_store(Path(folder) / "adjudicator.db").close()
        return (Path(folder) / "adjudicator.db").read_bytes()


@contextmanager
def quick_stores() -> Iterator[None]:
    """What this process opens is quick."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(opening, "_make_file", _copy_file)
        patch.setattr(engines, "_set_up_sqlite", _set_up_quickly)
        yield


@contextmanager
def stores_as_in_life() -> Iterator[None]:
    """What this process opens is made and written as it is for a GM."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(opening, "_make_file", _make_file)
        patch.setattr(engines, "_set_up_sqlite", _set_up_sqlite)
        yield


def _copy_file(path: Path, name: str) -> None:
    """Copied where nothing is; what cannot be is told by what makes files otherwise."""
    blank = blank_store()
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(blank)
    _make_file(path, name)


def _set_up_quickly(connection: Any, record: Any) -> None:
    _set_up_sqlite(connection, record)
    connection.execute("PRAGMA synchronous=OFF")
