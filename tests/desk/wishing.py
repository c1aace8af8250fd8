"""Short words for tests of what letters wish beside orders."""

from typing import Any

from adjudicator.adapters.games.data_folders import find_data_folder
from adjudicator.adapters.render.printer import Printer
from adjudicator.adapters.render.text_layout import TEXT_WIDTH
from adjudicator.core.document import decode
from adjudicator.desk.acts.by_mail import do_gm_words
from adjudicator.desk.model.context import (
    Context,
    RequestOutcome,
    Sender,
    current_step,
)
from adjudicator.desk.model.seats import current_seatings
from adjudicator.desk.model.values import OutgoingLetter
from adjudicator.desk.requests.grant import HANDLERS
from adjudicator.desk.requests.joining import JoinRequest, handle_join
from tests.desk.conftest import GAME, Desk

PRINTER = Printer([find_data_folder("templates")])


def wish(desk: Desk, seat: str, key: str, value: Any) -> RequestOutcome:
    """What a seat's letter wishes, done."""
    with desk.store.writing() as books:
        context = Context(books, desk.library, GAME, desk.at)
        sender = Sender(
            seat=seat,
            seating=current_seatings(books, GAME).get(seat),
            step=current_step(context),
            at=desk.at,
        )
        return HANDLERS[key](context, sender, value)


def order(desk: Desk, *words: Any, preview: bool = False) -> RequestOutcome:
    """What the GM's letter wishes, done."""
    with desk.store.writing() as books:
        return do_gm_words(case_of(desk, books), list(words), preview=preview)


def apply(desk: Desk, address: str, *, confirmed: bool = False, **wanted: Any) -> RequestOutcome:
    """A letter of somebody who wants to join."""
    with desk.store.writing() as books:
        return handle_join(
            books,
            desk.library,
            GAME,
            JoinRequest(address=address, **wanted),
            confirmed=confirmed,
            at=desk.at,
        )


def case_of(desk: Desk, books: Any) -> Context:
    """The game, to look at."""
    return Context(books, desk.library, GAME, desk.at)


def text_of(letter: OutgoingLetter) -> str:
    """A letter as its reader gets it; never wider than a mail."""
    document = decode(letter.document)
    text = PRINTER.text(f"{letter.template.partition('/')[0]}.txt", document, "toy_duel")
    assert max(map(len, text.splitlines())) <= TEXT_WIDTH
    return text
