"""Take a letter: who wrote it, what it requests, and the one answer that it gets.

Every letter is noted with what became of it, in the same transaction as what it caused; one that
is read again does nothing twice. From proves nothing: a key does, or the token of a letter that is
answered from a registered address. What holds a key or a secret goes to registered addresses only.
"""

import re
from datetime import datetime
from functools import partial

from msgspec.structs import replace

from adjudicator.desk.inbox.blocks import is_unchanged_form, read_blocks
from adjudicator.desk.inbox.free_text import read_free_text
from adjudicator.desk.inbox.from_gm import handle_gm_letter
from adjudicator.desk.inbox.from_player import handle_player_letter
from adjudicator.desk.inbox.from_stranger import handle_stranger_letter, handle_too_big
from adjudicator.desk.inbox.letter_task import LetterTask
from adjudicator.desk.inbox.proof import find_writer
from adjudicator.desk.model.history import trace_id
from adjudicator.desk.model.mail import IncomingLetter
from adjudicator.desk.model.people import GM, House
from adjudicator.desk.model.ports import Books, Library
from adjudicator.desk.model.values import Arrival
from adjudicator.desk.outbox.bounces import record_bounce
from adjudicator.desk.outbox.tokens import find_letters
from adjudicator.desk.requests.envelope import black_out_keys
from adjudicator.desk.requests.unsubscribing import UNSUBSCRIBE, find_unwanted, unsubscribe

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
    """Receive a letter; its effects and its answer are in the books when this returns.

    The record says what became of it; for a letter that was read before, the outcome is `repeat`.
    """
    books.because(trace_id(letter.message_id, letter.digest))
    before = books.arrival(letter.message_id or "", letter.digest)
    if before is not None:
        return replace(before, outcome=REPEAT, reason=f"read before: {before.reason}")
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
    books.save(arrival)
    return arrival


_MAY_BE_OWN = re.compile(r"\+.*@.* |\.[a-z2-7]{24}@")
"""A tag in the sender's address, or a token in the Message-ID."""


def _is_own(task: LetterTask) -> bool:
    """Whether this server wrote the letter; one that is sent back may lose sender and marks."""
    ids = [task.letter.message_id or ""]
    return task.house.is_own(task.letter.sender) or bool(find_letters(task.books, task.secret, ids))


def _is_players(task: LetterTask) -> bool:
    """Whether a letter that speaks of being away gives orders as well, as no program does."""
    letter = task.letter
    writer, _ = find_writer(task, read_blocks(letter.blocks))
    if writer is None or writer[1].seat == GM:
        return False
    _, holder = writer
    context = task.context(holder.game.id)
    free = read_free_text(context, holder.seat, letter.lines, (), holder.step)
    return bool(free.block.form.value or (free.question and free.question.is_about_orders))


def _unsubscribe(task: LetterTask) -> Arrival | None:
    """Unsubscribe the reader of the letter that the subject names; None if it names none."""
    unwanted = find_unwanted(task.books, task.secret, task.letter.subject)
    if unwanted is None:
        return None
    sentence = unsubscribe(task.context(unwanted.game), unwanted)
    return task.no_answer(sentence, game=unwanted.game)


def _handle(task: LetterTask) -> Arrival:
    letter, house, books = task.letter, task.house, task.books
    if letter.bounced:
        addresses = record_bounce(books, task.secret, letter, house=house, at=task.at)
        return task.no_answer(f"a delivery report; marked: {', '.join(addresses) or 'nothing new'}")
    looks_own = _MAY_BE_OWN.search(f"{letter.sender} {letter.message_id}")
    if letter.sender in (house.address, *house.aliases) or (looks_own and _is_own(task)):
        return task.no_answer("it came from this server itself")
    # a mail program may have written it, so it comes before the question who did
    if letter.subject[:11].lower() == UNSUBSCRIBE and (arrival := _unsubscribe(task)):
        return arrival
    if letter.automatic and not (letter.bulk or (letter.worded and _is_players(task))):
        return task.no_answer(f"automatic: {letter.automatic}")
    if letter.too_big is not None:
        return handle_too_big(task, letter.too_big)
    blocks = [*map(partial(black_out_keys, books, task.secret), read_blocks(letter.blocks))]
    writer, wrong = find_writer(task, blocks)
    is_ignored = writer is None and task.is_ignored()
    if wrong:
        task.count_wrong_keys(wrong)
    if writer is None:
        return handle_stranger_letter(task, blocks, is_ignored=is_ignored)
    block, holder = writer
    if letter.bulk and is_unchanged_form(task, holder, block):
        return task.no_answer("a mailing list's letter without orders", seat=holder.seat)
    if holder.seat == GM:
        return handle_gm_letter(task, holder, block, blocks)
    return handle_player_letter(task, holder, block, blocks)
