"""Nothing stands in the README that is not so."""

import os
import re
import subprocess
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


def _first_game() -> list[str]:
    (block,) = re.findall(r"^```console\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
    return [line.removeprefix("$ ") for line in block.splitlines()]


def _shell(line: str, where: Path) -> str:
    path = os.pathsep.join([sysconfig.get_path("scripts"), os.environ["PATH"]])
    env = {"PATH": path, "HOME": str(where), "LC_ALL": "C.UTF-8"}
    command = ["sh", "-c", line]
    done = subprocess.run(command, cwd=where, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{line}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def test_the_first_game_is_ten_lines_and_they_work(tmp_path: Path) -> None:
    lines = _first_game()
    assert len(lines) <= 10
    told = [_shell(line, tmp_path) for line in lines]
    assert (tmp_path / "games" / "adjudicator.db").is_file()
    assert list((tmp_path / "letters").iterdir())
    report = told[next(n for n, line in enumerate(lines) if line.startswith("adjudicator report"))]
    assert "EMBER" in report
    assert "all is as it was recorded" in told[-1]


def test_every_target_of_the_makefile_is_told_with_its_command() -> None:
    targets = re.findall(r"^([\w-]+): \.venv/ready ; (.*)$", MAKEFILE, re.MULTILINE)
    assert {name for name, _ in targets} >= {"demo", "test", "lint", "bench", "soak"}
    told = dict(re.findall(r"^make ([\w-]+)  +(\S.*)$", README, re.MULTILINE))
    told = {name: command for name, command in told.items() if not command.startswith("#")}
    assert told == dict(targets)


@pytest.mark.parametrize(
    "path",
    sorted({p for p in re.findall(r"`((?:[\w.]+/)+[\w.]*)`", README) if "venv" not in p}),
)
def test_every_place_that_it_names_is_there(path: str) -> None:
    # a GM's own games appear with the first of them
    assert (ROOT / path).exists() or path == "games/"


def test_a_game_needs_the_folders_that_it_names() -> None:
    named = re.findall(r"^- `([\w/]+)/<game>/`", README, re.MULTILINE)
    there = [folder for folder in named if (ROOT / folder / "jump_wars").is_dir()]
    assert len(named) == 6
    # every game so far can say all it has to say with the common templates
    assert set(named) - set(there) <= {"templates"}
