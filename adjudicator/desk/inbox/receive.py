"""Take a letter: who wrote it, what it requests, and the one answer that it gets.

Every letter is noted with what became of it, in the same transaction as what it caused; one that
is read again does nothing twice. From proves nothing: a key does, and what holds a key or a secret
goes to the addresses that are registered for the seat.
"""

from datetime import datetime

from msgspec import Struct

from adjudicator.core.document import Seat
from adjudicator.desk.inbox.blocks import pick_proven, read_candidates
from adjudicator.desk.inbox.from_gm import by_gm
from adjudicator.desk.inbox.from_player import handle_player_letter, is_unchanged_form
from adjudicator.desk.inbox.from_stranger import handle_stranger_letter, handle_too_big
from adjudicator.desk.inbox.rate_limit import slowed_until
from adjudicator.desk.inbox.results import LetterResult, LetterTask, no_answer
from adjudicator.desk.model.mail import IncomingLetter
from adjudicator.desk.model.people import GM, House
from adjudicator.desk.model.ports import Books, Library
from adjudicator.desk.model.trace import trace_id
from adjudicator.desk.model.values import Arrival
from adjudicator.desk.outbox.bounces import record_bounce

REPEAT = "repeat"


class LetterReceipt(Struct, frozen=True, kw_only=True):
    """What became of a letter."""

    outcome: str
    """receipt | answer | notice | silence | repeat"""
    reason: str = ""
    """Why it was silence, or in a word what it was."""
    game: str | None = None
    seat: Seat | None = None
    answer: str | None = None
    """The Message-ID of the answer."""


def receive_letter(
    books: Books,
    library: Library,
    letter: IncomingLetter,
    *,
    house: House,
    secret: bytes,
    arrived: datetime,
    at: datetime,
) -> LetterReceipt:
    """Take a letter; whatever it causes, and its answer, stands in the books when this returns."""
    books.because(trace_id(letter.message_id, letter.digest))
    known = books.arrival(letter.message_id or "", letter.digest)
    if known is not None:
        return LetterReceipt(
            outcome=REPEAT,
            reason=f"read before: {known.reason}",
            game=known.game,
            seat=known.seat,
            answer=known.answer,
        )
    post = LetterTask(
        books=books,
        library=library,
        house=house,
        secret=secret,
        letter=letter,
        arrived=arrived,
        at=at,
    )
    came = _came_of(post)
    books.save_arrival(
        Arrival(
            message_id=letter.message_id or "",
            digest=letter.digest,
            arrived=arrived,
            read=at,
            date=letter.date,
            sender=letter.sender,
            game=came.game,
            seat=came.seat,
            outcome=came.outcome,
            reason=came.reason,
            answer=came.answer,
            number=came.number,
        )
    )
    return LetterReceipt(
        outcome=came.outcome,
        reason=came.reason,
        game=came.game,
        seat=came.seat,
        answer=came.answer,
    )


def _came_of(post: LetterTask) -> LetterResult:
    letter, house = post.letter, post.house
    if letter.bounced:
        marked = record_bounce(post.books, letter.bounced, letter.subject, house=house, at=post.at)
        return no_answer(f"a delivery report; marked: {', '.join(marked) or 'nothing new'}")
    if letter.sender in (house.address, *house.aliases):
        return no_answer("it came from this very post office")
    if letter.automatic and not letter.bulk:
        return no_answer(f"automatic: {letter.automatic}")
    if letter.too_big is not None:
        return handle_too_big(post, letter.too_big)
    found = read_candidates(letter.blocks)
    slow = (
        letter.sender is not None and slowed_until(post.books, letter.sender, post.at) is not None
    )
    heard = not slow or _registered(post)
    mine = pick_proven(post.books, post.secret, found, wide=not slow) if heard else None
    if mine is None or mine.holder is None:
        return handle_stranger_letter(post, found)
    others = [one for one in found if one.block is not mine.block]
    if letter.bulk and is_unchanged_form(post, mine):
        return no_answer("a list's letter without orders", seat=mine.holder.seat)
    return by_gm(post, mine) if mine.holder.seat == GM else handle_player_letter(post, mine, others)


def _registered(post: LetterTask) -> bool:
    """Somebody who guessed keys is not heard for a while; who seems to be known always is."""
    sender = post.letter.sender
    return sender is not None and (bool(post.books.holders(sender)) or post.house.is_gm(sender))
