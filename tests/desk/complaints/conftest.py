"""A game by letters, as players and GMs of other systems would complain about it."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from adjudicator.adapters.games.library import FolderLibrary
from tests.desk.twins import World

SETTINGS = {"pace": "3h", "press": "grey", "nmr_limit": 9, "remind": ["1h"], "interrupt_pace": "3h"}


@pytest.fixture
def world(tmp_path: Path, toy_library: FolderLibrary) -> Iterator[World]:
    """Three people who play Toy Duel; the first reports have gone out."""
    with ExitStack() as ends:
        made = World(tmp_path / "adjudicator.db", toy_library, ends)
        made.new("toy-duel", 3, ["red", "blue", "green"], settings=SETTINGS, options={"rounds": 5})
        made.mail.deliver()
        yield made
