"""A word of the house's, word/1: what somebody is told where there is no receipt to give.

word       "word/1"
game       {id, kind, title}, or null for a letter about no game
seat       the reader's seat, or null
step       the step that is open, or null
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
from adjudicator.desk.case import Case
from adjudicator.desk.house import GM, NOBODY, House
from adjudicator.desk.letters import ANSWER, NOTICE, addressed, queue
from adjudicator.desk.ports import Books
from adjudicator.desk.stage import stage
from adjudicator.desk.values import Letter

VERSION = "word/1"


def word(
    headline: str,
    lines: Sequence[str],
    *,
    case: Case | None = None,
    seat: Seat | None = None,
    not_taken: Sequence[str] = (),
    form: Document | None = None,
    guide: str | None = None,
) -> dict[str, Any]:
    """The document."""
    return {
        "word": VERSION,
        "game": case.names if case else None,
        "seat": seat,
        "step": stage(case).name if case else None,
        "headline": headline,
        "lines": list(lines),
        "not_taken": list(not_taken),
        "form": form,
        "guide": guide,
    }


def to_seat(
    case: Case,
    seat: Seat,
    headline: str,
    lines: Sequence[str],
    *,
    at: datetime,
    not_taken: Sequence[str] = (),
    form: Document | None = None,
) -> Letter:
    """Tell a seat something, at its registered addresses."""
    document = word(headline, lines, case=case, seat=seat, not_taken=not_taken, form=form)
    return queue(case, stage(case), seat, ANSWER, document, at=at, template=VERSION)


def to_stranger(
    books: Books,
    house: House,
    address: str,
    headline: str,
    lines: Sequence[str],
    *,
    at: datetime,
    guide: str | None = None,
) -> Letter:
    """Tell an address something that everybody may know."""
    letter = _of_house(NOBODY, ANSWER, (address,), at)
    return addressed(books, letter, word(headline, lines, guide=guide), house.host)


def to_gm(
    books: Books, house: House, headline: str, lines: Sequence[str], *, at: datetime
) -> Letter:
    """Tell the GM something about no game."""
    return addressed(books, _of_house(GM, NOTICE, (), at), word(headline, lines), house.host)


def _of_house(reader: str, kind: str, to: tuple[str, ...], at: datetime) -> Letter:
    return Letter(
        game="",
        step=0,
        seat=reader,
        kind=kind,
        number=0,
        document=b"",
        template=VERSION,
        message_id="",
        made=at,
        to=to,
    )
