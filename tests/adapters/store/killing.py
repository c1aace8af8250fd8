"""Processes that close steps, together or until killed: `python -m …killing`.

Each line that comes is a list of PLACE, HOW and COUNT; what goes is what each of them found.

`statements`: one process for each statement of a closing and its commit, killed at that statement.
`times`: COUNT processes that close step after step, each killed in the middle of a step.
`games`: the same, and what they close are steps of real games, by the desk.
`race`: two processes that close the same COUNT steps.
"""

import json
import os
import random
import signal
import sys
import time
from collections.abc import Callable
from typing import Any

from adjudicator.adapters.store.opening import open_store
from adjudicator.adapters.store.store import SqlStore
from tests.adapters.store import playing
from tests.adapters.store.examples import close
from tests.adapters.store.faults import Watch, watched


class Kill(Watch):
    """Ends this process where another watch throws."""

    def _see(self, what: str) -> None:
        self.seen.append(what)
        if len(self.seen) == self.at:
            os.kill(os.getpid(), signal.SIGKILL)


def forked(work: Callable[[], Any]) -> int:
    """A process that does this work and never comes back."""
    child = os.fork()
    if child:
        return child
    try:
        work()
    finally:
        os._exit(3)


def close_and_die(place: str, at: int) -> None:
    store = open_store(place)
    with watched(store, watch=Kill(at)), store.writing() as books:
        close(books)


def close_next(store: SqlStore) -> None:
    with store.writing() as books:
        close(books, books.locked("ember").open_step or 0)


def play_next(store: SqlStore) -> None:
    with store.writing() as books:
        playing.go_on(books)


def work_on_and_on(place: str, progress: int, work: Callable[[SqlStore], None]) -> None:
    """Work until killed; a byte goes to `progress` at the start and after each piece of work."""
    with open_store(place) as store:
        os.write(progress, b".")
        while True:
            work(store)
            os.write(progress, b".")


def kill_at_statements(place: str) -> int:
    with open_store(place) as store, watched(store) as whole, store.trying() as books:
        close(books)
    points = len(whole.seen) + 1  # the commit
    for at in range(1, points + 1):
        _, status = os.waitpid(forked(lambda at=at: close_and_die(place, at)), 0)
        assert os.WTERMSIG(status) == signal.SIGKILL, f"statement {at}: status {status}"
    return points


def kill_at_times(
    place: str, count: int, work: Callable[[SqlStore], None] = close_next, longest: float = 0.03
) -> int:
    """Kill each process somewhere in a piece of work, after none, one or two that it finished."""
    chance = random.Random(count)
    for _ in range(count):
        watched_end, progress = os.pipe()
        child = forked(lambda progress=progress: work_on_and_on(place, progress, work))
        os.close(progress)
        for _ in range(1 + chance.randint(0, 2)):
            assert os.read(watched_end, 1) == b".", "the process ended by itself"
        time.sleep(chance.uniform(0, longest))
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        os.close(watched_end)
        assert os.WTERMSIG(status) == signal.SIGKILL, f"status {status}"
    return count


def close_if_open(place: str, count: int) -> int:
    """How many of the steps this process closed."""
    won = 0
    with open_store(place) as store:
        for number in range(1, count + 1):
            with store.writing() as books:
                books.locked("ember")
                if books.step("ember", number).closed is None:
                    close(books, number)
                    won += 1
    return won


def race(place: str, count: int) -> int:
    children = [forked(lambda: os._exit(close_if_open(place, count))) for _ in range(2)]
    won = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
    assert sum(won) == count, won
    return count


HOW: dict[str, Callable[[str, int], int]] = {
    "statements": lambda place, _count: kill_at_statements(place),
    "times": kill_at_times,
    "games": lambda place, count: kill_at_times(place, count, play_next, 0.2),
    "race": race,
}

if __name__ == "__main__":
    for line in sys.stdin:
        where, how, kills = json.loads(line)
        print(HOW[how](where, kills), flush=True)
