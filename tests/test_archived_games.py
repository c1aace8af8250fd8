"""The games as played that lie in games/: each is played again from its seed and orders.

After a change of rules, reports or their words an archive no longer says what the program says
now; then .make/games plays them anew.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from adjudicator.adapters.archive.places import Files
from adjudicator.adapters.archive.read import read_archive
from adjudicator.adapters.archive.verify import load_archive, verify_archive
from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.core.document import decode

ROOT = Path(__file__).resolve().parents[1]


def _shipped() -> list[str]:
    """The archives in the repository; a GM's own games may lie beside them."""
    command = ["git", "-c", "safe.directory=*", "ls-files", "games/*/*/game.yaml"]
    found = [path.relative_to(ROOT).as_posix() for path in ROOT.glob("games/*/*/game.yaml")]
    if (ROOT / ".git").exists():
        tracked = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
        found = [path for path in tracked.stdout.splitlines() if (ROOT / path).is_file()]
    return sorted(path.removesuffix("/game.yaml") for path in found)


SHIPPED = _shipped()


@pytest.fixture(scope="module", params=SHIPPED)
def folder(request: pytest.FixtureRequest) -> Path:
    return ROOT / str(request.param)


@pytest.fixture(scope="module")
def files(folder: Path) -> Files:
    return load_archive(folder)


def test_every_step_comes_out_byte_for_byte(files: Files) -> None:
    verdict = verify_archive(files, FolderLibrary())
    assert verdict.faults == ()
    assert verdict.replayed == sum(path.endswith("/state.json") for path in files)


@pytest.mark.parametrize("hash_seed", ["1", "2"])
def test_the_hash_seed_of_python_changes_nothing(hash_seed: str, folder: Path) -> None:
    command = [sys.executable, "-m", "adjudicator", "verify", str(folder)]
    env = {**os.environ, "PYTHONHASHSEED": hash_seed}
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_it_was_played_to_its_end_with_dice_that_nobody_chose(files: Files) -> None:
    game = read_archive(files).dossier.record.game
    assert (game.status, game.verifiable) == ("over", True)
    last = max(path for path in files if path.endswith("/state.json"))
    assert decode(files[last])["over"]["winners"]


def test_nothing_private_was_shipped(files: Files) -> None:
    assert "private.yaml" not in files


def test_pages_show_what_lies_in_the_archive(files: Files) -> None:
    pages = [path for path in files if path.endswith(".html")]
    assert len(pages) > 20
    for page in pages:
        named = re.findall(r'<(?:img|link)[^>]* (?:src|href)="([^"]+)"', files[page].decode())
        for link in named:
            assert os.path.normpath(f"{page.rpartition('/')[0]}/{link}") in files, (page, link)
        assert any(link.endswith(".svg") for link in named), page


def test_every_kind_has_a_game_as_played() -> None:
    played = {
        read_archive(load_archive(ROOT / folder)).dossier.record.game.kind for folder in SHIPPED
    }
    assert played == set(FolderLibrary().kinds())


def test_the_games_of_jump_wars_show_both_maps() -> None:
    folders = [folder for folder in SHIPPED if folder.startswith("games/jump_wars/")]
    games = [read_archive(load_archive(ROOT / folder)).dossier.record.game for folder in folders]
    told = [(len(g.seats), g.options["grid"], g.options["old_empire"]) for g in games]
    assert told == [(5, "hex", True), (3, "square", False)]
