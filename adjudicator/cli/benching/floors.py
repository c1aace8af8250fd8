"""What the machine and the standard library can do at best, measured beside everything else."""

import hashlib
import json
import sqlite3
from pathlib import Path
from typing import Any


def fingerprint(document: Any) -> str:
    """The standard library's sorted JSON of a document, and its SHA-256."""
    return hashlib.sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()


class Ledger:
    """A SQLite file of one table, with a write-ahead log; every commit is on the disk."""

    def __init__(self, path: Path) -> None:
        self._connection = sqlite3.connect(path, isolation_level=None)
        self._connection.execute("PRAGMA journal_mode=WAL").fetchone()
        self._connection.execute("PRAGMA synchronous=FULL")
        self._connection.execute("CREATE TABLE IF NOT EXISTS entries (content BLOB NOT NULL)")

    def write(self, content: bytes) -> None:
        """One transaction that writes these bytes as one row."""
        self._connection.execute("BEGIN IMMEDIATE")
        self._connection.execute("INSERT INTO entries VALUES (?)", (content,))
        self._connection.execute("COMMIT")

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()
