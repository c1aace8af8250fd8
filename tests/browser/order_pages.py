"""Pages on which orders are chosen, opened at positions of games, for the tests beside this."""

import json
import random
import zlib
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import adjudicator
from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.render.order_page import (
    collect_page_data,
    list_pages,
    render_order_page,
)
from adjudicator.adapters.render.printer import Printer
from adjudicator.core.document import encode
from adjudicator.core.finding import Grade
from adjudicator.library.game import GameState
from tests.browser.showing import Shown

PRINTER = Printer(FolderLibrary().templates())
KINDS = list_pages(PRINTER)
ADDRESS, SUBJECT = "games@example.org", "[ember] Your turn"
WRONG = (Grade.UNREADABLE, Grade.REFUSED)
Data = dict[str, Any]
Position = tuple[GameState, str, Data]
_OPTIONS: dict[str, list[dict[str, Any]]] = {
    "jump-wars": [{"homeworlds": "choose", "old_empire": True}, {}],
    "jump-gate": [{"interrupts": "ask"}, {}],
    "jump-gate-2010": [
        {"interrupts": "ask"},
        {"orbital_burn": True},
        {"interrupts": "ask", "orbital_burn": True},
    ],
}
"""Of the games, one after the other."""


def describe(game: GameState, seat: str) -> Data:
    """A report's document with its key, as its reader has it."""
    document: Data = json.loads(encode(game.report(seat).document))
    document["form"]["envelope"]["key"] = "7f3k-q2mx"
    return document


def list_positions(kind: str, games: int, every: int, seats: int = 3) -> Iterator[Position]:
    """Some of the positions of games by bots and random play, for somebody who owes orders."""
    own, options = adjudicator.load(kind), _OPTIONS.get(kind, [{}])
    for seed in range(games):
        game = own.new(seed=seed, seats=seats, options=options[seed % len(options)])
        chance = random.Random(seed)
        while not game.over and game.number < 60:
            orders = {}
            for number, seat in enumerate(game.due):
                if (game.number + number) % every == 0:
                    data = collect_page_data(describe(game, seat), ADDRESS, SUBJECT)
                    assert data is not None, "every form of this kind offers choices"
                    yield game, seat, json.loads(json.dumps(data))
                wild = chance.random() < 0.3
                orders[seat] = game.legal(seat, seed * 99 + number) if wild else game.bot(seat)
            game = game.close(orders)


def list_forms(kind: str, games: int) -> Iterator[Position]:
    """The first position of every form that comes up."""
    seen = set()
    for position in list_positions(kind, games, 1):
        if position[2]["form"] not in seen:
            seen.add(position[2]["form"])
            yield position


def pack(data: Any) -> str:
    """Any data behind the # of an address, also such as no letter has."""
    squeezer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = squeezer.compress(json.dumps(data).encode()) + squeezer.flush()
    return urlsafe_b64encode(packed).decode().rstrip("=")


def write_pages(folder: Path) -> Path:
    """The pages of all kinds, as on a site."""
    for kind in KINDS:
        (folder / f"{kind}.html").write_bytes(render_order_page(PRINTER, kind))
    return folder


def open_page(shown: Shown, folder: Path, kind: str, fragment: str) -> None:
    shown.page.goto("about:blank")
    shown.page.goto(f"{(folder / f'{kind}.html').as_uri()}#{fragment}")
    shown.page.wait_for_selector("#bar:visible, #trouble:not(:empty)")


def open_part(shown: Shown, part: str) -> None:
    """Unfold a part of the page."""
    shown.page.evaluate("(id) => { document.getElementById(id).open = true; }", part)


def write_text(shown: Shown, text: str) -> None:
    """What somebody writes who would rather see the block."""
    open_part(shown, "as-text")
    shown.page.fill("#text", text)


def read_orders(shown: Shown) -> str:
    """The block as it would be sent, without its head."""
    block = str(shown.page.input_value("#text"))
    return "\n".join(block.splitlines()[4:])


def read_block(data: Data, orders: str) -> str:
    head = "".join(f"{key}: {value}\n" for key, value in data["envelope"].items())
    return f"{head}{orders}\n# end of orders\n"
