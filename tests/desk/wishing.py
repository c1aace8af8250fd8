"""Short words for tests of what letters wish beside orders."""

from typing import Any

from adjudicator.adapters.data import folder
from adjudicator.adapters.layout import WIDTH
from adjudicator.adapters.render import Printer
from adjudicator.core.canonical import decode
from adjudicator.desk.case import Case, look
from adjudicator.desk.gm import gm
from adjudicator.desk.join import Wanted, join
from adjudicator.desk.receipt import Sender
from adjudicator.desk.seating import current
from adjudicator.desk.stage import stage
from adjudicator.desk.values import Letter
from adjudicator.desk.wish import Told
from adjudicator.desk.wishes import HANDLERS
from tests.desk.conftest import GAME, Desk

PRINTER = Printer([folder("templates")])


def wish(desk: Desk, seat: str, key: str, value: Any) -> Told:
    """What a seat's letter wishes, done."""
    with desk.store.writing() as books:
        case = look(books, desk.library, GAME)
        sender = Sender(
            seat=seat, seating=current(books, GAME).get(seat), step=stage(case), at=desk.at
        )
        return HANDLERS[key](case, sender, value, desk.at)


def order(desk: Desk, *words: Any, preview: bool = False) -> Told:
    """What the GM's letter wishes, done."""
    with desk.store.writing() as books:
        return gm(books, desk.library, GAME, list(words), at=desk.at, preview=preview)


def apply(desk: Desk, address: str, *, confirmed: bool = False, **wanted: Any) -> Told:
    """A letter of somebody who wants to join."""
    with desk.store.writing() as books:
        return join(
            books,
            desk.library,
            GAME,
            Wanted(address=address, **wanted),
            confirmed=confirmed,
            at=desk.at,
        )


def case_of(desk: Desk, books: Any) -> Case:
    """The game, to look at."""
    return look(books, desk.library, GAME)


def text_of(letter: Letter) -> str:
    """A letter as its reader gets it; never wider than a mail."""
    document = decode(letter.document)
    text = PRINTER.text(f"{letter.template.partition('/')[0]}.txt", document, "toy_duel")
    assert max(map(len, text.splitlines())) <= WIDTH
    return text
