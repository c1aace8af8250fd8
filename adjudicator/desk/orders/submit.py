"""File a seat's orders: read, checked, put on file, and acknowledged by a receipt."""

from collections.abc import Sequence
from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.core.document import Document, decode, digest, encode
from adjudicator.desk.model.context import Context, RequestOutcome, Sender
from adjudicator.desk.model.people import GM
from adjudicator.desk.model.settings import EACH_TURN
from adjudicator.desk.model.standing import CLEARED
from adjudicator.desk.model.values import OrderSet, OutgoingLetter
from adjudicator.desk.orders.leaving import describe_vote, find_farewell, vote_and_resign
from adjudicator.desk.orders.luck import LuckWord, choose_luck_word
from adjudicator.desk.orders.reading_orders import (
    MailedOrders,
    OrdersRead,
    find_same_set,
    read_orders,
)
from adjudicator.desk.orders.receipt import OrdersOutcome, receipt_document
from adjudicator.desk.outbox.queue import RECEIPT, queue_letter, withdraw_reminders
from adjudicator.desk.requests.envelope import Envelope, OrderBlock
from adjudicator.desk.requests.grant import grant_requests

_CUT_SHORT = (
    "What comes before the refused order {} on file, but {} carried out until you send a "
    "corrected letter or the deadline passes."
)


_NOTHING_ON_FILE = (
    "ready: you have no orders on file, so it was ignored. Send orders, or `pass: yes` to do "
    "nothing in this step."
)
_PRESS_WENT_OUT = "Your messages went out, although your orders were not put on file."


class Filed(Struct, frozen=True):
    """What filing orders came to: the receipt document, and the letter that it goes out in."""

    receipt: Document
    letter: OutgoingLetter


def file_orders(
    context: Context, seat: str, block: OrderBlock, *, by: str, mailed: MailedOrders | None = None
) -> Filed:
    """File the orders of a seat; the receipt (desk/orders/receipt.py) says what became of them.

    `by` is player or gm. Press and other requests beside the orders are granted here, too.
    """
    step, head = context.open_step(), block.envelope
    seating = context.seatings.get(context.seat(seat))
    arrived = mailed.arrived if mailed else context.at
    sender = Sender(seat=seat, seating=seating, step=step, at=arrived, by=by)
    read = read_orders(context, sender, block, mailed)
    if mailed is None or mailed.question is not None or mailed.untaken:
        read = _clear_up(read, mailed)
    last = context.books.last_letter(context.id, seat, RECEIPT)
    number = max([last, *(own.number for own in context.sets if own.seat == seat)]) + 1
    result, new_set = _decide(context, sender, head, read, number, by)
    if new_set is not None:
        context.books.save(new_set)
        withdraw_reminders(context, step, seat)
    if mailed or by == GM:
        result = _grant(context, sender, head, read, result, mailed)
    else:
        result = replace(result, not_taken=[*result.not_taken, *_list_not_granted(head, read)])
    moves = (head.vote or head.resign) and read.outcome is None and result.outcome != "preview"
    farewell = find_farewell(context, seat, head) if moves else None
    if farewell:
        result = replace(result, farewell=farewell)
    elif seat in context.due:
        result = replace(result, foretold=_foretell(context, seat, read, result.outcome))
    if mailed is not None and mailed.lost and result.outcome == "status":
        result = replace(result, lost=mailed.lost)
    document = receipt_document(context, sender, block.source, result, number)
    letter = queue_letter(context, step, seat, RECEIPT, document, number=number)
    if context.player(seating) is None:  # a receipt that nobody reads is only kept
        letter = replace(letter, status="withdrawn")
        context.books.save(letter)
    words = f"{seat}: receipt {number}, {result.outcome}"
    context.note("submit", words, by=by, data={"seat": seat})
    if moves:
        vote_and_resign(context, seat, head, by)
    return Filed(document, letter)


def _clear_up(read: OrdersRead, mailed: MailedOrders | None) -> OrdersRead:
    """Add what is unclear about the lines outside the form, or leave out what only letters ask.

    Whoever types orders sees at once what is refused, so those on file do not wait for more.
    """
    if mailed is None:
        return replace(read, question=None, incomplete="" if read.outcome else read.incomplete)
    untaken = _UNTAKEN if mailed.untaken else ""
    question = mailed.question or read.question
    return replace(read, question=question, incomplete=read.incomplete or untaken)


# what becomes of it


def _decide(
    context: Context, sender: Sender, head: Envelope, read: OrdersRead, number: int, by: str
) -> tuple[OrdersOutcome, OrderSet | None]:
    """Decide what becomes of the letter, and which set goes on file."""
    result = OrdersOutcome(
        outcome=read.outcome or "status",
        entries=read.entries,
        faults=read.faults,
        question=read.question,
    )
    on = context.on_file.get(sender.seat)
    if read.outcome is not None:
        later = _LATER_REFUSED if read.outcome == "refused" and read.incomplete else ""
        reason = "" if head.preview else _find_open_question(read) or later
        return result, _hold(on, number, sender.at, reason) if on is not None and reason else None
    content, not_ready = _choose_orders(head, read, on)
    luck = LuckWord(content=content)
    if context.settings.luck == EACH_TURN:
        luck = choose_luck_word(context, sender, head.requests.get("luck"), content, on)
        content = luck.content
    lines = [*_list_done(context, sender, head, read, on), *luck.done]
    if by == GM and context.player(sender.seating) is not None:
        lines.insert(0, "Entered by the GM on your behalf.")
    vain = [_NOTHING_ON_FILE] if head.ready is not None and content is None and not on else []
    result = replace(result, done=lines, not_taken=[*vain, *luck.not_taken])
    if head.preview:
        return replace(result, outcome="preview"), None
    same = on and (on.orders, on.not_ready, on.luck) == (content, not_ready, luck.word)
    if content is None or same or (content == CLEARED and on is None):
        return result, None
    new_set = OrderSet(
        game=context.id,
        step=sender.step.number,
        seat=sender.seat,
        number=number,
        orders=content,
        digest=digest(content + luck.word.encode()),
        luck=luck.word,
        arrived=sender.at,
        ready=not not_ready,
        not_ready=not_ready,
        by=by,
    )
    outcome = "cleared" if content == CLEARED else "taken"
    is_new = on is not None and on.orders != content and outcome == "taken"
    again = find_same_set(context, sender.seat, content) if is_new else None
    if again is not None:
        lines.append(f"Receipt {number} = the orders of receipt {again} again.")
    replaces = on.number if on else None
    return replace(result, done=lines, outcome=outcome, replaces=replaces), new_set


def _choose_orders(
    head: Envelope, read: OrdersRead, on: OrderSet | None
) -> tuple[bytes | None, str]:
    """Choose what is on file after the letter (None: no change), and say why it is not ready."""
    reason = "says `ready: false`" if head.ready is False else ""
    open_question = _find_open_question(read) if read.question is not None else ""
    if read.orders is not None:
        missing = "contains none of the orders that are due" if read.owing else ""
        return encode(read.orders), open_question or read.incomplete or reason or missing
    if head.clear:
        return CLEARED, ""
    waits = open_question or (_LATER_UNTAKEN if read.incomplete else "")
    if head.ready is None and not waits:
        return None, ""
    return (on.orders, waits or reason) if on else (None, "")


_UNTAKEN = "is incomplete: a line that looked like an order was not taken"
_OPEN_QUESTION = "waits for your answer to the question"
_LATER_REFUSED = "keeps the orders on file, since those in your letter were refused"
_LATER_UNTAKEN = "keeps the orders on file, since a line in your letter looked like another order"


def _find_open_question(read: OrdersRead) -> str:
    """Say that the step waits for an answer on which orders depend; empty if it does not."""
    return _OPEN_QUESTION if read.question and read.question.is_about_orders else ""


def _hold(on: OrderSet, number: int, at: datetime, reason: str) -> OrderSet:
    """File the same orders once more, for a step that waits for other orders to be cleared up."""
    return replace(on, number=number, arrived=at, ready=False, not_ready=reason)


def _list_not_done(head: Envelope) -> list[str]:
    """List the requests that depend on the orders, when the orders fail."""
    requests = {"vote": head.vote, "clear": head.clear, "resign": head.resign}
    return [
        f"{key}: it was not done either; send it again, by itself or with orders that can be read."
        for key, value in requests.items()
        if value
    ]


def _list_not_granted(head: Envelope, read: OrdersRead) -> list[str]:
    """List a by-hand block's requests beside orders, and what fails with refused orders."""
    only_mailed = [
        f"{key}: this works only in a letter to the game's address, so it was ignored"
        for key in head.requests
    ]
    return [*only_mailed, *(_list_not_done(head) if read.outcome else ())]


def _list_done(
    context: Context, sender: Sender, head: Envelope, read: OrdersRead, on: OrderSet | None
) -> list[str]:
    """List what is done beside the orders, a sentence each."""
    would = "would be" if head.preview else "is"
    sentences = []
    if head.clear:
        sentences.append(_describe_clear(read, on, would))
    if read.orders is not None:
        if read.waits:
            sentences.append(_CUT_SHORT.format(would, "would not be" if head.preview else "is not"))
        if read.owing:
            sentences.append(read.owing)
    if head.ready is False and (on or read.orders is not None):
        sentences.append("ready: false is noted; your orders count at the deadline, not before.")
    if read.orders is not None and head.after is not None and on and head.after < on.number:
        sentences.append(f"The letter that you answered is older than receipt {on.number}.")
    if head.vote:
        sentences.append(describe_vote(context, sender.seat, head.vote, would))
    if head.resign:
        sentences.append(
            f"Your resignation from {sender.seat} {would} recorded. Thank you for playing."
        )
    return sentences


def _describe_clear(read: OrdersRead, on: OrderSet | None, would: str) -> str:
    if read.orders is not None:
        return "clear: true was not needed: your new orders replace the old ones completely."
    if on is None:
        return "There were no orders on file to withdraw."
    return f"Everything on file (receipt {on.number}) {would} withdrawn."


def _foretell(context: Context, seat: str, read: OrdersRead, outcome: str) -> Sequence[str]:
    """Say what the orders of a preview, or else those on file, will do."""
    orders, on = read.orders, context.on_file.get(seat)
    if outcome != "preview":
        orders = decode(on.orders) if on else None
    foretell = getattr(context.kind.rules, "foretell", None)
    if foretell is None or orders is None:
        return ()
    return tuple(foretell(context.view(seat), seat, orders))


# requests beside orders


def _grant(
    context: Context,
    sender: Sender,
    head: Envelope,
    read: OrdersRead,
    result: OrdersOutcome,
    mailed: MailedOrders | None,
) -> OrdersOutcome:
    """Grant a block's requests beside orders; the same receipt gives the results."""
    notes, remarks = (mailed.notes, mailed.remarks) if mailed else ((), ())
    if result.outcome == "unreadable":
        head = replace(
            head, requests={key: one for key, one in head.requests.items() if key == "press"}
        )
    granted = RequestOutcome()
    if head.requests:
        granted = grant_requests(context, sender, head, preview=head.preview)
    undone = _list_not_done(head) if read.outcome else ()
    if read.question is not None and read.question.question not in remarks:
        remarks = (*remarks, read.question.question)
    also = [_PRESS_WENT_OUT] if read.outcome and granted.messages else []
    return replace(
        result,
        messages=granted.messages,
        also=granted.subjects,
        done=[*notes, *read.remarks, *result.done, *granted.done, *also],
        not_taken=[*undone, *result.not_taken, *granted.not_taken, *remarks],
    )
