"""Servers that several folders of tests need; each worker has its own."""

from collections.abc import Iterator

import pytest

from tests.servers.postgres import PostgreSQL, binaries


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgreSQL]:
    """A PostgreSQL for this session, where it is installed."""
    folder = binaries()
    if folder is None:
        pytest.skip("PostgreSQL is not installed: no initdb on PATH or in /usr/lib/postgresql")
    server = PostgreSQL(folder)
    yield server
    server.stop()
