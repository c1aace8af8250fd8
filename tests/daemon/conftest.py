"""A house with a game of three whose letters come and go by Maildir."""

import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from adjudicator.adapters.mail import maildir
from adjudicator.adapters.settings import ServeSettings, parse_settings
from adjudicator.cli.demo.mail_programs import list_inbox, open_message
from adjudicator.cli.wiring import DATABASE_VARIABLE, Office
from adjudicator.core.dice import seed_from_number
from adjudicator.desk.acts.new import create_game
from adjudicator.desk.clock.readings import ClockReading
from adjudicator.desk.clock.rounds import end_round
from adjudicator.desk.model.values import Player
from tests.daemon import people
from tests.daemon.parts import HOUR, MINUTE, now
from tests.daemon.people import HOUSE
from tests.daemon.running import Running, config
from tests.servers.nursery import open_nursery
from tests.servers.postgres import PostgreSQL

SETTINGS = """\
address: games@game.test
gm: gm@players.test
round: 1
postboxes: [{kind: maildir, folder: in}]
postman: {kind: maildir, folder: out}
"""
SEATS = {"red": "Ada", "blue": "Bo", "green": "Cleo"}


def address(player: str) -> str:
    """Where a player reads letters."""
    return f"{player.lower()}@players.test"


def make_game(office: Office, addresses: dict[str, str], turns: int = 3, **settings: Any) -> None:
    """A running game of three, ember."""
    with office.making() as books:
        for name, where in addresses.items():
            books.save(Player(name=name, addresses=(where,)))
        create_game(
            books,
            office.library,
            game="ember",
            kind="jump-wars",
            seats=SEATS,
            options={"turn_limit": turns},
            settings={"settle": "0m", "pace": "72h", "host": "game.test", **settings},
            seed=seed_from_number(7),
            luck={},
            verifiable=False,
            components=None,
            start=True,
            at=datetime.now(UTC),
        )


class House:
    """A folder with settings, home and post; daemons that are started here end with the test."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.office = Office(str(folder / "home"))
        self.config = config(folder, self.settings())
        self.log = folder / "log"
        self.daemons: list[Running] = []

    def settings(self, **changes: Any) -> dict[str, Any]:
        """Maildir both ways."""
        return {
            "home": "home",
            "address": HOUSE,
            "gm": ["gm@players.test"],
            "postboxes": [{"kind": "maildir", "folder": "in", "poll": "0.02"}],
            "postman": {"kind": "maildir", "folder": "out"},
            "round": 1,
            **changes,
        }

    def serve(self, **environment: str) -> Running:
        """A daemon that is ready."""
        return self.start(**environment).ready()

    def start(self, **environment: str) -> Running:
        """A daemon."""
        process = open_nursery().serve(self.config, {**os.environ, **environment})
        return self.watch(Running(process, self.log))

    def watch(self, daemon: Running) -> Running:
        """It ends with the test."""
        self.daemons.append(daemon)
        return daemon

    def game(self, turns: int = 3, **settings: Any) -> None:
        """The game of three."""
        addresses = {name: address(name) for name in SEATS.values()}
        make_game(self.office, addresses, turns, **settings)

    def post(self, letter: bytes) -> None:
        """A letter arrives."""
        maildir.deliver_letter(self.folder / "in", letter)

    def close(self) -> None:
        """Whatever still runs is ended."""
        for daemon in self.daemons:
            if not daemon.ended():
                daemon.kill()
        self.office.close()

    def letters(self, player: str, kind: str = "") -> list[people.EmailMessage]:
        """What a player got, the oldest first."""
        folder = self.folder / "out" / (player if "@" in player else address(player))
        found = [open_message(path.read_bytes()) for path in list_inbox(folder)]
        return [one for one in found if f".{kind}" in str(one["Message-ID"])]


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = House(tmp_path)
    yield house
    house.close()


@pytest.fixture
def settings(tmp_path: Path) -> ServeSettings:
    """Of a daemon whose letters come and go by Maildir."""
    return parse_settings(SETTINGS, tmp_path / "adjudicator.yaml")


@pytest.fixture
def office(settings: ServeSettings) -> Iterator[Office]:
    office = Office(settings.home)
    yield office
    office.close()


@pytest.fixture
def shared(
    postgresql: PostgreSQL, settings: ServeSettings, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Office]:
    """An office whose books are on PostgreSQL, with a game whose deadline is over."""
    monkeypatch.setenv(DATABASE_VARIABLE, postgresql.store())
    office = Office(settings.home)
    with office.making() as books:
        create_game(
            books,
            office.library,
            game="ember",
            kind="jump-wars",
            seats={"red": "Ada", "blue": "Bo", "green": "Cy"},
            options={},
            settings={"pace": "2h", "grace": "0m"},
            seed=seed_from_number(7),
            luck={},
            verifiable=False,
            components=None,
            start=True,
            at=now() - 2 * HOUR - MINUTE,
        )
        before = now() - 2 * MINUTE
        end_round(books, ClockReading(at=before, read_until=before, boot=1.0), None)
    yield office
    office.close()
