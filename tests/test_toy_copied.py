"""To begin a game is to copy the toy game: renamed in every folder, all of it works at once."""

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
TOY = ROOT / "tests" / "toy"
NAMES = {
    "toy_duel": "wolf_duel",
    "toy-duel": "wolf-duel",
    "Toy Duel": "Wolf Duel",
    "ToyDuel": "WolfDuel",
    "TD-": "WD-",
    "td-": "wd-",
}
"""Folders, kind, title, class and rule numbers of the game, and what they become."""
PLACES = {
    "seeds": "seeds",
    "orders": "orders",
    "templates": "templates",
    "rules": "adjudicator/rules",
    "tests": "tests/games",
}
"""The folders of the toy game, and where those of a game lie in the checkout."""


def _renamed(text: str) -> str:
    for old, new in NAMES.items():
        text = text.replace(old, new)
    return text


def _copied(source: Path, target: Path) -> None:
    for path in sorted(source.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            place = target / _renamed(path.relative_to(source).as_posix())
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(_renamed(path.read_text(encoding="utf-8")), encoding="utf-8")


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The program with the copied game in it: one new folder in each place, and no edit."""
    root = tmp_path_factory.mktemp("checkout")
    ignored = shutil.ignore_patterns("*.pyc.*")  # what is just being compiled
    for part in ("adjudicator", "seeds", "orders", "templates"):
        shutil.copytree(ROOT / part, root / part, ignore=ignored)
    shutil.copy(ROOT / "pyproject.toml", root)
    if (ROOT / ".mypy_cache").exists():  # what is as it was need not be checked anew
        shutil.copytree(ROOT / ".mypy_cache", root / ".mypy_cache")
    for part, place in PLACES.items():
        _copied(TOY / part, root / place)
    yield root
    shutil.rmtree(root)


def _environment(checkout: Path) -> dict[str, str]:
    places = {"PYTHONPATH": str(checkout), "ADJUDICATOR_HOME": str(checkout / "home")}
    return {**os.environ, **places}


def _run(checkout: Path, *command: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=checkout,
        env=_environment(checkout),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


COMMANDS = """
import json, sys
from click.testing import CliRunner
from adjudicator.cli.app import cli

for line in sys.stdin:
    words, given = json.loads(line)
    done = CliRunner().invoke(cli, words, input=given)
    print(json.dumps([done.exit_code, done.stdout, done.stderr]), flush=True)
"""
"""One command after the other in one process, so that the program is loaded once."""


@pytest.fixture
def by_hand(checkout: Path) -> Iterator[Callable[..., str]]:
    """Runs a command in the checkout; what it says."""
    with subprocess.Popen(
        [sys.executable, "-c", COMMANDS],
        cwd=checkout,
        env=_environment(checkout),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        into, out = process.stdin, process.stdout
        assert into
        assert out

        def run(*words: str, given: str = "") -> str:
            into.write(json.dumps([words, given]) + "\n")
            into.flush()
            code, said, complained = json.loads(out.readline())
            assert code == 0, f"{words}\n{said}\n{complained}"
            return str(said)

        yield run
        into.close()


def test_nothing_of_the_old_name_is_left(checkout: Path) -> None:
    own = [path for path in checkout.rglob("*wolf_duel*/**/*") if path.is_file()]
    assert len(own) > 30
    words = re.compile("toy.?duel|TD-", re.IGNORECASE)
    assert [path for path in own if words.search(path.read_text("utf-8") + path.name)] == []


def test_it_conforms(checkout: Path) -> None:
    told = _run(checkout, "adjudicator", "conform", "wolf-duel")
    assert told.startswith("Wolf Duel (wolf-duel)\n")
    assert "ok   scenarios: 8 scenarios" in told


def test_its_own_tests_pass(checkout: Path) -> None:
    told = _run(checkout, "pytest", "-q", "-p", "no:cacheprovider", "tests/games/wolf_duel")
    assert "15 passed" in told


def test_a_game_by_hand_from_new_to_verify(checkout: Path, by_hand: Callable[..., str]) -> None:
    assert "Wolf Duel" in by_hand("rules")
    by_hand(
        "new", "den", "--kind", "wolf-duel", "--seat", "red=Ann", "--seat", "blue=bot",
        "--option", "rounds=1", "--start",
    )  # fmt: skip
    by_hand("submit", "den", "red", "-", given="play: wolf\nstanding: {prize: pass}\n")
    by_hand("close", "den")
    while '"status":"running"' in by_hand("show", "den", "--json").replace(" ", ""):
        by_hand("close", "den", "--now")
    report = by_hand("report", "den", "--seat", "red")
    assert "Wolf Duel" in report
    assert "WD-7" in report
    by_hand("export", "den", "--out", "archive")
    (archive,) = {path.parent for path in (checkout / "archive").rglob("game.yaml")}
    for what in ("den", str(archive)):
        assert "as it was recorded" in by_hand("verify", what)


def test_it_keeps_the_rules_of_the_linter(checkout: Path) -> None:
    package, tests = "adjudicator/rules/wolf_duel", "tests/games/wolf_duel"
    _run(checkout, "ruff", "check", package, tests)
    _run(checkout, "ruff", "format", "--check", package, tests)
    told = _run(checkout, "mypy", "-p", "adjudicator.rules.wolf_duel")
    assert "no issues found" in told
    tool = Path(sysconfig.get_path("scripts")) / "lint-imports"
    command = [str(tool), "--no-cache"]
    done = subprocess.run(command, cwd=checkout, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
