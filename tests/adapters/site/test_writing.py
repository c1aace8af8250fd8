"""A site on the disk: only what is new is drawn, and nothing old stays behind."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from msgspec.structs import replace

from adjudicator.adapters.archive.stored_game import collect_dossier
from adjudicator.adapters.files import lock_folder
from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.render.order_page import FOLDER as ORDER_PAGES
from adjudicator.adapters.render.printer import Printer
from adjudicator.adapters.site import turns
from adjudicator.adapters.site.build import digest_version
from adjudicator.adapters.site.exhibit import Exhibit, Scene
from adjudicator.adapters.site.pages import describe_for_seat
from adjudicator.adapters.site.write import (
    digest_facts,
    is_current,
    list_private_games,
    write_front,
    write_game,
)
from adjudicator.adapters.store.store import SqlStore
from adjudicator.desk.acts.rollback import roll_back
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.values import Press
from adjudicator.desk.steps.lock import lock_game
from tests.adapters.site.conftest import AT, GAME, ROOT, Play, Shop, go_on
from tests.played import list_records

FOLDER = f"toy-duel/{GAME}"
WARS = f"jump-wars/{GAME}"


def written(out: Path, shop: Shop, store: SqlStore, seat: str | None = None) -> tuple[str, ...]:
    """Bring the site up to date."""
    with store.reading() as books:
        dossier = collect_dossier(books, GAME)
        facts = "" if seat else digest_facts(books, books.game(GAME))
    folder = f"{dossier.record.game.kind}/{GAME}"
    changed = write_game(out, folder, lambda kept: shop.built(dossier, seat, kept, facts))
    return (*changed, *write_front(out, shop.printer))


def stands(out: Path, shop: Shop, store: SqlStore) -> bool:
    """Whether the site needs no writing for this game."""
    with store.reading() as books:
        game = books.game(GAME)
        facts = digest_facts(books, game)
    version = digest_version(shop.folders, shop.library.kind(game.kind), "")
    return is_current(out, f"{game.kind}/{GAME}", facts, version)


PAGES = ("jump-drive", "jump-gate", "jump-gate-2010", "jump-wars")
"""The kinds with a page for orders."""


def lying(out: Path) -> Mapping[str, bytes]:
    """All files of a folder."""
    files = (path for path in sorted(out.rglob("*")) if path.is_file())
    return {path.relative_to(out).as_posix(): path.read_bytes() for path in files}


def test_a_site_has_an_index_a_folder_for_each_game_and_the_rules_of_its_kind(
    play: Play, shop: Shop, tmp_path: Path
) -> None:
    written(tmp_path / "out", shop, play("toy-duel", 2))
    places = ("turn", "seats/red", "seats/blue", "seats/green")
    assert {name for name in lying(tmp_path / "out") if "/steps/" not in name} == {
        "index.html",
        *(f"{ORDER_PAGES}/{kind}.html" for kind in PAGES),
        "feed.xml",
        "games.js",
        "icon.svg",
        "league.html",
        "site.css",
        "site.js",
        "toy-duel/rules.html",
        *(f"{FOLDER}/{one}" for one in ("feed.xml", "story.js")),
        *(f"{FOLDER}/{place}/{turn}.html" for place in places for turn in (1, 2)),
        *(f"{FOLDER}/turn/{turn}.js" for turn in (1, 2)),
        f"{FOLDER}/game.json",
        f"{FOLDER}/index.html",
        f"{FOLDER}/seats/red.html",
        f"{FOLDER}/seats/blue.html",
        f"{FOLDER}/seats/green.html",
    }


def test_writing_again_changes_nothing(play: Play, shop: Shop, tmp_path: Path) -> None:
    store = play("toy-duel", 2)
    assert written(tmp_path / "out", shop, store)
    assert written(tmp_path / "out", shop, store) == ()


def test_step_by_step_it_is_the_same_as_at_once(
    play: Play,
    shop: Shop,
    tmp_path: Path,
    toy_library: FolderLibrary,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """And pictures are drawn once: those of the steps that are new."""
    drawn: list[str] = []
    draw = Printer.picture

    def counted(printer: Printer, name: str, document: Mapping[str, object], game: str) -> str:
        if game != "site":
            drawn.append(str(document["step"]))
        return draw(printer, name, document, game)

    monkeypatch.setattr(Printer, "picture", counted)
    store = play("jump-wars", 1)
    for _ in range(3):
        written(tmp_path / "bit", shop, store)
        with store.writing() as books:
            go_on(books, toy_library, 1)
    written(tmp_path / "bit", shop, store)
    assert list(dict.fromkeys(drawn)) == ["0-setup", "1-plan", "2-jump", "3-reveal", "4-plan"]
    assert len(drawn) <= 2 * 5
    written(tmp_path / "whole", shop, store)
    assert lying(tmp_path / "bit") == lying(tmp_path / "whole")


def test_turns_that_stand_are_not_described_again(
    play: Play,
    shop: Shop,
    tmp_path: Path,
    toy_library: FolderLibrary,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What a step costs does not grow with the steps before it, for any seat."""
    described: list[str] = []

    def counted(game: Exhibit, scene: Scene, *others: Any) -> Any:
        described.append(scene.name)
        return describe_for_seat(game, scene, *others)

    store = play("jump-wars", 7)
    written(tmp_path / "out", shop, store)
    with store.writing() as books:
        go_on(books, toy_library, 1)
    monkeypatch.setattr(turns, "describe_for_seat", counted)
    written(tmp_path / "out", shop, store)
    assert described
    assert min(int(name.partition("-")[0]) for name in described) > 5


def test_a_picture_that_somebody_changed_is_drawn_again(
    play: Play, shop: Shop, tmp_path: Path
) -> None:
    store = play("jump-wars", 1)
    written(tmp_path, shop, store)
    picture = tmp_path / WARS / "steps" / "000-setup" / "map.svg"
    before = picture.read_bytes()
    picture.write_bytes(b"<svg/>")
    assert written(tmp_path, shop, store) == (f"{WARS}/steps/000-setup/map.svg",)
    assert picture.read_bytes() == before


def test_what_a_rollback_strikes_leaves_no_file_behind(
    play: Play, shop: Shop, tmp_path: Path, toy_library: FolderLibrary
) -> None:
    store = play("jump-wars", 4)
    written(tmp_path / "bit", shop, store)
    with store.writing() as books:
        roll_back(lock_game(books, toy_library, GAME, at=AT), "3-reveal", same_dice=False)
    written(tmp_path / "bit", shop, store)
    steps = {path.name for path in (tmp_path / "bit" / WARS / "steps").iterdir()}
    assert steps == {"000-setup", "001-plan", "002-jump"}
    page = (tmp_path / "bit" / WARS / "index.html").read_text("utf-8")
    assert "After this the GM undid steps: turn 1, reveal; turn 2, plan." in page
    with store.writing() as books:
        go_on(books, toy_library, 1)
    written(tmp_path / "bit", shop, store)
    written(tmp_path / "whole", shop, store)
    assert lying(tmp_path / "bit") == lying(tmp_path / "whole")


def test_what_was_for_one_reader_is_gone_when_it_is_written_for_all(
    play: Play, shop: Shop, tmp_path: Path
) -> None:
    store = play("jump-wars", 3)
    written(tmp_path / "bit", shop, store, "red")
    assert b"Your hand" in b"".join(lying(tmp_path / "bit").values())
    written(tmp_path / "bit", shop, store)
    written(tmp_path / "whole", shop, store)
    assert lying(tmp_path / "bit") == lying(tmp_path / "whole")


class Killed(BaseException):
    """Nothing can be done any more."""


@pytest.mark.parametrize("moment", [1, 2, 5, 9, 11])
def test_whoever_is_killed_leaves_nothing_that_writing_for_all_does_not_take_away(
    play: Play, shop: Shop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: int
) -> None:
    store = play("jump-wars", 3)
    out = tmp_path / "bit"
    die_after(monkeypatch, moment)
    with pytest.raises(Killed):
        written(out, shop, store, "red")
    monkeypatch.undo()
    if moment > 1:
        assert list_private_games(out) == ((GAME, ("red",)),)
    assert [path for path in out.rglob("*") if path.name.startswith(".")]
    assert not stands(out, shop, store)
    written(out, shop, store)
    assert list_private_games(out) == ()
    written(tmp_path / "whole", shop, store)
    assert lying(out) == lying(tmp_path / "whole")


def die_after(monkeypatch: pytest.MonkeyPatch, moment: int) -> None:
    """Be killed while so many files are put in their place, as by kill -9: nothing is tidied."""
    count = 0
    put, drop = Path.replace, Path.unlink

    def replaced(path: Path, target: Path) -> Path:
        nonlocal count
        count += 1
        if count >= moment:
            raise Killed
        return put(path, target)

    def left(path: Path, *, missing_ok: bool = False) -> None:
        if count < moment:
            drop(path, missing_ok=missing_ok)

    monkeypatch.setattr(Path, "replace", replaced)
    monkeypatch.setattr(Path, "unlink", left)


def test_a_rollback_is_not_half_forgotten_by_whoever_is_killed(
    play: Play,
    shop: Shop,
    tmp_path: Path,
    toy_library: FolderLibrary,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store = play("jump-wars", 4)
    out = tmp_path / "bit"
    written(out, shop, store)
    with store.writing() as books:
        roll_back(lock_game(books, toy_library, GAME, at=AT), "2-jump", same_dice=False)

    def killed(top: Path, path: str) -> None:
        raise Killed(top, path)

    monkeypatch.setattr(sys.modules[write_game.__module__], "remove_file", killed)
    with pytest.raises(Killed):
        written(out, shop, store)
    monkeypatch.undo()
    written(out, shop, store)
    written(tmp_path / "whole", shop, store)
    assert lying(out) == lying(tmp_path / "whole")


def test_several_who_write_wait_for_each_other(play: Play, shop: Shop, tmp_path: Path) -> None:
    store = play("toy-duel", 1)
    order: list[str] = []

    def other() -> None:
        written(tmp_path, shop, store)
        order.append("other")

    with lock_folder(tmp_path):
        thread = Thread(target=other)
        thread.start()
        thread.join(0.3)
        assert thread.is_alive()
        assert not (tmp_path / "toy-duel").exists()
        order.append("first")
    thread.join(30)
    assert order == ["first", "other"]
    assert (tmp_path / FOLDER / "index.html").is_file()


def test_the_other_games_of_a_site_are_not_read_to_write_one(
    play: Play, shop: Shop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path, shop, play("jump-wars", 1))
    with play("toy-duel", 1).reading() as books:
        dossier = collect_dossier(books, GAME)
    other, read_bytes = tmp_path / WARS / "game.json", Path.read_bytes

    def read(path: Path) -> bytes:
        assert path != other
        return read_bytes(path)

    monkeypatch.setattr(Path, "read_bytes", read)
    write_game(tmp_path, FOLDER, lambda kept: shop.built(dossier, None, kept, ""))
    assert (tmp_path / FOLDER / "index.html").is_file()


def test_what_one_seat_alone_may_know_does_not_go_among_what_is_for_all(
    play: Play, shop: Shop, tmp_path: Path
) -> None:
    wars, duel = play("jump-wars", 3), play("toy-duel", 2)
    written(tmp_path / "all", shop, wars)
    before = lying(tmp_path / "all")
    for store in (wars, duel):
        with pytest.raises(Refused, match="holds the pages of tiny for everybody"):
            written(tmp_path / "all", shop, store, "red")
    assert lying(tmp_path / "all") == before
    # two games of one player may lie together, and the first page says whose they are
    written(tmp_path / "own", shop, wars, "red")
    written(tmp_path / "own", shop, duel, "blue")
    assert list_private_games(tmp_path / "own") == ((GAME, ("red",)), (GAME, ("blue",)))
    page = (tmp_path / "own/index.html").read_text("utf-8")
    assert "For red alone." in page
    assert "For blue alone." in page


def test_a_list_that_somebody_made_up_is_passed_over(
    play: Play, shop: Shop, tmp_path: Path
) -> None:
    store = play("toy-duel", 1)
    written(tmp_path, shop, store)
    sheet = tmp_path / FOLDER / "game.json"
    sheet.write_text(sheet.read_text().replace('"running"', '"lost"'))
    assert f"{FOLDER}/game.json" in written(tmp_path, shop, store)


def test_several_games_stand_in_one_index(play: Play, shop: Shop, tmp_path: Path) -> None:
    written(tmp_path, shop, play("toy-duel", 99))
    written(tmp_path, shop, play("jump-wars", 1))
    page = (tmp_path / "index.html").read_text("utf-8")
    # what is being played stands first
    assert page.index(f"{WARS}/index.html") < page.index(f"{FOLDER}/index.html")
    assert "2 games" in page


def test_a_page_of_somebody_else_is_not_lost(play: Play, shop: Shop, tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("my own page")
    with pytest.raises(Refused, match="exists and is not part of such a site"):
        written(tmp_path, shop, play("toy-duel", 1))
    assert (tmp_path / "index.html").read_text() == "my own page"
    assert not (tmp_path / "toy-duel").exists()


def test_a_list_of_files_that_was_tampered_with_reaches_nothing_outside(
    play: Play, shop: Shop, tmp_path: Path
) -> None:
    store = play("toy-duel", 1)
    written(tmp_path / "out", shop, store)
    (tmp_path / "mine.txt").write_text("keep this")
    sheet = tmp_path / "out" / FOLDER / "game.json"
    bad = sheet.read_text().replace('"files":{', '"files":{"../../../mine.txt":"x",')
    sheet.write_text(bad)
    written(tmp_path / "out", shop, store)
    assert (tmp_path / "mine.txt").read_text() == "keep this"


def test_a_site_is_behind_when_the_game_moved_on(
    play: Play, shop: Shop, tmp_path: Path, toy_library: FolderLibrary
) -> None:
    store = play("toy-duel", 3)
    assert not stands(tmp_path, shop, store)
    written(tmp_path, shop, store)
    assert stands(tmp_path, shop, store)
    with store.writing() as books:
        roll_back(lock_game(books, toy_library, GAME, at=AT), "3-pick", same_dice=False)
    assert not stands(tmp_path, shop, store)
    written(tmp_path, shop, store)
    with store.writing() as books:
        step = books.game(GAME).open_step
        message = Press(
            game=GAME, number=9, at=AT, step=step, seat="red", seating=1, to=(), text="Well?"
        )
        books.save(message)
    assert not stands(tmp_path, shop, store)
    written(tmp_path, shop, store)
    assert stands(tmp_path, shop, store)
    with store.writing() as books:
        go_on(books, toy_library, 99)
    assert not stands(tmp_path, shop, store)


def test_a_site_is_behind_when_a_file_was_touched_or_a_seat_changed_hands(
    play: Play, shop: Shop, tmp_path: Path
) -> None:
    store = play("toy-duel", 2)
    written(tmp_path, shop, store)
    page = tmp_path / FOLDER / "turn" / "1.html"
    page.write_bytes(page.read_bytes())
    assert not stands(tmp_path, shop, store)
    written(tmp_path, shop, store)
    assert stands(tmp_path, shop, store)
    page.unlink()
    assert not stands(tmp_path, shop, store)
    written(tmp_path, shop, store)
    with store.writing() as books:
        held = next(one for one in books.seatings(GAME) if one.seat == "red")
        books.save(replace(held, vote="draw", missed=1))
    assert stands(tmp_path, shop, store), "what nobody may know makes no difference"
    with store.writing() as books:
        books.save(replace(held, player="Dan"))
    assert not stands(tmp_path, shop, store)


PROGRAM = """
import sys
from adjudicator.__main__ import main
sys.argv = ["adjudicator", "site", *sys.argv[1:]]
main()
"""


@pytest.mark.parametrize("folder", [path for path in list_records() if "jump_drive" in path.parts])
def test_the_same_bytes_under_another_locale_hash_seed_and_clock(
    folder: Path, tmp_path: Path
) -> None:
    made = []
    for n, odd in enumerate(
        [{}, {"LC_ALL": "de_DE.UTF-8", "PYTHONHASHSEED": "7", "TZ": "Asia/Tokyo"}]
    ):
        out = tmp_path / str(n)
        env = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "1", **odd}
        command = [sys.executable, "-c", PROGRAM, str(folder), "--out", str(out)]
        subprocess.run(command, check=True, env=env, cwd=tmp_path, capture_output=True)
        made.append(lying(out))
    assert made[0] == made[1]
    assert len(made[0]) > 20
