"""The notice document, word/1: what somebody reads where there is no receipt to give.

word       "word/1"
game       {id, kind, title}, or null for a letter about no game
seat       the reader's seat, or null
step       the step that is open, or null
label      the same for people, "turn 4, jump"
headline   one line for the subject
lines      [sentences]
not_taken  [sentences]: what was not done, and what to do instead
form       null, or the block to reply with, as in a receipt
guide      null, or the name of the template of the guide that goes with it
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from adjudicator.core.document import Document, Seat
from adjudicator.desk.model.context import Context, current_step
from adjudicator.desk.model.mail import Caller
from adjudicator.desk.model.people import GM, NOBODY, House
from adjudicator.desk.model.ports import Books
from adjudicator.desk.model.values import OutgoingLetter, Step
from adjudicator.desk.outbox.form import ANSWER_VERSION, answer_document, gm_form
from adjudicator.desk.outbox.queue import (
    ANSWER,
    NOTICE,
    notice_document,
    queue_addressed,
    queue_letter,
    queue_to_address,
    tell_address,
)

WORD_VERSION = "word/1"


def word_document(
    headline: str,
    lines: Sequence[str],
    *,
    context: Context | None = None,
    seat: Seat | None = None,
    not_taken: Sequence[str] = (),
    form: Document | None = None,
    guide: str | None = None,
) -> dict[str, Any]:
    """Make the document."""
    step = current_step(context) if context else None
    return {
        "word": WORD_VERSION,
        "game": context.names if context else None,
        "seat": seat,
        "step": step.name if step else None,
        "label": context.label(step) if context and step else None,
        "headline": headline,
        "lines": list(lines),
        "not_taken": list(not_taken),
        "form": form,
        "guide": guide,
    }


def notify_seat(
    context: Context,
    seat: Seat,
    headline: str,
    lines: Sequence[str],
    *,
    not_taken: Sequence[str] = (),
    form: Document | None = None,
) -> OutgoingLetter:
    """Tell a seat something, at its registered addresses."""
    document = word_document(
        headline, lines, context=context, seat=seat, not_taken=not_taken, form=form
    )
    return queue_letter(
        context, current_step(context), seat, ANSWER, document, template=WORD_VERSION
    )


def notify_stranger(
    books: Books,
    house: House,
    address: str,
    headline: str,
    lines: Sequence[str],
    *,
    at: datetime,
    guide: str | None = None,
) -> OutgoingLetter:
    """Tell an address something that everybody may know."""
    document = word_document(headline, lines, guide=guide)
    return queue_addressed(
        books,
        (address,),
        ANSWER,
        document,
        host=house.host,
        at=at,
        template=WORD_VERSION,
        reader=NOBODY,
    )


def notify_gm(
    books: Books, house: House, headline: str, lines: Sequence[str], *, at: datetime
) -> OutgoingLetter:
    """Tell the GM something about no game."""
    document = word_document(headline, lines)
    return queue_addressed(
        books, (), NOTICE, document, host=house.host, at=at, template=WORD_VERSION, reader=GM
    )


def send_answer(
    context: Context,
    address: str | Sequence[str],
    headline: str,
    parts: Sequence[Document],
    *,
    name: str | None = None,
    form: Document | None = None,
    reader: str = NOBODY,
) -> OutgoingLetter:
    """Send an answer/1 under this name to somebody without a seat, or to the GM."""
    document = answer_document(context, None, name, headline, parts, form)
    return queue_to_address(
        context, address, ANSWER, document, template=ANSWER_VERSION, reader=reader
    )


def notify_gm_daily(
    books: Books, house: House, headline: str, lines: Sequence[str], *, at: datetime
) -> None:
    """Tell the GM something about no game, unless a notice of this headline went out today."""
    if count_once_a_day(books, headline, at):
        notify_gm(books, house, headline, lines, at=at)


def count_once_a_day(books: Books, name: str, at: datetime) -> bool:
    """Whether this is the first time today under this name."""
    day = f"{at:%Y-%m-%d}"
    caller = books.caller(name)
    if caller is not None and caller.day == day:
        return False
    books.save(Caller(address=name, day=day, answers=1))
    return True


def tell_gm(context: Context, step: Step, headline: str, lines: Sequence[str]) -> OutgoingLetter:
    """Send a notice to wherever the server's GM reads letters."""
    zone = context.settings.zone
    document = notice_document(context, step, GM, headline, lines, zone=zone, form=gm_form(context))
    return tell_address(context, (), document, GM)
