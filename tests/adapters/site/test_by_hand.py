"""What the GM did by hand stands where it changed the game, with its reason."""

from pathlib import Path

from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.store.store import SqlStore
from adjudicator.core.document import decode
from adjudicator.desk.acts.edit import edit_position
from adjudicator.desk.acts.end import end_game
from adjudicator.desk.steps.lock import lock_game
from tests.adapters.site.conftest import AT, GAME, Play, Shop, go_on, told_of
from tests.adapters.site.test_orders import article
from tests.adapters.site.test_writing import stands, written

WHY = 'a letter was misread, said "Ada" & <b>Bo</b>'
SAID = "a letter was misread, said &#34;Ada&#34; &amp; &lt;b&gt;Bo&lt;/b&gt;"


def rule(store: SqlStore, library: FolderLibrary) -> None:
    """A point for red, by a ruling."""
    with store.writing() as books:
        last = max(step.number for step in books.steps(GAME) if step.closed and not step.void)
        position = decode(books.step(GAME, last).state or b"")
        scores = {**position["scores"], "red": position["scores"]["red"] + 1}
        context = lock_game(books, library, GAME, at=AT)
        edit_position(context, {**position, "scores": scores}, reason=WHY)


def test_a_ruling_is_told_before_the_step_that_followed_it(
    play: Play, shop: Shop, toy_library: FolderLibrary
) -> None:
    store = play("toy-duel", 2)
    rule(store, toy_library)
    page = told_of(shop.of(store).files)
    assert f"by a ruling: {SAID}" in page.rpartition("</article>\n</div>")[2]
    with store.writing() as books:
        go_on(books, toy_library, 1)
    page = told_of(shop.of(store).files)
    assert page.count(SAID) == 1
    assert f"by a ruling: {SAID}" in article(page, "3-pick")


def test_pages_without_the_last_ruling_are_behind(
    play: Play, shop: Shop, toy_library: FolderLibrary, tmp_path: Path
) -> None:
    store = play("toy-duel", 2)
    written(tmp_path, shop, store)
    assert stands(tmp_path, shop, store)
    rule(store, toy_library)
    assert not stands(tmp_path, shop, store)
    written(tmp_path, shop, store)
    assert stands(tmp_path, shop, store)


def test_an_end_by_the_gm_says_why(play: Play, shop: Shop, toy_library: FolderLibrary) -> None:
    store = play("toy-duel", 2)
    with store.writing() as books:
        end_game(lock_game(books, toy_library, GAME, at=AT), winners=["blue"], reason=WHY)
    page = told_of(shop.of(store).files)
    assert f"It was ended early: {SAID}" in page
