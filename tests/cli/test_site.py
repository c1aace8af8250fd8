"""`adjudicator site`: which games, for whom, and what is said about it."""

import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import Gm
from tests.played import unpack_game

ROOT = Path(__file__).resolve().parents[2]


def test_a_running_game_is_written_as_everybody_may_know_it_and_that_is_said(
    duel: Gm, tmp_path: Path
) -> None:
    told = duel("site", "ember", "--out", tmp_path / "out")
    assert told.stdout.strip() == str(tmp_path / "out" / "index.html")
    assert "ember is not over: only what everybody may know is written." in told.stderr
    quiet = duel("site", "ember", "--public", "--out", tmp_path / "out")
    assert "not over" not in quiet.stderr
    assert "0 files written" in quiet.stderr
    assert "Your hand" not in (tmp_path / "out/jump-wars/ember/seats/red.html").read_text("utf-8")


def test_a_seats_own_pages_are_for_its_player_and_the_look_is_noted(
    duel: Gm, tmp_path: Path
) -> None:
    duel("site", "ember", "--seat", "red", "--out", tmp_path / "out")
    seats = tmp_path / "out/jump-wars/ember/seats"
    assert "Your hand" in (seats / "red.html").read_text("utf-8")
    assert "Your hand" not in (seats / "blue.html").read_text("utf-8")
    assert "the GM looked at the site of red" in duel("history", "ember", "--looks").stdout


def test_all_games_of_the_home(duel: Gm, tmp_path: Path) -> None:
    duel("new", "glow", "--kind", "jump-drive", "--seat", "red=Ada", "--seat", "blue=Bo")
    told = duel.json("site", "--all", "--out", tmp_path / "out")
    assert told["index"] == str(tmp_path / "out" / "index.html")
    assert "jump-drive/glow/index.html" in told["changed"]
    page = (tmp_path / "out/jump-drive/glow/index.html").read_text("utf-8")
    assert "The game has not begun." in page
    # who has joined is nobody's business before the start
    assert "Ada" not in page
    index = (tmp_path / "out/index.html").read_text("utf-8")
    assert "2 games" in index
    assert "Ada" in (tmp_path / "out/jump-wars/ember/index.html").read_text("utf-8")


def test_an_archives_folder_is_as_good_as_a_game(gm: Gm, tmp_path: Path) -> None:
    folder = ROOT / "games/jump_drive/three"  # a record
    told = gm("site", folder, "--public", "--out", tmp_path / "out")
    assert "three is over, so everything is shown." in told.stderr
    page = (tmp_path / "out/jump-drive/three/all.html").read_text("utf-8")
    steps = unpack_game("three") / "steps"
    assert page.count('<article class="step"') == len(list(steps.iterdir()))


def test_what_makes_no_sense_is_refused(duel: Gm, tmp_path: Path) -> None:
    out = ("--out", tmp_path)
    assert "name the games, or use --all" in duel("site", *out, code=2).stderr
    assert "name the games, or use --all" in duel("site", "ember", "--all", *out, code=2).stderr
    assert "--out needs the name" in duel("site", "ember", "--out", "", code=2).stderr
    both = duel("site", "ember", "--public", "--seat", "red", *out, code=2).stderr
    assert "use --public or --seat, not both" in both
    assert "--seat is for one game" in duel("site", "--all", "--seat", "red", *out, code=2).stderr
    assert 'has no seat "pink"' in duel.refused("site", "ember", "--seat", "pink", *out)
    assert 'Did you mean "ember"?' in duel.refused("site", "embr", *out)


def test_a_home_without_games_says_how_to_make_one(gm: Gm, tmp_path: Path) -> None:
    assert "adjudicator new" in gm.refused("site", "--all", "--out", tmp_path)


def test_an_archive_that_somebody_wrote_into_is_not_shown_as_it_was_played(
    gm: Gm, tmp_path: Path
) -> None:
    folder = tmp_path / "three"
    shutil.copytree(unpack_game("three"), folder)
    report = folder / "steps/002-place/report.json"
    report.write_text(report.read_text("utf-8").replace("red", "blue"), "utf-8")
    said = gm.refused("site", folder, "--out", tmp_path / "out")
    assert "is not as it was recorded: steps/002-place/report.json: was changed" in said
    report.unlink()
    assert "report.json: is missing" in gm.refused("site", folder, "--out", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_seats_pages_are_not_written_among_those_for_everybody(duel: Gm, tmp_path: Path) -> None:
    duel("site", "ember", "--public", "--out", tmp_path / "out")
    said = duel.refused("site", "ember", "--seat", "red", "--out", tmp_path / "out")
    assert "name it with --out" in said
    assert "looked" not in duel("history", "ember", "--looks").stdout


def test_that_the_gm_looked_is_noted_before_there_is_anything_to_see(
    duel: Gm, tmp_path: Path
) -> None:
    (tmp_path / "out").write_text("in the way")
    duel.refused("site", "ember", "--seat", "red", "--out", tmp_path / "out")
    assert "the GM looked at the site of red" in duel("history", "ember", "--looks").stdout


def test_a_look_at_another_game_of_the_same_name_is_not_noted(duel: Gm, tmp_path: Path) -> None:
    duel("export", "ember", "--out", tmp_path / "ember")
    other = Gm(tmp_path / "elsewhere")
    other(
        "new", "ember", "--kind", "jump-wars", "--seat", "red=Ada", "--seat", "blue=Bo", "--start"
    )
    other("site", tmp_path / "ember", "--seat", "red", "--out", tmp_path / "out")
    assert "looked" not in other("history", "ember", "--looks").stdout
    duel("site", tmp_path / "ember", "--seat", "red", "--out", tmp_path / "out")
    assert "the GM looked at the site of red" in duel("history", "ember", "--looks").stdout


def test_who_writes_for_everybody_is_told_what_else_lies_there(duel: Gm, tmp_path: Path) -> None:
    duel("new", "glow", "--kind", "jump-drive", "--seat", "red=Ada", "--seat", "blue=Bo")
    duel("site", "ember", "--seat", "red", "--out", tmp_path / "out")
    told = duel("site", "glow", "--public", "--out", tmp_path / "out").stderr
    assert "also shows what red alone may know of ember" in told
    assert "alone" not in duel("site", "--all", "--public", "--out", tmp_path / "out").stderr


def test_all_games_are_those_of_the_home_whatever_lies_around(
    duel: Gm, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    duel("export", "ember", "--out", tmp_path / "ember")
    duel("close", "ember", "--now")
    monkeypatch.chdir(tmp_path)
    duel("site", "--all", "--out", "out")
    assert (tmp_path / "out/jump-wars/ember/steps/001-plan").is_dir()


def test_two_games_of_one_name_do_not_take_each_others_place(duel: Gm, tmp_path: Path) -> None:
    for name in ("one", "other"):
        duel("export", "ember", "--out", tmp_path / name)
    said = duel.refused(
        "site", tmp_path / "one", tmp_path / "other", "--public", "--out", tmp_path / "out"
    )
    assert said.endswith("two of these games are called ember; write each into a folder of its own")


def test_of_a_withdrawn_game_nothing_is_told(duel: Gm, tmp_path: Path) -> None:
    duel("new", "glow", "--kind", "jump-drive", "--seat", "red=Ada", "--seat", "blue=Bo")
    duel("announce", "glow", "--back")
    told = duel("site", "glow", "--out", tmp_path / "out").stderr
    assert "glow was withdrawn, so nothing of it is shown." in told
    assert "Ada" not in (tmp_path / "out/jump-drive/glow/index.html").read_text("utf-8")


def test_a_game_for_the_invited_is_not_listed_before_it_begins(duel: Gm, tmp_path: Path) -> None:
    open_game = ("--kind", "jump-wars", "--seat", "red", "--seat", "blue")
    duel("new", "glow", *open_game, "--setting", "invited=[ada@example.org]")
    told = duel("site", "--all", "--out", tmp_path / "out")
    assert "glow is for people the GM invited: left out until it begins." in told.stderr
    assert "glow" not in (tmp_path / "out/index.html").read_text("utf-8")
    assert not (tmp_path / "out/jump-wars/glow").exists()
    duel("announce", "glow", "--back")
    assert "glow" in duel("site", "--all", "--out", tmp_path / "out").stderr, "nor withdrawn"
    duel("site", "glow", "--out", tmp_path / "named")
    assert "glow" in (tmp_path / "named/index.html").read_text("utf-8"), "the GM named it"


def test_a_home_with_games_for_the_invited_alone_has_no_site(gm: Gm, tmp_path: Path) -> None:
    seats = ("--seat", "red", "--seat", "blue")
    gm("new", "glow", "--kind", "jump-wars", *seats, "--setting", "invited=[ada@example.org]")
    out = ("--out", tmp_path / "out")
    told = gm("site", "--all", *out, code=1).stderr
    assert "no game can be shown to everybody yet" in told
    assert not (tmp_path / "out").exists()


def test_a_game_for_the_invited_is_listed_once_it_has_begun(gm: Gm, tmp_path: Path) -> None:
    seats = ("--seat", "red=Ada", "--seat", "blue=Bo", "--start")
    gm("new", "glow", "--kind", "jump-wars", *seats, "--setting", "invited=[ada@example.org]")
    gm("site", "--all", "--out", tmp_path / "out")
    assert "glow" in (tmp_path / "out/index.html").read_text("utf-8")
