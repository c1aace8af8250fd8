"""Runs that are short enough for every day: counted by kills and letters, never by the clock."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.servers.postgres import PostgreSQL
from tests.torture.house import House
from tests.torture.posts import open_post
from tests.torture.run import Torture, lives


@contextmanager
def tortured(
    place: Path,
    seed: int,
    *,
    games: int = 2,
    servers: bool = False,
    postgresql: PostgreSQL | None = None,
    beside: int = 0,
) -> Iterator[Torture]:
    """A house that is gone afterwards."""
    with ExitStack() as stack:
        post = open_post(place, seed, servers=servers)
        stack.callback(post.close)
        house = House(place, post, postgresql)
        stack.callback(house.close)
        yield Torture(house, seed, games, beside=beside)


@pytest.fixture(scope="module")
def ended(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Torture]:
    """A run that is over; its daemon has ended, its house still stands."""
    with tortured(tmp_path_factory.mktemp("torture"), 3, games=1) as torture:
        torture.run(lives(2, 8))
        yield torture
