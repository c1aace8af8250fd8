"""The journal: what was played, in a file of its own beside the database, so that it can be missed.

A line of JSON for each commit that adds to a game's chain. A database that was put back from a
backup knows less than its journal. Several daemons may write to it, one after the other. The first
line says which file it is, so that a copy is seen to be one; a home that is moved within its file
system keeps it.
"""

import fcntl
import os
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

import msgspec
from msgspec import Struct

from adjudicator.adapters.files import replace_file
from adjudicator.adapters.rights import PRIVATE_FILE_MODE
from adjudicator.core.document import digest
from adjudicator.desk.model.epochs import JournalLength
from adjudicator.desk.model.values import Head

_LONG = 1024 * 1024


class Remembered(Struct, frozen=True, kw_only=True):
    """What a journal says."""

    heads: Mapping[str, Head]
    """Where the chain of each game ended."""
    is_copy: bool
    """It is not the file that it was begun as."""
    lines: int
    rounds: int = 0
    """How many rounds the daemon has made; perhaps it has made one more."""


class _Line(Struct, frozen=True):
    """What a line of the journal tells: the first one its file, the others games."""

    file: list[int] | None = None
    games: Mapping[str, Any] = {}


class Journal:
    """One home's journal."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._rounds = path.with_name("rounds")

    def append(self, fingerprint: str, heads: Mapping[str, Head | None]) -> None:
        """Record where games are now, None for a deleted one; on disk when this returns."""
        with self._locked() as file:
            size = file.seek(0, os.SEEK_END)
            if size:  # a line cut off by a crash stays on its own
                file.seek(size - 1)
                is_torn = file.read(1) != b"\n"
                file.write(b"\n" if is_torn else b"")
            file.write(_encode_line({"secret": fingerprint, "games": heads}))
            file.flush()
            os.fsync(file.fileno())

    @contextmanager
    def _locked(self) -> Iterator[BinaryIO]:
        """Open the journal, made if it is missing, while no other process writes to it."""
        while True:
            if not self._path.exists():
                self._begin(self._path)
            with self._path.open("r+b") as file:
                fcntl.flock(file, fcntl.LOCK_EX)
                with suppress(FileNotFoundError):
                    if self._path.stat().st_ino == os.fstat(file.fileno()).st_ino:
                        yield file
                        return
            # another one took its place while we waited

    def read(self, before: JournalLength | None = None) -> Remembered | None:
        """Read the journal, or what it says beyond a known length; None if there is none."""
        try:
            with self._path.open("rb") as file:
                place = _identify_file(file.fileno())
                first = file.readline()
                if before is not None and before.first == digest(first):
                    file.seek(max(before.size, len(first)))
                lines = [first, *file.read().splitlines()]
        except FileNotFoundError:
            return None
        heads: dict[str, Head] = {}
        is_copy = True
        for line in lines:
            try:
                entry = msgspec.json.decode(line, type=_Line)
            except (ValueError, RecursionError):  # cut off by a crash, or damaged
                continue
            is_copy = is_copy and entry.file != place
            for game, head in entry.games.items():
                heads.pop(game, None)
                if head is not None:
                    with suppress(msgspec.ValidationError):
                        heads[game] = msgspec.convert(head, Head)
        return Remembered(
            heads=heads, is_copy=is_copy, lines=len(lines), rounds=self._read_rounds()
        )

    def measure(self) -> JournalLength | None:
        """Measure the journal, which only grows while it is this file; None if there is none."""
        try:
            with self._path.open("rb") as file:
                first = file.readline()
                return JournalLength(digest(first), os.fstat(file.fileno()).st_size)
        except FileNotFoundError:
            return None

    def count_round(self, number: int) -> None:
        """Record how many rounds the daemon has made; lost if the machine stops at once."""
        replace_file(self._rounds, f"{number}\n".encode())

    def _read_rounds(self) -> int:
        with suppress(OSError, ValueError):
            return int(self._rounds.read_text())
        return 0

    def copy(self, fingerprint: str) -> bytes:
        """Copy the journal for a copy of the home, valid in whichever file it is put."""
        remembered = self.read()
        entry = {"secret": fingerprint, "games": remembered.heads if remembered else {}}
        return _encode_first(None) + _encode_line(entry)

    def is_long(self) -> bool:
        """Whether the journal takes noticeably long to read, so that it should be restarted."""
        return self._path.exists() and self._path.stat().st_size > _LONG

    def shorten(self, fingerprint: str) -> None:
        """Start the journal anew with what it says, and forget how that came about."""
        with self._locked():
            remembered = self.read()
            self._replace(fingerprint, remembered.heads if remembered else {})

    def restart(self, fingerprint: str, heads: Mapping[str, Head]) -> None:
        """Start a new journal, bound to this place, with these games only."""
        with self._locked():
            self._replace(fingerprint, heads)
        self._rounds.unlink(missing_ok=True)

    def _replace(self, fingerprint: str, heads: Mapping[str, Head]) -> None:
        draft = self._path.with_name(f".journal-{secrets.token_hex(8)}")
        self._begin(draft)
        Journal(draft).append(fingerprint, heads)
        draft.replace(self._path)

    @staticmethod
    def _begin(path: Path) -> None:
        """Start the journal; two processes that do so at once each write such a line."""
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(
            path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, PRIVATE_FILE_MODE
        )
        with os.fdopen(handle, "ab") as file:
            file.write(_encode_first(_identify_file(handle)))


def _identify_file(handle: int) -> list[int]:
    """Identify a file until it is copied, by its file system and its number there.

    The device number is not used, since it may change when the machine restarts.
    """
    return [os.fstatvfs(handle).f_fsid, os.fstat(handle).st_ino]


def _encode_first(place: list[int] | None) -> bytes:
    """Encode the first line, which no other journal has: places of files are used again."""
    return _encode_line({"journal": 1, "file": place, "id": secrets.token_hex(8)})


def _encode_line(content: Mapping[str, Any]) -> bytes:
    return msgspec.json.encode(content) + b"\n"
