"""What tests do at the desk in one call, where a letter or a command takes several."""

from collections.abc import Sequence
from datetime import datetime

from adjudicator.core.document import Document, Seat
from adjudicator.core.finding import Finding
from adjudicator.core.forms.reading import Text
from adjudicator.desk.model.context import Context
from adjudicator.desk.model.people import House
from adjudicator.desk.model.ports import Books, Library
from adjudicator.desk.orders.reading_orders import MailedOrders
from adjudicator.desk.orders.submit import file_orders
from adjudicator.desk.outbox.send import (
    Dispatch,
    Writer,
    claim_letters,
    keep_letters,
    write_letter,
)
from adjudicator.desk.requests.envelope import parse_block
from adjudicator.desk.steps import close
from adjudicator.desk.steps.advance import StepClosing
from adjudicator.desk.steps.lock import lock_context, lock_game


def submit(
    books: Books,
    library: Library,
    game: str,
    seat: str,
    text: Text | Sequence[Finding],
    *,
    by: str,
    at: datetime,
    source: str = "",
    mailed: MailedOrders | None = None,
) -> Document:
    """File a seat's orders that are at hand as text, or as why it could not be read."""
    context = lock_context(books, library, game, at=at)
    block = parse_block(text, source=source)
    return file_orders(context, seat, block, by=by, mailed=mailed).receipt


def close_step(
    books: Books, library: Library, game: str, *, at: datetime, now: bool, step: str | None = None
) -> StepClosing:
    """Lock the game and close its open step."""
    return close.close_step(lock_game(books, library, game, at=at), now=now, step=step)


def write_letters(
    books: Books,
    writer: Writer,
    *,
    library: Library,
    limit: int,
    until: datetime,
    at: datetime,
    secret: bytes,
    house: House,
    urgent: bool | None = None,
) -> tuple[Dispatch, ...]:
    """Claim letters, write those that are new, and keep them, all at once."""
    claimed = claim_letters(
        books,
        library=library,
        owner="test",
        until=until,
        at=at,
        limit=limit,
        secret=secret,
        house=house,
        urgent=urgent,
    )
    written = [write_letter(writer, one) for one in claimed.writings]
    kept = keep_letters(books, written, secret=secret, house=house, at=at)
    return (*claimed.ready, *kept)


def missing_seats(books: Books, library: Library, game: str) -> tuple[Seat, ...]:
    """The seats whose orders the open step still waits for, in seat order."""
    context = Context(books, library, game)
    context.open_step()
    return tuple(one.seat for one in context.standings if not one.is_in)
