"""What of a game may be shown, and to whom."""

import pytest
from msgspec.structs import replace

from adjudicator.adapters.archive.stored_game import collect_dossier
from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.site.exhibit import Exhibit, make_exhibit
from adjudicator.adapters.store.store import SqlStore
from adjudicator.desk.acts.rollback import roll_back
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.values import Status
from adjudicator.desk.steps.lock import lock_game
from tests.adapters.site.conftest import AT, GAME, LUCK, SECRET_PRESS, Play, go_on


def shown(store: SqlStore, library: FolderLibrary, seat: str | None = None) -> Exhibit:
    with store.reading() as books:
        dossier = collect_dossier(books, GAME)
    kind = library.kind(dossier.record.game.kind)
    return make_exhibit(dossier, kind, kind.game, seat=seat)


def test_of_a_running_game_only_public_papers_are_there(
    play: Play, toy_library: FolderLibrary
) -> None:
    made = shown(play("toy-duel", 3), toy_library)
    assert [scene.public["seat"] for scene in made.scenes] == [None] * 4
    assert not any(scene.own or scene.written for scene in made.scenes)
    assert made.proof is None
    assert made.over is None


def test_with_a_seat_its_own_papers_are_there_too(play: Play, toy_library: FolderLibrary) -> None:
    made = shown(play("toy-duel", 3), toy_library, "blue")
    assert {seat for scene in made.scenes for seat in scene.own} == {"blue"}
    assert {seat for scene in made.scenes for seat in scene.written} == {"blue"}


def test_of_a_game_that_is_over_everything_is_there(play: Play, toy_library: FolderLibrary) -> None:
    made = shown(play("toy-duel", 99), toy_library)
    assert made.over is not None
    assert set(made.scenes[-1].own) == {"red", "blue", "green"}
    assert made.scenes[1].written["red"].startswith("play: ")
    assert made.proof is not None
    assert dict(made.proof.luck) == LUCK


def test_what_players_wrote_to_each_other_alone_stays_between_them(
    play: Play, toy_library: FolderLibrary
) -> None:
    store = play("toy-duel", 3)
    green = shown(store, toy_library, "green")
    assert any(SECRET_PRESS in str(scene.own) for scene in green.scenes)
    with store.writing() as books:
        go_on(books, toy_library, 99)
    over = shown(store, toy_library)
    assert over.proof is not None
    assert not any(SECRET_PRESS in str(scene.own) for scene in over.scenes)
    assert any("good luck" in str(scene.own["green"]["press"]) for scene in over.scenes)


def test_who_plays_is_told_unless_the_game_is_anonymous(
    play: Play, toy_library: FolderLibrary
) -> None:
    named = shown(play("toy-duel", 1), toy_library)
    assert [one.name for one in named.holders["red"]] == ["Ada"]


def test_of_an_anonymous_game_names_are_told_at_its_end(
    play: Play, toy_library: FolderLibrary
) -> None:
    store = play("toy-duel", 1, anonymous=True)
    assert [one.name for one in shown(store, toy_library).holders["red"]] == ["somebody"]
    with store.writing() as books:
        go_on(books, toy_library, 99)
    assert [one.name for one in shown(store, toy_library).holders["red"]] == ["Ada"]


def test_steps_that_were_taken_back_are_named_but_not_shown(
    play: Play, toy_library: FolderLibrary
) -> None:
    store = play("toy-duel", 4)
    scenes = shown(store, toy_library).scenes
    before = [scene.name for scene in scenes]
    with store.writing() as books:
        roll_back(lock_game(books, toy_library, GAME, at=AT), before[-2], same_dice=False)
    back = shown(store, toy_library)
    assert [scene.name for scene in back.scenes] == before[:-2]
    assert back.struck == tuple(scene.label for scene in scenes[-2:])
    with store.writing() as books:
        go_on(books, toy_library, 1)
    on = shown(store, toy_library)
    assert on.scenes[-1].struck == back.struck
    assert on.struck == ()


def test_a_game_that_was_withdrawn_keeps_its_seed(play: Play, toy_library: FolderLibrary) -> None:
    with play("toy-duel", 2).reading() as books:
        dossier = collect_dossier(books, GAME)
    record = dossier.record
    steps = tuple(replace(step, void=True) for step in record.steps)
    game = replace(record.game, status=Status.OVER)
    kind = toy_library.kind("toy-duel")
    withdrawn = replace(dossier, record=replace(record, game=game, steps=steps))
    made = make_exhibit(withdrawn, kind, kind.game)
    assert made.proof is None
    assert made.scenes == ()
    assert made.holders == {}


def test_a_seat_must_be_one_of_the_game_and_its_papers_must_be_at_hand(
    play: Play, toy_library: FolderLibrary
) -> None:
    store = play("toy-duel", 2)
    with pytest.raises(Refused, match='no seat "pink"; its seats are red, blue, green'):
        shown(store, toy_library, "pink")
    with store.reading() as books:
        dossier = collect_dossier(books, GAME)
    papers = tuple(paper for paper in dossier.record.papers if paper.seat is None)
    kind = toy_library.kind("toy-duel")
    public = replace(dossier, record=replace(dossier.record, papers=papers))
    with pytest.raises(Refused, match="no report of red is here"):
        make_exhibit(public, kind, kind.game, seat="red")
