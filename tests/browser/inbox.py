"""Letters of every kind as a player's mail program shows them: games played by letters, and the
reports of the games as played, each brought as bytes and opened as a page with its pictures."""

import re
from base64 import b64encode
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from datetime import timedelta
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from adjudicator.adapters.games.data_folders import find_data_folder
from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.mail.outbound.letter import MimeWriter
from adjudicator.adapters.render.png import Artist
from adjudicator.adapters.render.printer import Printer
from adjudicator.adapters.render.text_layout import format_block
from adjudicator.core.document import decode
from adjudicator.core.forms.orders_as_text import spell_orders
from adjudicator.desk.acts.announce import announce_game, withdraw_game
from tests.adapters.test_mime import heading, letter
from tests.desk.conftest import GAME
from tests.desk.post import HOUSE
from tests.desk.twins import World
from tests.desk.wishing import apply
from tests.played import list_records, unpack_game

KINDS = ("jump-wars", "jump-gate", "jump-gate-2010", "jump-drive")
SEATS = ("red", "blue", "green")
SETTINGS = {"pace": "72h", "zone": "Europe/Berlin", "press": "grey", "remind": ["1h"]}
STRANGER, GM = "zoe@example.com", HOUSE.gm[0]
QUESTIONS = "status, report, orders, history, rules, why 1, players"
PRESS = (
    "Shall we leave each other in peace?\n\n    I would rather look to the east: " + "very " * 30
)
JOINING = ("announcement", "confirmation", "joined", "seat taken", "withdrawn")
"""Letters before a game begins."""
SCENES = (
    "first report",
    "receipt",
    "receipt with faults",
    "receipt of what cannot be read",
    "press",
    "answers",
    "help",
    "reminder",
    "report",
    "notice",
    "answers to the GM",
    "word to a stranger",
    "map",
    "example",
    "rules",
    "trust",
    "rollback",
    "seat lost",
    "new player",
    "game over",
    "game over to the GM",
)
"""Each of them is a letter of every kind of game."""


@cache
def writer(site: str = "") -> MimeWriter:
    """As the daemon has it, pictures and all."""
    printer = Printer([find_data_folder("templates")])
    return MimeWriter(printer, FolderLibrary(), Artist(printer), site)


def page_of(message: EmailMessage) -> str:
    """The page of a letter, its pictures put where they are shown."""
    page = message.get_body(("html",))
    assert page is not None
    pictures = {
        str(part["Content-ID"]).strip("<>"): b64encode(part.get_content()).decode()
        for part in message.walk()
        if part.get_content_type() == "image/png"
    }
    html: str = page.get_content()
    return re.sub(
        r'src="cid:([^"]+)"', lambda name: f'src="data:image/png;base64,{pictures[name[1]]}"', html
    )


@cache
def scenes(kind: str, site: str = "") -> Mapping[str, str]:
    """The pages of a game's letters, by what they are; `site` is where the server's pages are."""
    with TemporaryDirectory() as home, ExitStack() as ends:
        world = World(Path(home, "adjudicator.db"), FolderLibrary(), ends)
        world.mail._writer = writer(site)
        world.new(kind, 3, SEATS, settings=SETTINGS)
        world.mail.deliver()
        _play(world, 3)
        return dict(_acted(world))


@cache
def joining(kind: str) -> Mapping[str, str]:
    """The pages of the letters of a game that nobody has joined yet."""
    with TemporaryDirectory() as home, ExitStack() as ends:
        world = World(Path(home, "adjudicator.db"), FolderLibrary(), ends)
        world.mail._writer = writer()
        desk, seats = world.desk, dict.fromkeys(SEATS)
        desk.new(kind=kind, seats=seats, start=False, luck={}, settings=SETTINGS)
        desk.act(announce_game, ["ada@example.org"])
        return dict(_joined(world))


def _joined(world: World) -> Iterator[tuple[str, str]]:
    reader, desk = "ada@example.org", world.desk

    def last() -> str:
        world.mail.deliver()
        return page_of(world.mail.last(reader))

    yield "announcement", last()
    apply(desk, reader, name="Ada")
    yield "confirmation", last()
    apply(desk, reader, name="Ada", luck="w" * 60, confirmed=True)
    yield "joined", last()
    apply(desk, "bo@example.org", name="Bo", confirmed=True)
    yield "seat taken", last()
    desk.act(withdraw_game)
    yield "withdrawn", last()


def _play(world: World, steps: int) -> None:
    for number in range(steps):
        for seat, orders in world.choices("bot", number).items():
            world.order(seat, orders)
        world.desk.later(hours=1)
        world.round()


def _acted(world: World) -> Iterator[tuple[str, str]]:
    choices = (*world.choices("bot", 9).items(), *world.choices("legal", 9).items())
    seat, owing = next((seat, orders) for seat, orders in choices if orders)
    first = next(iter(owing))
    reader = f"{world.person(seat).lower()}@example.org"
    yield "first report", page_of(world.mail.inbox[reader][0])

    def after(*lines: str) -> str:
        world.say(seat, *lines)
        return page_of(world.mail.last(reader))

    nonsense = f"{first}: [nonsense, from here to there, 99]"
    yield "receipt with faults", after("bidl: 3", nonsense, "vote: drwa")
    yield "receipt of what cannot be read", after(f"{first}: [", "  : x")
    yield "answers", after(f"ask: [{QUESTIONS}]")
    for word in ("help", "map", "example", "trust"):
        yield word, after(f"ask: [{word}]")
    yield "rules", after("ask: rules all")
    other = next(one for one in SEATS if one != seat)
    world.say(other, "press:", f"- to: {seat}", f"  text: |-\n    {PRESS}")
    yield "press", page_of(world.mail.last(reader))
    deadline = world.desk.step().deadline
    assert deadline is not None
    world.wait(deadline - timedelta(minutes=40))
    yield "reminder", newest(world, reader, "reminder")
    yield "receipt", after(*spelled(world, owing), "ready: no", "vote: draw")
    world.close()
    yield "report", newest(world, reader, "report")
    world.say("gm", "gm: [pause]")
    yield "notice", newest(world, reader, "notice")
    world.say("gm", f"ask: [{QUESTIONS}, help]")
    yield "answers to the GM", page_of(world.mail.last(GM))
    world.mail.write(STRANGER, "game: tiny\njoin: yes\n")
    yield "word to a stranger", page_of(world.mail.last(STRANGER))
    first_step = world.desk.see(lambda books: books.step(GAME, 1).name)
    world.say("gm", f"gm: [resume, 'rollback {first_step} yes']")
    yield "rollback", newest(world, reader, "notice")
    world.say("gm", f"gm: ['replace {seat} Zed <zed@example.org>']")
    yield "seat lost", newest(world, reader, "notice")
    yield "new player", page_of(world.mail.last("zed@example.org"))
    world.say("gm", "gm: ['end drawn \"all agreed\" yes']")
    over = newest(world, "zed@example.org", "report")
    assert "The game is drawn." in over
    assert "all agreed" in over
    yield "game over", over
    yield "game over to the GM", page_of(world.mail.last(GM))


def spelled(world: World, orders: Mapping[str, Any]) -> list[str]:
    """Orders as a player writes them."""
    with world.context() as context:
        return format_block(
            spell_orders(context.kind.form(context.open_step().phase), orders)
        ).splitlines()


def newest(world: World, reader: str, kind: str) -> str:
    """The page of the last letter of a kind that somebody got."""
    world.mail.deliver()
    found = [one for one in world.mail.inbox[reader] if f".{kind}." in str(one["Message-ID"])]
    assert found, f"{reader} got no {kind}"
    return page_of(found[-1])


WHICH = ("first", "halfway", "last", "public")
"""Of each game as played: what a player got first, halfway and last, and the public's last."""


def shipped() -> list[tuple[str, str]]:
    """Games as played by their folder, each with every place in WHICH."""
    return [("/".join(one.parts[-2:]), which) for one in list_records() for which in WHICH]


def name_of(report: tuple[str, str]) -> str:
    """Of a shipped report: game and place."""
    return f"{report[0].rpartition('/')[2]}-{report[1]}"


def mailed(report: tuple[str, str], site: str = "", **preferred: Any) -> str:
    """The page that the mail of a shipped report brings."""
    game, which = report
    steps = sorted((unpack_game(game.rpartition("/")[2]) / "steps").iterdir())
    step = {"first": steps[0], "halfway": steps[len(steps) // 2]}.get(which, steps[-1])
    path = step / "report.json" if which == "public" else min(step.glob("*/report.json"))
    document: Any = decode(path.read_bytes())
    if document.get("form"):
        document["form"]["envelope"]["key"] = "7f3k-q2mx"
    own = letter(
        kind="report", template="report/1", seat=document["seat"], number=document["number"]
    )
    made = writer(site).write_letter(
        own, document, heading(kind=document["game"]["kind"], **preferred)
    )
    message = message_from_bytes(made, policy=default)
    assert isinstance(message, EmailMessage)
    return page_of(message)
