"""Which modules get faults, and which tests should find them."""

from pathlib import Path

from tests.order import read_durations

ROOT = Path(__file__).resolve().parents[2]
MUTATED = (
    "adjudicator/core/*.py",
    "adjudicator/core/*/*.py",
    "adjudicator/desk/inbox/*.py",
    "adjudicator/desk/*/ahead.py",
    "adjudicator/desk/*/forecast*.py",
    "adjudicator/desk/questions/imagined.py",
    "adjudicator/desk/steps/chance.py",
    "adjudicator/rules/*/phases/*.py",
    "adjudicator/rules/*/phases/*/*.py",
)
"""What must not be wrong: the core with its chain, the reading of letters, the rules' phases, and
what plays with imagined positions, plans and dice."""
_TESTS = (
    *("tests/core", "tests/library", "tests/orders", "tests/rules", "tests/games", "tests/desk"),
    *("tests/adapters/archive", "tests/adapters/letter", "tests/adapters/test_yamltext.py"),
    *("tests/adapters/test_scenarios.py", "tests/adapters/test_library.py"),
    *("tests/test_toy_game.py", "tests/test_archived_games.py"),
)
_LONG = 15
"""Seconds; files of tests that take longer go through whole games again and again."""
_LEFT_OUT = (
    *(name for name, seconds in read_durations().items() if seconds > _LONG),
    "tests/desk/test_on_postgresql.py",
)
OPTIONS = (
    *("-m", "not soak", "-p", "no:cacheprovider"),
    *(f"--ignore={ROOT / name}" for name in _LEFT_OUT),
    *_TESTS,
)
"""For pytest: all that run these modules in the process of the tests, without servers."""


def list_modules() -> list[Path]:
    """All modules that get mutants."""
    found = {path for pattern in MUTATED for path in ROOT.glob(pattern)}
    return sorted(path for path in found if path.name != "__init__.py")
