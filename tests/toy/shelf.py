"""Puts the toy game among the games of the house, as a fifth folder would stand there."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import adjudicator.rules
from adjudicator.adapters.games.library import FolderLibrary

ROOT = Path(__file__).parent


@cache
def _library(*roots: Path) -> FolderLibrary:
    """One for all tests of a process: what it has read of a game is not read again."""
    return FolderLibrary([*roots, ROOT])


@contextmanager
def shelved(*roots: Path) -> Iterator[FolderLibrary]:
    """A library that holds the toy game, too; its rules are found by their folder."""
    adjudicator.rules.__path__.append(str(ROOT / "rules"))
    try:
        yield _library(*roots)
    finally:
        adjudicator.rules.__path__.remove(str(ROOT / "rules"))
