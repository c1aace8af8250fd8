"""Faults in what is done once, when a module is imported: a process of its own for each."""

import os
import subprocess
import sys

from tests.mutants.faults import Module, Mutant
from tests.mutants.modules import ROOT

_SECONDS = 1800
_MANY = 1500
"""So many tests at most, the quickest: a command line has its limits."""


class Afresh:
    """Puts faults into the files of this checkout, one at a time."""

    def __init__(self) -> None:
        self._unsteady: dict[tuple[str, str], bool] = {}

    def find_test(self, mutant: Mutant, tests: list[str]) -> str | None:
        """The first test that fails, or all if they never end; None if all pass."""
        left = tests[:_MANY]
        while left:
            failed = self._run(mutant, left)
            if failed is None or not self._is_unsteady(mutant.path, failed):
                return failed
            left = [test for test in left if test != failed]
        return None

    def _is_unsteady(self, path: str, test: str) -> bool:
        """Whether it fails when the file has a comment more, too."""
        if (path, test) not in self._unsteady:
            control = Module(path, (ROOT / path).read_text("utf-8")).control()
            self._unsteady[path, test] = self._run(control, [test]) is not None
        return self._unsteady[path, test]

    def _run(self, mutant: Mutant, tests: list[str]) -> str | None:
        path = ROOT / mutant.path
        whole = path.read_text("utf-8")
        path.write_text(mutant.source, "utf-8")
        command = [sys.executable, "-m", "pytest", "-q", "-x", "--tb=no", "-n", "0", "-rfE"]
        try:
            done = subprocess.run(
                [*command, "-p", "no:cacheprovider", *tests],
                cwd=ROOT,
                env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"},
                stdout=subprocess.PIPE,
                text=True,
                timeout=_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return tests[0]
        finally:
            path.write_text(whole, "utf-8")
        if done.returncode == 0:
            return None
        said = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
        return next((test for test in tests if any(test in line for line in said)), tests[0])
