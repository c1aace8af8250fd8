"""Orders filed ahead change no byte of what is published: the pages, and the public archive.

When a game is over, its orders are published with who gave them: of a plan that was used, `plan`.
"""

from collections.abc import Mapping
from pathlib import Path

import pytest

from adjudicator.adapters.archive.pack import pack_archive
from adjudicator.adapters.archive.reports import Texts
from adjudicator.adapters.archive.stored_game import collect_dossier
from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.store.opening import open_store
from adjudicator.desk.acts.end import end_game
from tests.adapters.site.conftest import Shop
from tests.desk.conftest import GAME, Desk
from tests.desk.test_ahead import TWO, Table, begin

WHEN = ("while plans wait", "when one was used", "at the end, when none was used")


def publish(table: Table, shop: Shop) -> list[Mapping[str, bytes]]:
    """The pages for everybody and for red, and the archive for everybody."""
    with table.desk.store.reading() as books:
        dossier = collect_dossier(books, GAME)
    texts = Texts(shop.printer, table.desk.library.kind(dossier.record.game.kind))
    pages = [shop.built(dossier, seat).files for seat in (None, "red")]
    return [*pages, pack_archive(dossier, texts, public=True)]


@pytest.mark.parametrize("when", WHEN)
def test_plans_of_others_change_no_published_byte(tmp_path: Path, when: str) -> None:
    library, seen = FolderLibrary(), []
    for planned in (True, False):
        with open_store(tmp_path / f"{planned}.db") as store:
            table = begin(Desk(store, library), "jump-wars", seats=TWO)
            plans = "ahead: [{step: jump, pass: yes}, {step: plan, pass: yes}]"
            table.say("blue", "pass: yes", plans if planned else "")
            table.say("red", "pass: yes")
            if when == WHEN[1]:
                table.close()
                if not planned:
                    table.say("blue", "pass: yes")
                table.say("red", "pass: yes")
                table.close()
                assert table.desk.step().name == "3-plan"
            if when == WHEN[2]:
                table.desk.act(end_game, ("red",), "enough")
            assert bool(table.plans("blue")) == planned
            seen.append(publish(table, Shop(library)))
    for with_plans, without in zip(*seen, strict=True):
        assert with_plans == without
