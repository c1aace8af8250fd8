"""Every test that asks for `store` or `place` runs on both engines."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from adjudicator.adapters.store.opening import open_store
from adjudicator.adapters.store.store import SqlStore
from tests.quick import stores_as_in_life
from tests.servers.postgres import PostgreSQL


@pytest.fixture(autouse=True)
def as_in_life() -> Iterator[None]:
    """Here stores are what is tested."""
    with stores_as_in_life():
        yield


@pytest.fixture
def migrated(postgresql: PostgreSQL) -> str:
    """A database with the schema in it; tests use it one after the other."""
    return postgresql.store()


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def empty(engine: str, tmp_path: Path, request: pytest.FixtureRequest) -> str:
    """Where a store may be made: a file that is not there, or an empty database."""
    if engine == "sqlite":
        return str(tmp_path / "adjudicator.db")
    server: PostgreSQL = request.getfixturevalue("postgresql")
    return server.database()


@pytest.fixture
def place(engine: str, tmp_path: Path, request: pytest.FixtureRequest) -> str:
    """Where a store is."""
    if engine == "sqlite":
        path = str(tmp_path / "adjudicator.db")
        open_store(path).close()
        return path
    url: str = request.getfixturevalue("migrated")
    return url


@pytest.fixture
def opened() -> Iterator[Callable[[str], SqlStore]]:
    """Opens stores and closes them after the test."""
    stores: list[SqlStore] = []

    def opening(where: str) -> SqlStore:
        stores.append(open_store(where))
        return stores[-1]

    yield opening
    for store in stores:
        store.close()


@pytest.fixture
def store(place: str, opened: Callable[[str], SqlStore]) -> SqlStore:
    return opened(place)
