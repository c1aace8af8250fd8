"""Puts the toy game among the games of the house, as a fifth folder would stand there."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import adjudicator.rules
from adjudicator.adapters.games.library import FolderLibrary

ROOT = Path(__file__).parent


@contextmanager
def shelved(*roots: Path) -> Iterator[FolderLibrary]:
    """A library that holds the toy game, too; its rules are found by their folder."""
    adjudicator.rules.__path__.append(str(ROOT / "rules"))
    try:
        yield FolderLibrary([*roots, ROOT])
    finally:
        adjudicator.rules.__path__.remove(str(ROOT / "rules"))
