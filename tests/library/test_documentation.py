"""The reference in the package and the guide beside the README are run as they stand."""

import doctest
import subprocess
import sys
from pathlib import Path

import pytest

import adjudicator

ROOT = Path(__file__).resolve().parents[2]


def test_the_reference_is_true_and_names_everything() -> None:
    tried = doctest.testmod(adjudicator, optionflags=doctest.ELLIPSIS)
    assert tried.failed == 0
    assert tried.attempted > 20
    assert [name for name in adjudicator.__all__ if name not in str(adjudicator.__doc__)] == [
        "Due",
        "Finding",
        "Grade",
    ]


@pytest.mark.parametrize("page", [".github/LIBRARY.md", "README.md"])
def test_the_examples_of_a_page_are_true(page: str) -> None:
    tried = doctest.testfile(str(ROOT / page), module_relative=False, encoding="utf-8")
    assert tried.failed == 0
    assert tried.attempted >= 7


def test_the_readme_needs_ten_lines() -> None:
    (example,) = [
        part
        for part in (ROOT / "README.md").read_text("utf-8").split("```")
        if part[:6] == "pycon\n"
    ]
    assert len([line for line in example.splitlines() if line[:3] in (">>>", "...")]) <= 10


TYPED = """\
from collections.abc import Mapping
from typing import Any, assert_type

import adjudicator

assert_type(adjudicator.kinds(), tuple[str, ...])
kind = adjudicator.load("jump-drive")
assert_type(kind, adjudicator.GameKind)
game = kind.new(seed=7, seats=3)
assert_type(game.due, Mapping[str, adjudicator.Due])
assert_type(game.view("red"), dict[str, Any])
assert_type(game.legal("red"), dict[str, Any])
assert_type(game.check("red", "discard: auto"), tuple[adjudicator.Finding, ...])
game = game.close({seat: game.bot(seat) for seat in game.due})
assert_type(game, adjudicator.GameState)
assert_type(game.report("red"), adjudicator.GameReport)
assert_type(game.report().text(), str)
assert_type(game.winners, tuple[str, ...])
assert_type(game.over, bool)
"""


def test_its_types_are_known_to_whoever_imports_it(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(TYPED, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(ROOT / ".mypy_cache")]
    done = subprocess.run(
        [*command, str(tmp_path / "program.py")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert (Path(adjudicator.__file__).parent / "py.typed").is_file()
