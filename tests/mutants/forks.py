"""One process collects all tests; for each fault a fork of it runs those that should find it.

Nothing is imported or collected twice: the fork gives a function its faulty code and begins.
"""

import gc
import os
import resource
import signal
import sys
import tempfile
import time
from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from types import CodeType, FunctionType
from typing import NamedTuple, NoReturn

import pytest
from _pytest.runner import runtestprotocol

from tests import quick
from tests.mutants.faults import Mutant
from tests.mutants.modules import OPTIONS, ROOT
from tests.mutants.reach import Reach

_LEAST, _TIMES = 10.0, 10.0
"""A test that works this many seconds more, and times longer, than without the fault hangs."""
_WAITING = 1800
"""Whoever does not work, either, is woken after so many seconds."""
_MEMORY = 4 << 30
_PASSED, _FAILED, _UNFIT = 0, 1, 3
_PROGRESS = "progress"


class Verdict(NamedTuple):
    """What became of a fault."""

    mutant: Mutant
    test: str | None
    """The one that found it; None if it survived."""
    tried: int
    reaching: int

    def __str__(self) -> str:
        if self.test is not None:
            return f"found {self.mutant} [{self.test}]"
        return f"SURVIVED {self.mutant} [{self.tried} of {self.reaching} tests]"


class _Attempt(NamedTuple):
    mutant: Mutant
    tests: list[str]
    folder: tempfile.TemporaryDirectory[str]


class Trial:
    """A plugin of pytest that tries faults where the tests would run."""

    def __init__(
        self,
        mutants: Sequence[Mutant],
        reach: Reach,
        afresh: Callable[[Mutant, list[str]], str | None],
        report: Callable[[Verdict], None],
        *,
        jobs: int,
        seconds: float,
    ) -> None:
        self._waiting = deque(mutants)
        self._reach = reach
        self._afresh = afresh
        self._report = report
        self._jobs = jobs
        self._seconds = seconds
        self._unsteady: dict[str, bool] = {}
        self._running: dict[int, _Attempt] = {}
        self._later: list[Verdict] = []
        self._items: dict[str, pytest.Item] = {}
        self._functions: dict[tuple[str, str], list[FunctionType]] = {}

    @pytest.hookimpl(trylast=True)
    def pytest_configure(self) -> None:
        """An example that fails is enough, it need not be the shortest."""
        from hypothesis import Phase, settings

        phases = (Phase.explicit, Phase.generate)
        settings.register_profile("forks", settings.get_profile("steady"), phases=phases)
        settings.load_profile("forks")

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Try all faults, so many at a time."""
        self._items = {item.nodeid: item for item in session.items}
        self._functions = _index_functions()
        quick._blank_store()
        while self._waiting or self._running:
            while self._waiting and len(self._running) < self._jobs:
                self._begin(self._waiting.popleft())
            self._end(*os.wait())
        for verdict in self._later:  # files are changed for these, and nobody else must see that
            tests = self._choose_affordable(verdict.mutant)
            found = self._afresh(verdict.mutant, tests)
            self._report(verdict._replace(test=found, tried=len(tests)))
        return True

    def _begin(self, mutant: Mutant) -> None:
        tests = self._choose_tests(mutant)
        folder = tempfile.TemporaryDirectory(prefix="mutant")
        self._running[self._fork(mutant, tests, folder.name)] = _Attempt(mutant, tests, folder)

    def _choose_tests(self, mutant: Mutant) -> list[str]:
        known = (test for test in self._reach.find_tests(mutant) if test in self._items)
        return [test for test in known if not self._unsteady.get(test)]

    def _choose_affordable(self, mutant: Mutant) -> list[str]:
        tests = self._choose_tests(mutant)
        until = accumulate(self._reach.times[test] for test in tests)
        return [test for test, total in zip(tests, until, strict=True) if total <= self._seconds]

    def _end(self, pid: int, status: int) -> None:
        attempt = self._running.pop(pid)
        code = os.waitstatus_to_exitcode(status)
        with attempt.folder as folder:
            tried, test = _read_progress(Path(folder))
        verdict = Verdict(attempt.mutant, None, tried, len(attempt.tests))
        if code == _UNFIT or (code == _PASSED and self._reach.is_read_early(attempt.mutant)):
            self._later.append(verdict)
        elif code == _PASSED:
            self._report(verdict)
        elif self._is_unsteady(test):
            self._waiting.appendleft(attempt.mutant)
        else:
            self._report(verdict._replace(test=test))

    def _is_unsteady(self, test: str) -> bool:
        """Whether it fails in a fork without any fault, too."""
        if test not in self._unsteady:
            with tempfile.TemporaryDirectory(prefix="mutant") as folder:
                status = os.waitpid(self._fork(None, [test], folder), 0)[1]
            self._unsteady[test] = os.waitstatus_to_exitcode(status) != _PASSED
        return self._unsteady[test]

    def _fork(self, mutant: Mutant | None, tests: list[str], folder: str) -> int:
        sys.stdout.flush()
        pid = os.fork()
        if pid == 0:
            self._run(mutant, tests, Path(folder))
        return pid

    def _run(self, mutant: Mutant | None, tests: list[str], folder: Path) -> NoReturn:
        """In the fork."""
        code = _UNFIT
        try:
            _isolate(folder)
            if mutant is None or self._give_fault(mutant):
                code = self._run_tests(tests, folder)
        finally:
            os._exit(code)

    def _run_tests(self, tests: list[str], folder: Path) -> int:
        items = [self._items[test] for test in tests]
        for item in items[:1]:
            item.session.config._tmp_path_factory._given_basetemp = folder / "tmp"  # type: ignore[attr-defined]
        for number, item in enumerate(items, 1):
            (folder / _PROGRESS).write_text(f"{number} {item.nodeid}", "utf-8")
            limit = _LEAST + _TIMES * self._reach.times[item.nodeid]
            signal.setitimer(signal.ITIMER_PROF, limit)
            signal.alarm(_WAITING)
            after = items[number] if number < len(items) else None
            if any(one.failed for one in runtestprotocol(item, log=False, nextitem=after)):
                return _FAILED
            if time.process_time() > self._seconds:
                break
        return _PASSED

    def _give_fault(self, mutant: Mutant) -> bool:
        """Whether all there is of the function could be given the code with the fault."""
        path = str(ROOT / mutant.path)
        functions = self._functions.get((path, mutant.function), [])
        module = compile(mutant.source, path, "exec", dont_inherit=True)
        found = [code for code in _codes(module) if code.co_qualname == mutant.function]
        if len(found) != 1 or not functions:
            return False
        try:
            for function in functions:
                function.__code__ = found[0]
        except ValueError:  # it closes over other names now
            return False
        return True


def _read_progress(folder: Path) -> tuple[int, str]:
    """The number and the name of the last test that began."""
    file = folder / _PROGRESS
    number, _, test = (file.read_text("utf-8") if file.exists() else "0 ").partition(" ")
    return int(number), test


def _isolate(folder: Path) -> None:
    """Nothing of the fork is seen outside its folder, and its memory has an end."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in range(3):
        os.dup2(nothing, number)
    os.environ["TMPDIR"] = tempfile.tempdir = str(folder)
    resource.setrlimit(resource.RLIMIT_DATA, (_MEMORY, _MEMORY))
    for number in (signal.SIGPROF, signal.SIGALRM):
        signal.signal(number, signal.SIG_DFL)


def _index_functions() -> dict[tuple[str, str], list[FunctionType]]:
    """All functions by file and qualified name; the collector knows decorated ones, too."""
    found: dict[tuple[str, str], list[FunctionType]] = defaultdict(list)
    gc.unfreeze()
    for one in gc.get_objects():
        if isinstance(one, FunctionType):
            found[one.__code__.co_filename, one.__code__.co_qualname].append(one)
    gc.freeze()
    return found


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield from _codes(one)


def try_in_forks(trial: Trial) -> int:
    """Run pytest with the trial in it; 0 if all went well."""
    options = ["-q", "--capture=no", "-n", "0", "--tb=no"]
    return int(pytest.main([*options, *OPTIONS], plugins=[trial]))
