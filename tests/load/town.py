"""A town of players: games of all kinds, and for each seat that owes orders a letter with them."""

import random
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path

from msgspec import Struct
from sqlalchemy import delete, update

from adjudicator.adapters.render.text_layout import format_block
from adjudicator.adapters.store.tables import games, outbox, steps
from adjudicator.cli.demo.mail_programs import fill_form
from adjudicator.cli.demo.people import choose_bot_orders
from adjudicator.cli.wiring import Office
from adjudicator.core.dice import seed_from_number
from adjudicator.core.document import Seat
from adjudicator.desk.acts.new import create_game
from adjudicator.desk.model.ports import Books
from adjudicator.desk.model.values import Player
from adjudicator.desk.outbox.keys import save_key

KINDS = (("jump-wars", 5), ("jump-gate", 4), ("jump-gate-2010", 3), ("jump-drive", 4))
"""Which kinds there are, in turns, and with how many seats."""
ADDRESS, GM = "games@game.test", "gm@players.test"
SILENT = 0.1
"""The share of games in which somebody forgets to write, so that their deadline closes them."""
_AT_ONCE = 50
"""So many games are made in one transaction."""


class Writing(Struct, frozen=True):
    """A letter that a player will post."""

    game: str
    sender: str
    message_id: str
    content: bytes


def name_game(number: int) -> str:
    """Name the game of this number, in an order that says which kind it is of."""
    return f"g{number:05}"


def find_address(seat: Seat, game: str) -> str:
    """Find where a player of a game reads letters."""
    return f"{seat}.{game}@players.test"


def make_games(home: Path, number: int) -> list[Writing]:
    """Make so many running games; what their players will write. Nothing waits to be sent."""
    office = Office(str(home))
    writings: list[Writing] = []
    for first in range(0, number, _AT_ONCE):
        with office.making() as books:
            for one in range(first, min(first + _AT_ONCE, number)):
                _make_game(office, books, one)
                writings += _write_letters(office, books, name_game(one))
    with office.store.engine.begin() as connection:
        connection.execute(delete(outbox))  # the letters of the start have all been read
    office.close()
    return writings


def _make_game(office: Office, books: Books, number: int) -> None:
    game = name_game(number)
    kind, size = KINDS[number % len(KINDS)]
    seats = {seat: f"{seat} of {game}" for seat in office.library.kind(kind).seats[:size]}
    for seat, player in seats.items():
        books.save(Player(name=player, addresses=(find_address(seat, game),)))
    create_game(
        books,
        office.library,
        game=game,
        kind=kind,
        seats=dict(seats),
        options={},
        settings={"settle": "0m", "grace": "0m", "pace": "72h", "remind": [], "host": "game.test"},
        seed=seed_from_number(number),
        luck={},
        verifiable=False,
        components=None,
        start=True,
        at=office.at,
    )


def _write_letters(office: Office, books: Books, game: str) -> Iterator[Writing]:
    """Write what a bot would order, in the words of a form, as text alone."""
    step, wanted = choose_bot_orders(office, books, game)
    assert step is not None
    for seat, orders in wanted.items():
        key = save_key(books, office.home.secret(), game=game, seat=seat, seating=1, step=step)
        sender, letter = find_address(seat, game), EmailMessage(policy=SMTP)
        letter["From"], letter["To"] = sender, ADDRESS
        letter["Subject"] = f"[{game}] my orders"
        letter["Message-ID"] = message_id = f"<{step}.{sender}>"
        facts = {"game": game, "step": step, "key": key}
        letter.set_content(fill_form(facts, format_block(dict(orders) or {"pass": True})))
        yield Writing(game, sender, message_id, letter.as_bytes())


def choose_silent(writings: list[Writing], seed: int) -> frozenset[str]:
    """Choose who forgets to write: somebody in every tenth game."""
    chance = random.Random(seed)
    senders: dict[str, list[str]] = {}
    for one in writings:
        senders.setdefault(one.game, []).append(one.sender)
    quiet = chance.sample(sorted(senders), round(SILENT * len(senders)))
    return frozenset(chance.choice(senders[game]) for game in quiet)


def set_deadlines(
    home: Path, number: int, span: timedelta, part: timedelta
) -> Mapping[str, datetime]:
    """Set each game's deadline, evenly over a span that begins now; those of its first part.

    The games of later deadlines wait for days.
    """
    begin = datetime.now(UTC)
    office = Office(str(home))
    deadlines = {name_game(one): begin + span * (one + 1) / number for one in range(number)}
    with office.store.engine.begin() as connection:
        for game, until in deadlines.items():
            if until > begin + part:
                continue
            connection.execute(update(steps).where(steps.c.game == game).values(deadline=until))
            connection.execute(update(games).where(games.c.id == game).values(wake=until))
    office.close()
    return {game: until for game, until in deadlines.items() if until <= begin + part}
