"""Press that everybody may read stands on the page, whatever became of the steps around it."""

from datetime import timedelta

import pytest
from msgspec.structs import replace

from adjudicator.adapters.archive.pack import pack_archive
from adjudicator.adapters.archive.read import read_archive
from adjudicator.adapters.archive.reports import Texts
from adjudicator.adapters.archive.stored_game import collect_dossier
from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.site.press import find_press_since
from adjudicator.adapters.store.store import SqlStore
from adjudicator.desk.acts.rollback import roll_back
from adjudicator.desk.model.values import Press, Status
from adjudicator.desk.steps.lock import lock_game
from tests.adapters.site.conftest import (
    AT,
    GAME,
    OPEN_PRESS,
    Play,
    Shop,
    go_on,
    told_of,
    turn_pages,
)

LATE = "What a game that was"
GREY = "I was behind it all"


def write(store: SqlStore, text: str, *to: str, anonymous: bool = False) -> None:
    """A message of blue's, now."""
    with store.writing() as books:
        game = books.game(GAME)
        step = game.open_step if game.open_step is not None else game.next_number
        books.save(
            Press(
                game=GAME,
                number=len(books.press(GAME)) + 1,
                at=AT + timedelta(days=9),
                step=step,
                seat="blue",
                seating=1,
                to=to,
                anonymous=anonymous,
                text=text,
            )
        )


def page(shop: Shop, store: SqlStore) -> str:
    return told_of(shop.of(store).files)


@pytest.mark.parametrize(
    ("steps", "heading"), [(99, "Press after the end"), (2, "Press since the last report")]
)
def test_what_is_written_after_the_last_report_is_shown(
    play: Play, shop: Shop, steps: int, heading: str
) -> None:
    store = play("toy-duel", steps)
    assert heading not in page(shop, store)
    write(store, LATE)
    write(store, "for red alone", "red")
    late = page(shop, store).partition(f"{heading}</h2>")[2]
    assert LATE in late
    assert "blue to all" in late
    assert "for red alone" not in late


def test_once_a_report_tells_it_it_is_there_once(
    play: Play, shop: Shop, toy_library: FolderLibrary
) -> None:
    store = play("toy-duel", 2)
    write(store, LATE)
    with store.writing() as books:
        go_on(books, toy_library, 1)
    told = page(shop, store)
    assert told.count(LATE) == 1
    assert "since the last report" not in told


def test_what_struck_reports_told_is_not_lost(
    play: Play, shop: Shop, toy_library: FolderLibrary
) -> None:
    """The reports of the steps that are played again do not tell it again."""
    store = play("toy-duel", 4)
    with store.writing() as books:
        roll_back(lock_game(books, toy_library, GAME, at=AT), "1-pick", same_dice=False)
    write(store, LATE)
    back = page(shop, store)
    late = back.partition("since the last report</h2>")[2]
    assert "good luck" in late
    assert LATE in late
    with store.writing() as books:
        go_on(books, toy_library, 1)
    on = page(shop, store)
    assert "since the last report" not in on
    assert on.count("good luck") == on.count(LATE) == 1


def test_who_hid_stays_hidden_also_out_of_a_public_archive(play: Play, shop: Shop) -> None:
    """There the writer is left out, which elsewhere means the GM."""
    store = play("toy-duel", 2, press="grey")
    write(store, GREY, anonymous=True)
    with store.reading() as books:
        dossier = collect_dossier(books, GAME)
    render = Texts(shop.printer, shop.library.kind("toy-duel"))
    public = read_archive(pack_archive(dossier, render, public=True)).dossier
    for one in (dossier, public):
        made = told_of(shop.built(one).files)
        late = made.partition("since the last report</h2>")[2]
        assert "anonymous to all" in late
        assert GREY in late


def test_of_a_game_that_never_began_or_was_withdrawn_nobody_is_quoted(
    play: Play, shop: Shop
) -> None:
    with play("toy-duel", 2).reading() as books:
        dossier = collect_dossier(books, GAME)
    record = dossier.record
    struck = tuple(replace(step, void=True) for step in record.steps)
    for steps, status in (((), Status.OPEN), (struck, Status.OVER)):
        game = replace(record.game, status=status)
        made = replace(dossier, record=replace(record, game=game, steps=steps))
        assert find_press_since(made.press, made.record.steps) == ()
        assert OPEN_PRESS[:5] not in told_of(shop.built(made).files)


def test_at_the_end_nobody_is_told_who_wrote_without_a_name(
    play: Play, shop: Shop, toy_library: FolderLibrary
) -> None:
    store = play("toy-duel", 2, press="grey")
    write(store, GREY, anonymous=True)
    with store.writing() as books:
        go_on(books, toy_library, 2)
    assert "blue (without a name)" in turn_pages(shop.of(store, "blue").files, "seats/blue")
    with store.writing() as books:
        go_on(books, toy_library, 99)
    files = shop.of(store).files
    assert GREY in turn_pages(files, "seats/blue")
    assert not any(b"without a name" in content for content in files.values())
