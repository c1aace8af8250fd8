"""Mutation testing: small faults are put into the modules that matter; tests should find each.

python -m tests.mutants --sample 400 --seed 1     # hours; survivors are listed
"""

import argparse
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.mutants.concerned import ROOT, concerned_tests, list_modules
from tests.mutants.faults import Module, Mutant

_SECONDS = 900
"""A mutant that loops for ever is found by this."""
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


def draw_controls(count: int, seed: int, only: str = "") -> list[Mutant]:
    """Modules with nothing wrong in them: they show that tests do not fail by themselves."""
    paths = [path for path in list_modules() if only in str(path)]
    chosen = random.Random(seed).sample(paths, min(count, len(paths)))
    return [
        Module(str(path.relative_to(ROOT)), path.read_text("utf-8")).control() for path in chosen
    ]


def copy_checkout(to: Path) -> Path:
    """The checkout, where mutants do no harm."""
    ignored = shutil.ignore_patterns("__pycache__", ".*_cache")
    for name in _COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, to / name, ignore=ignored, dirs_exist_ok=True)
        else:
            shutil.copy(source, to / name)
    return to


def find_mutant(mutant: Mutant, checkout: Path) -> bool:
    """Whether a test fails, or never ends, with this fault in the module."""
    path = checkout / mutant.path
    whole = path.read_text("utf-8")
    path.write_text(mutant.source, "utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-n", "0", "-p", "no:cacheprovider"]
    command += ["-m", "not soak", "--timeout", "300", *concerned_tests(mutant.path)]
    try:
        done = subprocess.run(
            command,
            cwd=checkout,
            env=_environment(checkout),
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return True
    finally:
        path.write_text(whole, "utf-8")
    if done.returncode not in (0, 1, 2):
        raise RuntimeError(f"{mutant}: pytest ended with {done.returncode}\n{done.stdout}")
    return done.returncode != 0


def _environment(checkout: Path) -> dict[str, str]:
    import os

    return {**os.environ, "PYTHONPATH": str(checkout), "PYTHONDONTWRITEBYTECODE": "1"}


def main() -> int:
    """Report each mutant at once, and at the end how many were found."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("--sample", type=int, default=400, help="how many mutants [400]")
    parser.add_argument("--seed", type=int, default=1, help="which ones [1]")
    parser.add_argument("--only", default="", help="a part of the path of the modules")
    parser.add_argument("--controls", type=int, default=3, help="modules without a fault [3]")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="mutants") as folder:
        checkout = copy_checkout(Path(folder))
        for control in draw_controls(wanted.controls, wanted.seed, wanted.only):
            if find_mutant(control, checkout):
                print(f"tests fail without a fault, too: {control.path}", flush=True)
                return 1
        return _try_all(draw_mutants(wanted.sample, wanted.seed, wanted.only), checkout)


def _try_all(mutants: list[Mutant], checkout: Path) -> int:
    count: Counter[str] = Counter()
    for mutant in mutants:
        verdict = "found" if find_mutant(mutant, checkout) else "SURVIVED"
        count[verdict] += 1
        print(f"{sum(count.values())}/{len(mutants)} {verdict} {mutant}", flush=True)
    print(f"{count['found']} of {len(mutants)} mutants were found by tests")
    return 0


if __name__ == "__main__":
    sys.exit(main())
