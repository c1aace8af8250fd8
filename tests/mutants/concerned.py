"""Which tests concern a module, the closest ones first."""

from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MUTATED = (
    "adjudicator/core/*.py",
    "adjudicator/core/*/*.py",
    "adjudicator/desk/inbox/*.py",
    "adjudicator/rules/*/phases/*.py",
    "adjudicator/rules/*/phases/*/*.py",
)
"""What must not be wrong: the core with its chain, the reading of letters, the rules' phases."""
_INBOX = "dkim keys senders receive* join security submit press absent prefer ask by_letter gm_key"
_TESTS = {
    "adjudicator/core/chain.py": ("tests/core/test_chain.py", "tests/adapters/archive"),
    "adjudicator/core/forms/*": ("tests/core", "tests/orders", "tests/adapters/test_yamltext.py"),
    "adjudicator/core/*": (
        *("tests/core", "tests/library", "tests/test_toy_game.py"),
        *("tests/orders", "tests/rules", "tests/games/jump_drive"),
    ),
    "adjudicator/desk/inbox/*": tuple(f"tests/desk/test_{name}.py" for name in _INBOX.split()),
    **{
        f"adjudicator/rules/{game}/*": (f"tests/rules/{game}", f"tests/games/{game}")
        for game in ("jump_drive", "jump_gate", "jump_wars")
    },
}


def list_modules() -> list[Path]:
    """All modules that get mutants."""
    found = {path for pattern in MUTATED for path in ROOT.glob(pattern)}
    return sorted(path for path in found if path.name != "__init__.py")


def concerned_tests(module: str) -> list[str]:
    """Files and folders for pytest; of several rules the first one that fits counts."""
    for pattern, tests in _TESTS.items():
        if fnmatch(module, pattern):
            return list(dict.fromkeys((*_namesakes(module), *_resolve(tests))))
    raise ValueError(f"no test is known to concern {module}")


def _namesakes(module: str) -> Iterator[str]:
    """Tests that are called like the module."""
    name = Path(module).stem
    yield from sorted(str(path.relative_to(ROOT)) for path in ROOT.glob(f"tests/*/test_{name}.py"))


def _resolve(tests: tuple[str, ...]) -> Iterator[str]:
    for test in tests:
        if "*" in test:
            yield from sorted(str(path.relative_to(ROOT)) for path in ROOT.glob(test))
        elif (ROOT / test).exists():
            yield test
