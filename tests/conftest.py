"""What several folders of tests need: servers, each worker its own, and a toy game."""

from collections.abc import Iterator

import pytest

from adjudicator.adapters.library import FolderLibrary
from tests.servers.postgres import PostgreSQL, binaries
from tests.toy.shelf import shelved


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgreSQL]:
    """A PostgreSQL for this session, where it is installed."""
    folder = binaries()
    if folder is None:
        pytest.skip("PostgreSQL is not installed: no initdb on PATH or in /usr/lib/postgresql")
    server = PostgreSQL(folder)
    yield server
    server.stop()


@pytest.fixture
def toy_library() -> Iterator[FolderLibrary]:
    """The games of the house, and Toy Duel (tests/toy/seeds/toy_duel/rulebook.md)."""
    with shelved() as library:
        yield library
