"""Files that a GM's commands write are the GM's alone, unless they are published."""

from pathlib import Path
from typing import Any

import pytest

from tests.modes import MASKS, closed, modes, open_all, readable, umask


@pytest.mark.parametrize("mask", MASKS)
def test_only_what_is_published_is_for_everybody(duel: Any, tmp_path: Path, mask: int) -> None:
    out = tmp_path / "out"
    with umask(mask):
        duel("submit", "ember", "red", "-", typed="build: 1")
        duel("close", "ember", "--now")
        duel("export", "ember")
        duel("export", "ember", "--out", out / "full")
        duel("export", "ember", "--record", "--out", out / "record")
        duel("letters", "ember", "--out", out / "letters", "--all")
        duel("report", "ember", "--pictures", out / "pictures")
        duel("site", "ember", "--seat", "red", "--out", out / "mine")
        duel("export", "ember", "--public", "--out", out / "public")
        duel("site", "ember", "--out", out / "pages")
    for name in ("full", "record", "letters", "pictures"):
        assert readable(out / name) == []
    assert [path for path in readable(out / "mine") if path.is_file()] == []
    assert readable(duel.home) == []
    assert closed(out / "public") == []
    assert closed(out / "pages") == []


def test_what_is_published_later_can_be_read(duel: Any, tmp_path: Path) -> None:
    out = tmp_path / "out"
    duel("export", "ember", "--out", out)
    assert readable(out) == []
    duel("export", "ember", "--public", "--out", out)
    assert [path for path in closed(out) if path != out] == []
    duel("site", "ember", "--seat", "red", "--out", tmp_path / "pages")
    duel("end", "ember", "--reason", "all agree", "--yes")
    duel("site", "ember", "--out", tmp_path / "pages")
    assert closed(tmp_path / "pages") == []


def test_doctor_names_what_others_can_read_and_mends_it(duel: Any, tmp_path: Path) -> None:
    duel("export", "ember")
    duel("export", "ember", "--public", "--out", duel.home / "public")
    duel("site", "ember", "--out", duel.home / "pages")
    open_all(duel.home)
    wide = len(readable(duel.home))
    published = {name: modes(duel.home / name) for name in ("public", "pages")}
    told = duel("doctor", code=1).stdout
    assert "WRONG  home: mode 755 lets others read it" in told
    assert "WRONG  adjudicator.db: mode 644 lets others read it" in told
    assert told.count("lets others read it") == 5
    left = wide - 5 - sum(len(one) for one in published.values())
    assert f"WRONG  others can read: {left} more files and folders" in told
    assert "ok     rights: only you" in duel("doctor", "--fix").stdout
    assert "WRONG" not in duel("doctor").stdout
    assert {name: modes(duel.home / name) for name in published} == published


def test_pages_in_the_home_itself_do_not_hide_what_else_is_open(duel: Any) -> None:
    duel("site", "ember", "--out", duel.home)
    (duel.home / "adjudicator.db").chmod(0o644)
    assert "adjudicator.db: mode 644 lets others read it" in duel("doctor", code=1).stdout
    duel("doctor", "--fix")
    assert readable(duel.home / "adjudicator.db") == []


def test_doctor_looks_at_post_folders_elsewhere(duel: Any, tmp_path: Path) -> None:
    post = tmp_path / "post"
    for name in ("in", "out"):
        (post / name).mkdir(parents=True, mode=0o770)
    config = tmp_path / "adjudicator.yaml"
    config.write_text(
        f"home: {duel.home}\naddress: games@game.test\n"
        f"postboxes: [{{kind: maildir, folder: {post}/in}}]\n"
        f"postman: {{kind: maildir, folder: {post}/out}}\n"
    )
    (post / "in").chmod(0o770)  # a mail server may share it as a group
    (post / "out").chmod(0o755)
    told = duel("doctor", "--config", config, code=1).stdout
    assert f"WRONG  {post / 'out'}: mode 755 lets others read it" in told
    assert f"{post / 'in'}: mode" not in told
    duel("doctor", "--config", config, "--fix")
    assert (post / "in").stat().st_mode & 0o777 == 0o770
    assert (post / "out").stat().st_mode & 0o777 == 0o750


def test_a_home_made_in_an_open_folder_is_closed(gm: Any) -> None:
    gm.home.mkdir(mode=0o755)
    gm.home.chmod(0o755)
    gm("new", "ember", "--kind", "jump-wars", "--seat", "red=Ada", "--seat", "blue=Bo")
    assert readable(gm.home) == []
