"""Take a letter: who wrote it, what it wishes, and the one answer that it gets.

Every letter is noted with what became of it, in the same transaction as what it caused; one that
is read again does nothing twice. From proves nothing: a key does, and what holds a key or a secret
goes to the addresses that are registered for the seat.
"""

from datetime import datetime

from msgspec import Struct

from adjudicator.core.document import Seat
from adjudicator.desk.bygm import by_gm
from adjudicator.desk.callers import slowed
from adjudicator.desk.candidates import candidates, proven
from adjudicator.desk.house import GM, House
from adjudicator.desk.mail import Incoming
from adjudicator.desk.outcome import Outcome, Post, silence
from adjudicator.desk.ports import Books, Library
from adjudicator.desk.proven import by_seat, changes_nothing
from adjudicator.desk.toobig import too_big
from adjudicator.desk.unproven import unproven
from adjudicator.desk.unreached import bounced
from adjudicator.desk.values import Arrival
from adjudicator.desk.way import way

REPEAT = "repeat"


class Received(Struct, frozen=True, kw_only=True):
    """What became of a letter."""

    outcome: str
    """receipt | answer | notice | silence | repeat"""
    reason: str = ""
    """Why it was silence, or in a word what it was."""
    game: str | None = None
    seat: Seat | None = None
    answer: str | None = None
    """The Message-ID of the answer."""


def receive(
    books: Books,
    library: Library,
    letter: Incoming,
    *,
    house: House,
    secret: bytes,
    arrived: datetime,
    at: datetime,
) -> Received:
    """Take a letter; whatever it causes, and its answer, stands in the books when this returns."""
    books.because(way(letter.message_id, letter.digest))
    known = books.arrival(letter.message_id or "", letter.digest)
    if known is not None:
        return Received(
            outcome=REPEAT,
            reason=f"read before: {known.reason}",
            game=known.game,
            seat=known.seat,
            answer=known.answer,
        )
    post = Post(
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
    return Received(
        outcome=came.outcome,
        reason=came.reason,
        game=came.game,
        seat=came.seat,
        answer=came.answer,
    )


def _came_of(post: Post) -> Outcome:
    letter, house = post.letter, post.house
    if letter.bounced:
        marked = bounced(post.books, letter.bounced, letter.subject, house=house, at=post.at)
        return silence(f"a delivery report; marked: {', '.join(marked) or 'nothing new'}")
    if letter.sender in (house.address, *house.aliases):
        return silence("it came from this very post office")
    if letter.automatic and not letter.bulk:
        return silence(f"automatic: {letter.automatic}")
    if letter.too_big is not None:
        return too_big(post, letter.too_big)
    found = candidates(letter.blocks)
    slow = letter.sender is not None and slowed(post.books, letter.sender, post.at) is not None
    heard = not slow or _registered(post)
    mine = proven(post.books, post.secret, found, wide=not slow) if heard else None
    if mine is None or mine.holder is None:
        return unproven(post, found)
    others = [one for one in found if one.block is not mine.block]
    if letter.bulk and changes_nothing(post, mine):
        return silence("a list's letter without orders", seat=mine.holder.seat)
    return by_gm(post, mine) if mine.holder.seat == GM else by_seat(post, mine, others)


def _registered(post: Post) -> bool:
    """Somebody who guessed keys is not heard for a while; who seems to be known always is."""
    sender = post.letter.sender
    return sender is not None and (bool(post.books.holders(sender)) or post.house.is_gm(sender))
