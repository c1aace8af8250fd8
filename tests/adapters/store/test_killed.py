"""Processes that close steps, against each other and under kill -9: whole closings only."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from adjudicator.adapters.store.store import SqlStore
from tests.adapters.store import playing
from tests.adapters.store.examples import begin, close, closings

ROOT = Path(__file__).parents[3]


Run = Callable[..., int]


@pytest.fixture(scope="module")
def run() -> Iterator[Run]:
    """A place, how processes are killed there, and how many: all by one program, see killing.py."""
    command = [sys.executable, "-m", "tests.adapters.store.killing"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        to, fro = program.stdin, program.stdout

        def told(place: str, how: str, count: int = 0) -> int:
            print(json.dumps([place, how, count]), file=to, flush=True)
            return int(fro.readline() or pytest.fail("the program has ended; see its error above"))

        yield told
        to.close()
    assert program.returncode == 0


def test_killed_at_any_statement(run: Run, place: str, opened: Callable[[str], SqlStore]) -> None:
    store = opened(place)
    begin(store)
    assert run(place, "statements") >= 8
    with store.writing() as books:
        assert closings(books) == 0
        close(books)
        assert closings(books) == 1


def killed_at_times(run: Run, store: SqlStore, place: str, count: int) -> None:
    begin(store)
    assert run(place, "times", count) == count
    with store.writing() as books:
        done = closings(books)
        assert done >= count / 2  # of three kinds of processes, two finish steps
        close(books, done + 1)
        assert closings(books) == done + 1


def test_killed_five_times(run: Run, place: str, opened: Callable[[str], SqlStore]) -> None:
    killed_at_times(run, opened(place), place, 5)


@pytest.mark.soak
@pytest.mark.timeout(1800)
def test_killed_a_thousand_times(run: Run, place: str, opened: Callable[[str], SqlStore]) -> None:
    killed_at_times(run, opened(place), place, 1000)


def games_killed_at_times(run: Run, store: SqlStore, place: str, count: int) -> None:
    assert run(place, "games", count) == count
    done = playing.verified(store)
    assert done >= count / 2  # of three kinds of processes, two finish steps
    with store.writing() as books:
        playing.go_on(books)
    assert playing.verified(store) == done + 1


def test_real_games_killed_five_times(
    run: Run, place: str, opened: Callable[[str], SqlStore]
) -> None:
    """Whatever the moment, what is in the books afterwards is whole and can be played again."""
    games_killed_at_times(run, opened(place), place, 5)


@pytest.mark.soak
@pytest.mark.timeout(1800)
def test_real_games_killed_a_thousand_times(
    run: Run, place: str, opened: Callable[[str], SqlStore]
) -> None:
    games_killed_at_times(run, opened(place), place, 1000)


def test_two_processes_close_each_step_once(
    run: Run, place: str, opened: Callable[[str], SqlStore]
) -> None:
    """Each looks whether the step is open, as the desk does, and closes it then."""
    store = opened(place)
    begin(store)
    assert run(place, "race", 15) == 15
    with store.reading() as books:
        assert closings(books) == 15
