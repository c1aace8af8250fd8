"""Which test passes which line: a plugin of pytest notes it once, and each fault asks.

python -m pytest -p tests.mutants.reach     # writes into the folder that MUTANTS_REACH names
"""

import json
import os
import time
from collections.abc import Generator
from pathlib import Path

import pytest
from coverage import Coverage, CoverageData

from tests.mutants.faults import Mutant
from tests.mutants.modules import MUTATED, ROOT

FOLDER = "MUTANTS_REACH"


class Recorder:
    """Notes lines, seconds and failures of the tests of one process."""

    def __init__(self, folder: Path) -> None:
        self._times: dict[str, float] = {}
        self._failed: list[str] = []
        self._times_file = folder / f"times-{os.getpid()}.json"
        self._coverage = Coverage(
            data_file=str(folder / "lines"),
            data_suffix=True,
            config_file=False,
            include=[str(ROOT / pattern) for pattern in MUTATED],
            messages=False,
        )
        self._coverage.set_option("run:core", "ctrace")
        self._coverage.start()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Note the lines, and the seconds of work."""
        self._coverage.switch_context(item.nodeid)
        start = time.process_time()
        try:
            return (yield)
        finally:
            self._times[item.nodeid] = time.process_time() - start
            self._coverage.switch_context("")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note what fails without any fault."""
        if report.failed:
            self._failed.append(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        """Write it all down."""
        self._coverage.stop()
        self._coverage.save()
        self._times_file.write_text(json.dumps([self._times, self._failed]), "utf-8")


def pytest_configure(config: pytest.Config) -> None:
    """Record what this process runs."""
    config.pluginmanager.register(Recorder(Path(os.environ[FOLDER])))


class Reach:
    """What was recorded; tests that fail without a fault are left out."""

    def __init__(self, folder: Path) -> None:
        self.times: dict[str, float] = {}
        failed: set[str] = set()
        for file in folder.glob("times-*.json"):
            times, failures = json.loads(file.read_text("utf-8"))
            self.times |= times
            failed |= set(failures)
        self.times = {test: took for test, took in self.times.items() if test not in failed}
        self._recorded = [CoverageData(str(file)) for file in sorted(folder.glob("lines.*"))]
        for data in self._recorded:
            data.read()
        self._known: dict[str, dict[int, set[str]]] = {}

    def find_tests(self, mutant: Mutant) -> list[str]:
        """Those that pass a line of the fault, or else one of its module; the quickest first."""
        lines = self._tests_by_line(mutant.path)
        concerned = mutant.lines if mutant.function else lines
        found = {test for line in concerned for test in lines.get(line, ())} - {""}
        return sorted(found & self.times.keys(), key=lambda test: (self.times[test], test))

    def is_read_early(self, mutant: Mutant) -> bool:
        """Whether something has run this line before there was any test."""
        lines = self._tests_by_line(mutant.path)
        return any("" in lines.get(line, ()) for line in mutant.lines)

    def _tests_by_line(self, path: str) -> dict[int, set[str]]:
        if path not in self._known:
            known: dict[int, set[str]] = {}
            for data in self._recorded:
                for file in data.measured_files():
                    if file.endswith(f"/{path}"):
                        for line, tests in data.contexts_by_lineno(file).items():
                            known.setdefault(line, set()).update(tests)
            self._known[path] = known
        return self._known[path]
