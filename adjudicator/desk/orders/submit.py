"""File a seat's orders: read, checked, put on file, and acknowledged by a receipt."""

from collections.abc import Sequence
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.core.document import Document, decode, digest, encode
from adjudicator.core.finding import Finding, Grade, Path
from adjudicator.core.forms.reading import FallenEntries, Text
from adjudicator.desk.model.context import Context, RequestOutcome, Sender
from adjudicator.desk.model.people import GM
from adjudicator.desk.model.settings import EACH_TURN
from adjudicator.desk.model.standing import CLEARED
from adjudicator.desk.model.values import OrderSet, OutgoingLetter
from adjudicator.desk.orders.entries import (
    NOT_ON_FILE,
    describe_entries,
    describe_faults,
    leave_out,
)
from adjudicator.desk.orders.leaving import describe_vote, find_farewell, vote_and_resign
from adjudicator.desk.orders.luck import LuckWord, choose_luck_word
from adjudicator.desk.orders.mailed import (
    MailedOrders,
    detect_returned_form,
    explain_held,
    explain_wrong_step,
    find_offered,
)
from adjudicator.desk.orders.receipt import OrdersOutcome, receipt_document
from adjudicator.desk.outbox.queue import RECEIPT, queue_letter, withdraw_reminders
from adjudicator.desk.requests.envelope import Envelope, OrderBlock
from adjudicator.desk.requests.table import grant_requests

_CUT_SHORT = (
    "What comes before the refused order {} on file, but {} carried out until you send a "
    "corrected letter or the deadline passes."
)


_AS_OFFERED = "You sent `ready: yes`, so the orders that the form offered are on file now."
_NOTHING_ON_FILE = (
    "ready: you have no orders on file, so it was ignored. Send orders, or `pass: yes` to do "
    "nothing in this step."
)


class Filed(Struct, frozen=True):
    """What filing orders came to: the receipt document, and the letter that it goes out in."""

    receipt: Document
    letter: OutgoingLetter


class _Read(Struct, frozen=True, kw_only=True):
    """A block as it was understood."""

    orders: Document | None = None
    """What could go on file; None when the block holds no form, or none that can be read."""
    entries: Sequence[Document] = ()
    faults: Sequence[Document] = ()
    outcome: str | None = None
    """Set when the letter as a whole changes nothing: refused, unreadable, held."""
    waits: bool = False
    """A list of orders was cut short; what is left waits for a corrected letter."""
    owing: str | None = None
    """What to say of orders that give nothing of what is due: the step waits for more."""
    remarks: Sequence[str] = ()


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
    read = _read_block(context, sender, block, mailed)
    last = context.books.last_letter(context.id, seat, RECEIPT)
    number = max([last, *(own.number for own in context.sets if own.seat == seat)]) + 1
    found, made = _decide(context, sender, head, read, number, by)
    if made is not None:
        context.books.save(made)
        withdraw_reminders(context, step, seat)
    if mailed or by == GM:
        found = _grant(context, sender, head, read, found, mailed)
    else:
        found = replace(found, not_taken=[*found.not_taken, *_list_not_granted(head, read)])
    moves = (head.vote or head.resign) and read.outcome is None and found.outcome != "preview"
    farewell = find_farewell(context, seat, head) if moves else None
    if farewell:
        found = replace(found, farewell=farewell)
    elif seat in context.due:
        found = replace(found, foretold=_foretell(context, seat, read, found.outcome))
    document = receipt_document(context, sender, block.source, found, number)
    letter = queue_letter(context, step, seat, RECEIPT, document, number=number)
    if context.player(seating) is None:  # a receipt that nobody reads is only kept
        letter = replace(letter, status="withdrawn")
        context.books.save(letter)
    words = f"{seat}: receipt {number}, {found.outcome}"
    context.note("submit", words, by=by, data={"seat": seat})
    if moves:
        vote_and_resign(context, seat, head, by)
    return Filed(document, letter)


# reading


def _read_block(
    context: Context, sender: Sender, block: OrderBlock, mailed: MailedOrders | None
) -> _Read:
    if not block.is_readable:
        return _Read(faults=describe_faults(block.faults), outcome="unreadable")
    head = block.envelope
    if mailed is None and head.game not in (None, context.id):
        return _refuse(f"these orders are for the game {head.game}, but this is {context.id}")
    wrong = explain_wrong_step(context, sender, mailed, head, orders=bool(block.form.value))
    if wrong:
        return _refuse(wrong)
    if not block.form.value:
        offered = find_offered(context, sender.seat) if head.ready else None
        if offered is None:
            return _Read(faults=describe_faults(head.faults))
        read = _read_form(context, sender, replace(block, form=Text(value=offered)))
        return replace(read, remarks=[_AS_OFFERED])
    read = _read_form(context, sender, block)
    if mailed is None or read.orders is None:
        return read
    returned = detect_returned_form(context, sender.seat, head, read.orders)
    if returned is not None:
        return replace(
            read, orders=None, entries=(), faults=(), remarks=[returned] if returned else []
        )
    held = explain_held(context, mailed, head, context.on_file.get(sender.seat))
    return replace(read, outcome="held", remarks=[held]) if held else read


def _refuse(message: str) -> _Read:
    fault = Finding(grade=Grade.REFUSED, rule="", message=message)
    return _Read(faults=describe_faults([fault]), outcome="refused")


def _read_form(context: Context, sender: Sender, block: OrderBlock) -> _Read:
    due = context.due.get(sender.seat)
    name = due.form if due else sender.step.phase
    reading = context.kind.read(name, block.form, context.game.seats)
    if reading.orders is None:
        faults = describe_faults((*block.envelope.faults, *reading.findings))
        return _Read(faults=faults, outcome="unreadable")
    if not due and not set(reading.orders) <= {"standing"}:
        return _refuse(
            f"nothing is due from {sender.seat} in this step; only standing orders count"
        )
    if due:
        checked = _check(context, sender.seat, name, reading.orders, reading.fallen)
    else:
        checked = _Checked(reading.orders)
    describe = partial(context.kind.said, name)
    entries, faults = describe_entries(
        reading.orders, reading, block.form, checked.findings, checked.fallen, describe
    )
    nothing_left = bool(entries) and all(entry["mark"] in NOT_ON_FILE for entry in entries)
    return _Read(
        orders=None if nothing_left else checked.orders,
        entries=entries,
        faults=[*describe_faults(block.envelope.faults), *faults],
        outcome="refused" if nothing_left else None,
        waits=checked.waits,
        owing=context.kind.owing(name, checked.orders) if due and not checked.waits else None,
    )


class _Checked(Struct, frozen=True):
    """The orders that go on file, and what the rules say about them, by their places as read."""

    orders: Document
    findings: tuple[Finding, ...] = ()
    fallen: tuple[Path, ...] = ()
    waits: bool = False


def _check(
    context: Context, seat: str, form: str, orders: Document, cut: FallenEntries
) -> _Checked:
    rules, view = context.kind.rules, context.view(seat)
    if () in cut.paths:  # nothing of the form is put on file
        return _Checked({}, fallen=cut.paths)
    left, _ = leave_out(orders, cut.paths)
    findings = tuple(rules.check(view, seat, left))
    refused = [f for f in findings if f.grade in (Grade.REFUSED, Grade.UNREADABLE)]
    if not refused:
        return _Checked(left, findings, cut.paths, bool(cut.stopped))
    more = context.kind.fallen(form, left, [f.entry or f.path for f in refused])
    kept, moved = leave_out(left, [*(f.entry or f.path for f in refused), *more.paths])
    graded = [
        replace(f, path=(*moved.get(f.path[:2], f.path[:2]), *f.path[2:]))
        for f in rules.check(view, seat, kept)
        if f.grade in (Grade.DOOMED, Grade.DOUBTFUL)
    ]
    waits = bool(cut.stopped or more.stopped)
    return _Checked(kept, (*refused, *graded), (*cut.paths, *more.paths), waits)


# what becomes of it


def _decide(
    context: Context, sender: Sender, head: Envelope, read: _Read, number: int, by: str
) -> tuple[OrdersOutcome, OrderSet | None]:
    """Decide what becomes of the letter, and which set goes on file."""
    found = OrdersOutcome(
        outcome=read.outcome or "status",
        entries=read.entries,
        faults=read.faults,
    )
    if read.outcome is not None:
        return found, None
    on = context.on_file.get(sender.seat)
    content, not_ready = _choose_orders(head, read, on)
    luck = LuckWord(content=content)
    if context.settings.luck == EACH_TURN:
        luck = choose_luck_word(context, sender, head.requests.get("luck"), content, on)
        content = luck.content
    done = [*_list_done(context, sender, head, read, on), *luck.done]
    if by == GM and context.player(sender.seating) is not None:
        done.insert(0, "Entered by the GM on your behalf.")
    vain = [_NOTHING_ON_FILE] if head.ready is not None and content is None and not on else []
    found = replace(found, done=done, not_taken=[*vain, *luck.not_taken])
    if head.preview:
        return replace(found, outcome="preview"), None
    same = on and (on.orders, on.not_ready, on.luck) == (content, not_ready, luck.word)
    if content is None or same or (content == CLEARED and on is None):
        return found, None
    made = OrderSet(
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
    return replace(found, outcome=outcome, replaces=on.number if on else None), made


def _choose_orders(head: Envelope, read: _Read, on: OrderSet | None) -> tuple[bytes | None, str]:
    """Choose what is on file after the letter (None: no change), and say why it is not ready."""
    asked = "says `ready: false`" if head.ready is False else ""
    if read.orders is not None:
        missing = "contains none of the orders that are due" if read.owing else ""
        cut_short = _describe_cut(read) if read.waits else ""
        return encode(read.orders), cut_short or asked or missing
    if head.clear:
        return CLEARED, ""
    if head.ready is None:
        return None, ""
    return (on.orders, asked) if on else (None, "")


def _describe_cut(read: _Read) -> str:
    """Say which orders were refused, without their text, while the step waits for corrections."""
    refused = [str(one["n"]) for one in read.entries if one["mark"] == "refused"]
    if not refused:
        return "is incomplete: an order was refused"
    if len(refused) == 1:
        return f"is incomplete: order {refused[0]} was refused"
    return f"is incomplete: orders {', '.join(refused)} were refused"


def _list_not_done(head: Envelope) -> list[str]:
    """List the requests that depend on the orders, when the orders fail."""
    asked = {"vote": head.vote, "clear": head.clear, "resign": head.resign}
    return [
        f"{key}: it was not done either; send it again, by itself or with orders that can be read."
        for key, value in asked.items()
        if value
    ]


def _list_not_granted(head: Envelope, read: _Read) -> list[str]:
    """List a by-hand block's requests beside orders, and what fails with refused orders."""
    only_mailed = [
        f"{key}: this works only in a letter to the game's address, so it was ignored"
        for key in head.requests
    ]
    return [*only_mailed, *(_list_not_done(head) if read.outcome else ())]


def _list_done(
    context: Context, sender: Sender, head: Envelope, read: _Read, on: OrderSet | None
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
        sentences.append(
            f"Your form was made after receipt {head.after}; receipt {on.number} came later."
        )
    if head.vote:
        sentences.append(describe_vote(context, sender.seat, head.vote, would))
    if head.resign:
        sentences.append(
            f"Your resignation from {sender.seat} {would} recorded. Thank you for playing."
        )
    return sentences


def _describe_clear(read: _Read, on: OrderSet | None, would: str) -> str:
    if read.orders is not None:
        return "clear: true was not needed: your new orders replace the old ones completely."
    if on is None:
        return "There were no orders on file to withdraw."
    return f"Everything on file (receipt {on.number}) {would} withdrawn."


def _foretell(context: Context, seat: str, read: _Read, outcome: str) -> Sequence[str]:
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
    read: _Read,
    found: OrdersOutcome,
    mailed: MailedOrders | None,
) -> OrdersOutcome:
    """Grant a block's requests beside orders; the same receipt gives the results."""
    notes, remarks = (mailed.notes, mailed.remarks) if mailed else ((), ())
    if found.outcome == "unreadable":
        return replace(found, done=notes, not_taken=[*_list_not_done(head), *remarks])
    granted = RequestOutcome()
    if head.requests:
        granted = grant_requests(context, sender, head, preview=head.preview)
    undone = _list_not_done(head) if read.outcome else ()
    return replace(
        found,
        done=[*notes, *read.remarks, *found.done, *granted.done],
        not_taken=[*undone, *found.not_taken, *granted.not_taken, *remarks],
    )
