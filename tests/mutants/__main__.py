"""Mutation testing: small faults are put into the modules that matter; tests should find each.

python -m tests.mutants --sample 400 --seed 1     # survivors are listed
"""

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.mutants.faults import Module, Mutant
from tests.mutants.modules import OPTIONS, ROOT, list_modules

_COPIED = (
    *("adjudicator", "games", "orders", "seeds", "templates", "tests", ".github", ".make"),
    *("pyproject.toml", "README.md", "Makefile"),
)


def draw_mutants(sample: int, seed: int, only: str = "") -> list[Mutant]:
    """So many of all, the same ones for the same seed and source."""
    paths = [str(path.relative_to(ROOT)) for path in list_modules()]
    modules = [Module(path, (ROOT / path).read_text("utf-8")) for path in paths if only in path]
    every = [mutant for module in modules for mutant in module.mutants()]
    return random.Random(seed).sample(every, min(sample, len(every)))


def copy_checkout(to: Path) -> Path:
    """The checkout, where mutants do no harm."""
    to.mkdir()
    ignored = shutil.ignore_patterns("__pycache__", ".*_cache")
    for name in _COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, to / name, ignore=ignored, dirs_exist_ok=True)
        else:
            shutil.copy(source, to / name)
    return to


def main() -> int:
    """Work in a copy, which nobody edits meanwhile."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("--sample", type=int, default=400, help="how many mutants [400]")
    parser.add_argument("--seed", type=int, default=1, help="which ones [1]")
    parser.add_argument("--only", default="", help="a part of the path of the modules")
    parser.add_argument("--jobs", type=int, default=2, help="how many at the same time [2]")
    parser.add_argument("--seconds", type=float, default=120, help="of tests for a mutant [120]")
    parser.add_argument("--reach", type=Path, help="keep here which test passes which line")
    parser.add_argument("--here", action="store_true", help="in this checkout, not in a copy of it")
    wanted = parser.parse_args()
    if wanted.here:
        return _try_all(wanted)
    with tempfile.TemporaryDirectory(prefix="mutants") as folder:
        checkout = copy_checkout(Path(folder, "checkout"))
        reach = (wanted.reach or Path(folder, "reach")).resolve()
        command = [sys.executable, "-m", "tests.mutants", *sys.argv[1:], "--here", "--reach", reach]
        done = subprocess.run(command, cwd=checkout, env=_environment(checkout), check=False)
        return done.returncode


def _environment(checkout: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(checkout), "PYTHONDONTWRITEBYTECODE": "1"}


def _try_all(wanted: argparse.Namespace) -> int:
    from tests.mutants.afresh import Afresh
    from tests.mutants.forks import Trial, Verdict, try_in_forks
    from tests.mutants.reach import Reach

    _record_reach(wanted.reach, wanted.jobs)
    mutants = draw_mutants(wanted.sample, wanted.seed, wanted.only)
    count: Counter[bool] = Counter()
    out = os.fdopen(os.dup(sys.stdout.fileno()), "w")

    def report(verdict: Verdict) -> None:
        count[verdict.test is not None] += 1
        print(f"{count.total()}/{len(mutants)} {verdict}", file=out, flush=True)

    trial = Trial(
        *(mutants, Reach(wanted.reach), Afresh().find_test, report),
        jobs=wanted.jobs,
        seconds=wanted.seconds,
    )
    ended = try_in_forks(trial)
    print(f"{count[True]} of {count.total()} mutants were found by tests", file=out)
    return ended


def _record_reach(folder: Path, jobs: int) -> None:
    """Run all tests once, unless that has been done."""
    from tests.mutants.reach import FOLDER

    if folder.exists():
        return
    folder.mkdir()
    command = [sys.executable, "-m", "pytest", "-q", "-n", str(jobs), "--dist", "loadfile"]
    subprocess.run(
        [*command, *OPTIONS, "-p", "tests.mutants.reach"],
        env={**_environment(ROOT), FOLDER: str(folder)},
        check=False,
    )


if __name__ == "__main__":
    sys.exit(main())
