"""Orders stand where the reports told of them, also where a report came a step later."""

import re

from adjudicator.adapters.archive.stored_game import collect_dossier
from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.site.exhibit import Exhibit, Scene, make_exhibit
from adjudicator.adapters.site.pages import list_orders
from adjudicator.adapters.store.store import SqlStore
from adjudicator.core.document import Document
from tests.adapters.site.conftest import GAME, Play, Shop, turn_pages


def shown(store: SqlStore, library: FolderLibrary, seat: str | None = None) -> Exhibit:
    with store.reading() as books:
        dossier = collect_dossier(books, GAME)
    kind = library.kind(dossier.record.game.kind)
    return make_exhibit(dossier, kind, kind.game, seat=seat)


def put_off(game: Exhibit) -> list[tuple[Scene, str, Document]]:
    """Step, seat and the step whose report tells of the orders."""
    return [
        (scene, seat, told["later"])
        for scene in game.scenes
        for seat, told in list_orders(game, scene)
        if not told["orders"]
    ]


def test_no_executed_orders_are_left_out(play: Play, toy_library: FolderLibrary) -> None:
    """While others trim their hands in mid-turn nobody else is mailed. (JD-15)"""
    game = shown(play("jump-drive", 99), toy_library)
    late = put_off(game)
    assert late, "nobody was mailed later; the test shows nothing"
    told = {scene.name: dict(list_orders(game, scene)) for scene in game.scenes}
    for scene in game.scenes:
        assert set(scene.written) <= set(told[scene.name])
    for step, seat, later in late:
        assert told[later["name"]][seat]["of"] == [step.label]
        assert told[later["name"]][seat]["orders"]["entries"]


def test_both_steps_point_to_each_other(play: Play, toy_library: FolderLibrary, shop: Shop) -> None:
    store = play("jump-drive", 99)
    step, seat, later = put_off(shown(store, toy_library))[0]
    files = shop.of(store).files
    page = turn_pages(files)
    name, label, turn = later["name"], later["label"], later["turn"]
    link = f'<a href="../turn/{turn}.html#{name}">{label}</a>'
    assert f"Reported with {link}." in article(page, step.name)
    assert f"of {step.label}</span>" in article(page, name)
    own = turn_pages(files, f"seats/{seat}")
    link = f'<a href="{turn}.html#{name}">{label}</a>'
    assert f"was reported with {link}." in article(own, step.name)
    assert "As they were executed" in article(own, step.name)
    assert f"of {step.label}</span>" in article(own, name)


def article(page: str, step: str) -> str:
    found = re.search(rf'<article[^>]* id="{step}".*?</article>', page, re.DOTALL)
    assert found
    return found[0]
