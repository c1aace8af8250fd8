"""Take a letter: who wrote it, what it requests, and the one answer that it gets.

Every letter is noted with what became of it, in the same transaction as what it caused; one that
is read again does nothing twice. From proves nothing: a key does, and what holds a key or a secret
goes to the addresses that are registered for the seat.
"""

from datetime import datetime

from msgspec.structs import replace

from adjudicator.desk.inbox.blocks import find_proven, read_blocks
from adjudicator.desk.inbox.from_gm import handle_gm_letter
from adjudicator.desk.inbox.from_player import handle_player_letter, is_unchanged_form
from adjudicator.desk.inbox.from_stranger import handle_stranger_letter, handle_too_big
from adjudicator.desk.inbox.letter_task import LetterTask
from adjudicator.desk.model.history import trace_id
from adjudicator.desk.model.mail import IncomingLetter
from adjudicator.desk.model.people import GM, House
from adjudicator.desk.model.ports import Books, Library
from adjudicator.desk.model.values import Arrival
from adjudicator.desk.outbox.bounces import record_bounce

REPEAT = "repeat"


def receive_letter(
    books: Books,
    library: Library,
    letter: IncomingLetter,
    *,
    house: House,
    secret: bytes,
    arrived: datetime,
    at: datetime,
) -> Arrival:
    """Take a letter; whatever it causes, and its answer, stands in the books when this returns.

    The record says what became of it; of a letter that was read before the outcome is `repeat`.
    """
    books.because(trace_id(letter.message_id, letter.digest))
    known = books.arrival(letter.message_id or "", letter.digest)
    if known is not None:
        return replace(known, outcome=REPEAT, reason=f"read before: {known.reason}")
    task = LetterTask(
        books=books,
        library=library,
        house=house,
        secret=secret,
        letter=letter,
        arrived=arrived,
        at=at,
    )
    arrival = _handle(task)
    books.save_arrival(arrival)
    return arrival


def _handle(task: LetterTask) -> Arrival:
    letter, house, books = task.letter, task.house, task.books
    if letter.bounced:
        marked = record_bounce(books, letter.bounced, letter.subject, house=house, at=task.at)
        return task.no_answer(f"a delivery report; marked: {', '.join(marked) or 'nothing new'}")
    if letter.sender in (house.address, *house.aliases):
        return task.no_answer("it came from this server itself")
    if letter.automatic and not letter.bulk:
        return task.no_answer(f"automatic: {letter.automatic}")
    if letter.too_big is not None:
        return handle_too_big(task, letter.too_big)
    blocks = read_blocks(letter.blocks)
    is_slowed, proven = task.is_slowed(), None
    # who guessed keys is ignored for a while; a known address is always looked at
    sender = letter.sender or ""
    if not is_slowed or books.holders(sender) or house.is_gm(sender):
        proven = find_proven(books, task.secret, blocks, all_steps=not is_slowed)
    if proven is None:
        return handle_stranger_letter(task, blocks)
    block, holder = proven
    if letter.bulk and is_unchanged_form(task, holder, block):
        return task.no_answer("a mailing list's letter without orders", seat=holder.seat)
    if holder.seat == GM:
        return handle_gm_letter(task, holder, block)
    return handle_player_letter(task, holder, block, blocks)
