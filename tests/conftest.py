"""What several folders of tests need: servers, each worker its own, and a toy game."""

import gc
import os
import tempfile
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from adjudicator.adapters.games.library import FolderLibrary
from tests.order import sort_files
from tests.played import share_unpacked
from tests.quick import lay_folders_in_memory, read_yaml_quickly
from tests.quick import quick as quickly
from tests.servers.dovecot import Dovecot, running_dovecot
from tests.servers.needed import fail_if_skipped
from tests.servers.postfix import Postfix, running_postfix
from tests.servers.postgres import PostgreSQL, running_postgresql
from tests.toy.shelf import shelved


def pytest_configure(config: pytest.Config) -> None:
    """The same examples every time: a red run is red for its change; `make soak` finds new ones.

    Slow machines make nothing red either; a test that hangs has pytest's own time limit.
    """
    lay_folders_in_memory()
    read_yaml_quickly()
    share_unpacked()
    calm = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
    settings.register_profile("steady", derandomize=True, max_examples=30, **calm)
    settings.register_profile("fresh", derandomize=False, print_blob=True, **calm)
    usual = config.getoption("markexpr") in ("", "not soak")
    settings.load_profile("steady" if usual else "fresh")


@pytest.hookimpl(wrapper=True, optionalhook=True)
def pytest_xdist_auto_num_workers() -> Generator[None, int, int]:
    """One more than there are cores: whoever starts a daemon waits for it half of the time."""
    return (yield) + 1


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Thousands of tests are collected and stay: they are not looked through again for garbage."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(20_000, 20, 20)
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """See tests/order.py."""
    sort_files(items)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Whoever sets the variable of tests/servers/needed.py has installed everything."""
    report = yield
    fail_if_skipped(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """The same of files that are skipped as a whole."""
    report = yield
    fail_if_skipped(report)
    return report


@pytest.fixture(scope="session", autouse=True)
def quick() -> Iterator[None]:
    """See tests/quick.py; tests/adapters/store has stores as they are in life."""
    with quickly():
        yield


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgreSQL]:
    """A PostgreSQL for this session, where it is installed."""
    with running_postgresql() as server:
        yield server


@pytest.fixture(scope="session")
def dovecot() -> Iterator[Dovecot]:
    """A Dovecot for this session; `dovecot.user()` is a mailbox that no other test has."""
    with running_dovecot() as server:
        yield server


@pytest.fixture(scope="session")
def bare_dovecot() -> Iterator[Dovecot]:
    """One that has neither IDLE nor MOVE, and wants every folder below INBOX."""
    with running_dovecot(Dovecot.bare) as server:
        yield server


@pytest.fixture(scope="session")
def postfix(dovecot: Dovecot) -> Iterator[Postfix]:
    """A Postfix for this session that hands letters to its Dovecot."""
    with running_postfix(dovecot) as server:
        yield server


@pytest.fixture
def toy_library() -> Iterator[FolderLibrary]:
    """The games of the house, and Toy Duel (tests/toy/seeds/toy_duel/rulebook.md)."""
    with shelved() as library:
        yield library


@pytest.fixture
def plain_user() -> Iterator[Path]:
    """A folder of a user without rights, who runs the test."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        former = os.geteuid()
        if former == 0:
            os.chown(folder, 65534, 65534)
            os.seteuid(65534)
        try:
            yield Path(folder)
        finally:
            os.seteuid(former)
            Path(folder).chmod(0o700)
