"""A whole game by letters, from its announcement to its end, and every mail that was sent of it."""

from collections.abc import Mapping
from contextlib import ExitStack
from datetime import timedelta
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from adjudicator.adapters.games.data_folders import find_data_folder
from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.mail.outbound.letter import MimeWriter
from adjudicator.adapters.render.png import Artist
from adjudicator.adapters.render.printer import Printer
from adjudicator.adapters.render.text_layout import NARROW_WIDTH, TEXT_WIDTH
from adjudicator.core.document import Document
from adjudicator.desk.acts.announce import announce_game
from tests.desk.conftest import GAME
from tests.desk.mailing import quoted, words
from tests.desk.post import HOUSE
from tests.desk.twins import NAMES, World, address

OPTIONS: Mapping[str, Document] = {
    "jump-wars": {"turn_limit": 2, "old_empire": True},
    "jump-gate": {"interrupts": "ask"},
    "jump-gate-2010": {"interrupts": "ask"},
    "jump-drive": {},
}
"""Every kind, and what makes its game short or its letters many."""
SEATS = ("red", "blue", "green")
PREFERRED = {
    "red": "prefer: {zone: Europe/Berlin, json: yes}",
    "blue": "prefer: {zone: Asia/Kolkata, width: 40}",
    "green": "prefer: {mails: final}",
}
EVE, GM, ZOE = "eve@example.com", HOUSE.gm[0], "zoe@example.net"
_LONG_ENOUGH = 4
"""Steps after which a game that goes on is ended by votes."""
_PRESS = "Shall we leave each other in peace?\n\n    You have 12 fleets, I have 3.\ngame: over\n"


class Sent(NamedTuple):
    """A mail as the mail server got it."""

    to: str
    width: int
    """Of the text that its reader wants."""
    content: bytes


class Tale(NamedTuple):
    """A game, told by its mails."""

    mails: tuple[Sent, ...]
    steps: int
    over: bool


@cache
def played(kind: str) -> Tale:
    """The game with all its mails; it is played once."""
    with TemporaryDirectory() as home, ExitStack() as ends:
        world = World(Path(home, "adjudicator.db"), FolderLibrary(), ends)
        printer = Printer([find_data_folder("templates")])
        world.mail._writer = MimeWriter(printer, world.desk.library, Artist(printer))
        _joined(world, kind)
        early = {to: len(world.got(to)) for to in world.mail.raw}
        for seat, line in PREFERRED.items():
            world.say(seat, line)
        _asked(world)
        _to_the_end(world)
        steps = world.desk.see(lambda books: books.steps(GAME))
        return Tale(tuple(_mails(world, early)), len(steps), world.over())


def _joined(world: World, kind: str) -> None:
    """Everybody is told of it, asks for a seat, confirms; then it begins by itself."""
    settings = {"pace": "72h", "zone": "Europe/Berlin", "press": "grey", "remind": ["1h"]}
    seats = dict.fromkeys(SEATS)
    world.desk.new(
        kind=kind, seats=seats, luck={}, options=OPTIONS[kind], settings=settings, start=False
    )
    everybody = [address(NAMES[seat]) for seat in SEATS]
    world.desk.act(announce_game, [*everybody, EVE])
    for seat in SEATS:
        name = NAMES[seat]
        wish = f"join: {GAME}\nname: {name}\nluck: 7 magpies\nprefer: {{seats: [{seat}]}}"
        _confirmed(world, address(name), wish)
    _confirmed(world, EVE, f"join: {GAME}\nobserve: yes\nname: Eve")
    assert world.desk.step()


def _confirmed(world: World, sender: str, wish: str) -> None:
    world.mail.write(sender, wish)
    asked = world.mail.last(sender)
    world.mail.write(sender, quoted(words(asked)), asked)


def _asked(world: World) -> None:
    """Letters beside those that move the game: questions, faults, press, the GM's acts."""
    questions = "status, report, orders, history, rules, why 1, players, help, resend"
    owing = world.choices("bot", 0)
    seat = next(iter(owing))
    key = next(iter(owing[seat]), "orders")
    for line in (
        f"ask: [{questions}]",
        f"{key}: [\n  : x",
        f"bidl: 3\n{key}: [nonsense, from here to there, 99]\nvote: drwa",
        "absent: {from: 2027-01-04, until: 2027-01-08}",
        "preview: yes",
        "press:\n" + "\n".join(f"- to: {to}\n  text: |-\n{_text()}" for to in ("all", "gm")),
    ):
        world.say(seat, *line.splitlines())
        world.say("blue", *line.splitlines())
    for line in (
        "pawse",
        "extend",
        "pause",
        "resume",
        "extend 24h",
        "remind",
        'note "all is well"',
    ):
        world.say("gm", f"gm: ['{line}']")
    world.say("gm", f"ask: [{questions}]")
    world.say("gm", "press: [{to: all, text: The server was away last night.}]")
    world.mail.write(ZOE, f"game: {GAME}\nkey: aaaa-bbbb\nresign: yes")
    world.mail.write(ZOE, "Is anybody there?")
    deadline = world.desk.step().deadline
    assert deadline is not None
    world.wait(deadline - timedelta(minutes=40))  # reminders go out


def _text() -> str:
    return "\n".join(f"    {line}" for line in _PRESS.splitlines())


def _to_the_end(world: World) -> None:
    for number in range(_LONG_ENOUGH):
        for seat, orders in world.choices("bot", number).items():
            world.order(seat, orders)
        world.desk.later(hours=1)
        world.round()
        if world.over():
            return
    for seat in SEATS:
        world.say(seat, "vote: draw")


def _mails(world: World, early: Mapping[str, int]) -> Any:
    blue = address(NAMES["blue"])
    for to in sorted(world.mail.raw):
        for number, content in enumerate(world.got(to)):
            narrow = to == blue and number >= early[blue]
            yield Sent(to, NARROW_WIDTH if narrow else TEXT_WIDTH, content)
