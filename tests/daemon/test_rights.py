"""Nothing secret lies open on the disk: a home is its owner's, whatever the umask was."""

import pytest

from adjudicator.cli.archives import export_game
from adjudicator.cli.demo.mail_programs import read_envelope
from tests.daemon.conftest import SEATS, House, address
from tests.daemon.people import Bots, reply
from tests.daemon.running import config, until
from tests.modes import MASKS, closed, modes, open_all, readable, umask


def _play(house: House) -> None:
    """Everybody orders and writes to all."""
    _, wanted = Bots(house.office, "ember").wanted()
    for number, (seat, player) in enumerate(SEATS.items()):
        (report, *_) = until(lambda who=player: house.letters(who), what="the report")
        orders = {**wanted[seat], "press": [{"to": "all", "text": "hello"}]}
        house.post(reply(address(player), report, read_envelope(report), orders, number))
    until(lambda: house.letters("Ada", "1-plan.red.report"), what="the next report")


@pytest.mark.parametrize(
    "mask", [MASKS[0], pytest.param(MASKS[1], marks=pytest.mark.soak), MASKS[2]]
)
def test_whatever_the_umask_a_played_home_is_its_owners(house: House, mask: int) -> None:
    home, pages = house.folder / "home", house.folder / "pages"
    with umask(mask):
        house.game()
        config(house.folder, house.settings(site="pages"))
        daemon = house.serve()
        _play(house)
        own = home / "jump_wars" / "ember" / "steps" / "001-plan" / "red"
        until(own.is_dir, what="the archive")
        until(lambda: list(pages.rglob("001-plan/report.json")), what="the pages")
        # while it runs, with the database's log beside it
        names = {path.name for path in modes(home)}
        assert {"secret", "journal", "serve.lock", "adjudicator.db-wal"} <= names
        assert readable(home) == []
        daemon.stop()
    for folder in ("home", "in", "out"):
        assert readable(house.folder / folder) == []
    assert closed(pages) == []


def test_serve_takes_an_open_home_away_from_others(house: House) -> None:
    house.game()
    home = house.folder / "home"
    export_game(house.office, "ember", None)
    open_all(home)
    assert readable(home)
    daemon = house.serve()
    assert readable(home) == []
    assert daemon.stop() == 0
