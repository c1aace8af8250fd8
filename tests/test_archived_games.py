"""The games as played: records in games/, and those that earlier versions wrote in tests/records.

Each is played again from its seed and orders. After a change of reports .make/games renders the
samples of the same games anew, and the difference is there to read.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from adjudicator.adapters.archive.folder import load_archive
from adjudicator.adapters.archive.places import Files
from adjudicator.adapters.archive.reports import Texts
from adjudicator.adapters.archive.verify import verify_archive
from adjudicator.adapters.render.printer import Printer
from adjudicator.core.document import decode
from tests.played import LIBRARY, ROOT, list_records, play_again, render_sample

SHIPPED = list_records()
KEPT = sorted(sheet.parent for sheet in ROOT.glob("tests/records/*/*/game.yaml"))


def _name(folder: Path) -> str:
    return "/".join(folder.parts[-2:])


@pytest.fixture(scope="module", params=SHIPPED, ids=_name)
def folder(request: pytest.FixtureRequest) -> Path:
    return Path(request.param)


@pytest.fixture(scope="module")
def files(folder: Path) -> Files:
    return load_archive(folder)


def test_every_step_comes_out_as_it_was_recorded(files: Files) -> None:
    verdict = verify_archive(files, LIBRARY)
    assert verdict.faults == ()
    assert verdict.replayed == len(yaml.safe_load(files["orders.yaml"]))


@pytest.mark.parametrize("kept", KEPT, ids=_name)
def test_a_record_holds_under_every_later_version(kept: Path) -> None:
    """These records are never written again."""
    verdict = verify_archive(load_archive(kept), LIBRARY)
    assert verdict.faults == ()
    assert verdict.replayed > 5


def test_every_kind_has_a_record_of_the_first_version_that_wrote_any() -> None:
    kinds = {folder.name for folder in KEPT if folder.parent.name == "0.2.0"}
    assert kinds >= set(LIBRARY.kinds())


HALVES = [("1", SHIPPED[::2]), ("2", SHIPPED[1::2])]


@pytest.mark.parametrize(
    ("hash_seed", "folders"),
    [*HALVES, *(pytest.param(seed, SHIPPED, marks=pytest.mark.soak) for seed, _ in HALVES)],
    ids=["half-1", "half-2", "all-1", "all-2"],
)
def test_the_hash_seed_of_python_changes_nothing(hash_seed: str, folders: list[Path]) -> None:
    command = [sys.executable, "-m", "adjudicator", "verify", *map(str, folders)]
    env = {**os.environ, "PYTHONHASHSEED": hash_seed}
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_it_was_played_to_its_end_with_dice_that_nobody_chose(folder: Path, files: Files) -> None:
    game = yaml.safe_load(files["game.yaml"])
    assert (game["status"], game["verifiable"]) == ("over", True)
    result = yaml.safe_load(files["result.yaml"])
    assert result["winners"]
    last = max(play_again(folder).record.steps, key=lambda step: step.number)
    assert decode(last.state or b"")["over"]["winners"] == result["winners"]


def test_the_sample_reads_as_the_reports_do_now(folder: Path, files: Files) -> None:
    """Where it does not and was meant to: .make/games renders the samples anew."""
    kept = {path: (folder / path).read_bytes() for path in files if path.startswith("sample/")}
    assert {path.rpartition(".")[2] for path in kept} >= {"txt", "html", "svg"}
    made = render_sample(folder)
    assert set(kept) == set(made)
    assert [path for path in sorted(made) if made[path] != kept[path]] == []


def test_nothing_private_was_shipped(files: Files) -> None:
    assert {path for path in files if not path.startswith("sample/")} == {
        "game.yaml",
        "orders.yaml",
        "chain.txt",
        "result.yaml",
    }


def test_the_records_are_small() -> None:
    sizes = [path.stat().st_size for one in SHIPPED for path in one.rglob("*") if path.is_file()]
    assert len(sizes) <= 120
    assert sum(sizes) <= 2_000_000


def test_pages_show_what_lies_in_an_archive() -> None:
    """Of one game of each kind, its last steps."""
    for kind in LIBRARY.kinds():
        folder = next(one for one in SHIPPED if play_again(one).record.game.kind == kind)
        record = play_again(folder).record
        texts = Texts(Printer(LIBRARY.templates()), LIBRARY.kind(kind))
        for step in record.steps[-3:]:
            papers = {one.seat: one.document for one in record.papers if one.step == step.number}
            above = texts(decode(papers.pop(None)))
            pages = [("", above, above)]
            for document in papers.values():
                made = texts(decode(document), above)
                pages.append(("../", made, above))
            for _, made, around in pages:
                page = made["report.html"].decode()
                named = re.findall(r'<(?:img|link)[^>]* (?:src|href)="([^"]+)"', page)
                assert any(link.endswith(".svg") for link in named)
                for link in named:
                    there = around if link.startswith("../") else made
                    assert link.removeprefix("../") in there


def test_every_kind_has_two_games_as_played_one_with_the_most_players() -> None:
    seats: dict[str, list[int]] = {}
    for folder in SHIPPED:
        game = play_again(folder).record.game
        seats.setdefault(game.kind, []).append(len(game.seats))
    assert set(seats) == set(LIBRARY.kinds())
    assert {kind for kind, played in seats.items() if len(played) < 2} == set()
    assert {k for k, played in seats.items() if max(played) < LIBRARY.kind(k).largest} == set()


def test_the_games_of_jump_wars_show_both_maps() -> None:
    games = [play_again(one).record.game for one in SHIPPED if one.parent.name == "jump_wars"]
    told = [(len(g.seats), g.options["grid"], g.options["old_empire"]) for g in games]
    assert told == [(8, "hex", True), (3, "square", False)]
