"""Take a seat's orders: read, checked, put on file, and acknowledged by a receipt."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.core.document import Document, digest, encode
from adjudicator.core.finding import Finding, Grade, Path
from adjudicator.core.forms.reading import Fallen, Text
from adjudicator.desk.model.context import Context, Sender
from adjudicator.desk.model.history import write_note
from adjudicator.desk.model.people import GM
from adjudicator.desk.model.ports import Books, Library
from adjudicator.desk.model.seats import PLAYER, change_seating, current_seatings
from adjudicator.desk.model.standing import CLEARED, orders_on_file
from adjudicator.desk.model.values import OrderSet
from adjudicator.desk.orders.entries import NOT_ON_FILE, describe_entries, leave_out
from adjudicator.desk.orders.mailed import (
    MailedOrders,
    detect_returned_form,
    explain_closed_step,
    explain_held,
    explain_wrong_step,
)
from adjudicator.desk.orders.receipt import OrdersOutcome, describe_faults, receipt_document
from adjudicator.desk.outbox.queue import RECEIPT, player_of, queue_letter, withdraw_reminders
from adjudicator.desk.requests.envelope import Envelope, parse_envelope
from adjudicator.desk.requests.table import grant_requests
from adjudicator.desk.steps.finish import count_votes, vote_decision
from adjudicator.desk.steps.leave import leave_seat
from adjudicator.desk.steps.lock import lock_context

_CUT_SHORT = (
    "What stands before the refused order {} on file, but {} done before you send a "
    "corrected letter or the deadline comes."
)


class _Read(Struct, frozen=True, kw_only=True):
    """A letter as it was understood."""

    envelope: Envelope
    orders: Document | None
    """What could go on file; None when the letter holds no form, or none that can be read."""
    entries: Sequence[Document] = ()
    faults: Sequence[Document] = ()
    outcome: str | None = None
    """Set when the letter as a whole changes nothing: refused, unreadable, held."""
    waits: bool = False
    """A list of orders was cut short; what is left waits for a corrected letter."""
    owing: str | None = None
    """Said of orders that give nothing of what is due: the step waits for more."""
    foretold: Sequence[str] = ()
    """What the orders will do, where the game can say it."""
    remarks: Sequence[str] = ()


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
    """Take what a seat wrote; the receipt (desk/orders/receipt.py) says what became of it.

    `text` is the block as it was read, or why it could not be read; `source` the writer's own
    words, from which the receipt quotes the faulty lines. `by` is player or gm. Only what was
    `mailed` can hold press and other wishes of the kind, which are done here, too.
    """
    context = lock_context(books, library, game, at=at)
    step = context.open_step()
    seating = current_seatings(books, game).get(context.seat(seat))
    arrived = mailed.arrived if mailed else at
    sender = Sender(seat=seat, seating=seating, step=step, at=arrived, source=source)
    before = context.before(step)
    sets = tuple(books.orders(game, step.number))
    number = _next_number(context, sender, sets)
    read = _read(context, sender, before, text, mailed)
    if mailed and read.orders is not None:
        read = _weighed(context, sender, read, sets, mailed)
    found, made = _decide(context, sender, read, sets, number, by)
    if made is not None:
        books.save_orders(made)
        withdraw_reminders(context, step, seat)
        sets = (*sets, made)
    if mailed:
        found = _beside(context, sender, read, found, mailed, at)
    document = receipt_document(context, sender, found, before, sets, number)
    _file(context, sender, document, at)
    write_note(
        books, game, "submit", _words(seat, found, number), at=at, by=by, data={"seat": seat}
    )
    if found.outcome not in ("preview", "unreadable", "refused", "held"):
        _do_wishes(context, sender, read.envelope, by, at)
    return document


def _next_number(context: Context, sender: Sender, sets: Sequence[OrderSet]) -> int:
    last = context.books.last_letter(context.game.id, sender.seat, RECEIPT)
    return max([last, *(own.number for own in sets if own.seat == sender.seat)]) + 1


def _weighed(
    context: Context, sender: Sender, read: _Read, sets: Sequence[OrderSet], mailed: MailedOrders
) -> _Read:
    """Orders of a letter that are only a form come back, or older than what is on file, do not
    count."""
    back = detect_returned_form(context, sender, read.envelope, read.orders or {}, sets)
    if back is not None:
        return replace(read, orders=None, entries=(), faults=(), remarks=[back] if back else [])
    late = explain_held(context, mailed, read.envelope, orders_on_file(sets, sender.seat))
    return read if late is None else replace(read, outcome="held", remarks=[late])


def _beside(
    context: Context,
    sender: Sender,
    read: _Read,
    found: OrdersOutcome,
    mailed: MailedOrders,
    at: datetime,
) -> OrdersOutcome:
    """What a letter holds beside orders is done, and told in the same receipt."""
    if found.outcome == "unreadable":
        ignored = [*_not_done(read.envelope), *mailed.remarks]
        return replace(found, wishes=mailed.notes, ignored=ignored)
    told_ = grant_requests(context, sender, read.envelope, preview=read.envelope.preview, at=at)
    undone = _not_done(read.envelope) if read.outcome else ()
    return replace(
        found,
        wishes=[*mailed.notes, *read.remarks, *found.wishes, *told_.done],
        ignored=[*undone, *told_.not_taken, *mailed.remarks],
    )


def _read(
    context: Context,
    sender: Sender,
    before: Any,
    text: Text | Sequence[Finding],
    mailed: MailedOrders | None,
) -> _Read:
    if not isinstance(text, Text):
        return _Read(
            envelope=Envelope(), orders=None, faults=describe_faults(text), outcome="unreadable"
        )
    envelope, form = parse_envelope(text)
    owes = sender.seat in context.due_in(before)
    if mailed:
        wrong = explain_wrong_step(
            mailed, envelope, sender.step.name, orders=bool(form.value), owes=owes
        )
    else:
        wrong = _astray(context, sender, envelope, owes=owes)
    if wrong:
        fault = Finding(grade=Grade.REFUSED, rule="", message=wrong)
        return _Read(
            envelope=envelope, orders=None, faults=describe_faults([fault]), outcome="refused"
        )
    if not form.value:
        return _Read(envelope=envelope, orders=None, faults=describe_faults(envelope.faults))
    return _read_form(context, sender, before, envelope, form)


def _astray(context: Context, sender: Sender, envelope: Envelope, *, owes: bool) -> str | None:
    """Why the letter is not for this game or step; None when it is."""
    name = sender.step.name
    if envelope.game is not None and envelope.game != context.game.id:
        return f"these orders are for the game {envelope.game}, but this is {context.game.id}"
    if envelope.step is None or envelope.step in (name, str(sender.step.number)):
        return None
    return explain_closed_step(envelope.step, name, owes=owes)


def _read_form(
    context: Context, sender: Sender, before: Any, envelope: Envelope, form: Text
) -> _Read:
    due = context.due_in(before).get(sender.seat)
    name = due.form if due else sender.step.phase
    reading = context.kind.read(name, form, context.game.seats)
    if reading.orders is None:
        faults = describe_faults((*envelope.faults, *reading.findings))
        return _Read(envelope=envelope, orders=None, faults=faults, outcome="unreadable")
    owed = reading.orders if due else _standing_only(reading.orders)
    if owed is None:
        message = f"{sender.seat} owes nothing in {sender.step.name}; only standing orders count"
        fault = Finding(grade=Grade.REFUSED, rule="", message=message)
        return _Read(
            envelope=envelope, orders=None, faults=describe_faults([fault]), outcome="refused"
        )
    checked = (
        _checked(context, sender, before, name, owed, reading.fallen) if due else _Checked(owed)
    )
    say = partial(context.kind.said, name)
    entries, faults = describe_entries(
        reading.orders, reading, form, checked.findings, checked.fallen, say
    )
    nothing_left = bool(entries) and all(entry["mark"] in NOT_ON_FILE for entry in entries)
    return _Read(
        envelope=envelope,
        orders=None if nothing_left else checked.orders,
        entries=entries,
        faults=[*describe_faults(envelope.faults), *faults],
        outcome="refused" if nothing_left else None,
        waits=checked.waits,
        owing=context.kind.owing(name, checked.orders) if due and not checked.waits else None,
        foretold=() if nothing_left else checked.foretold,
    )


def _standing_only(orders: Document) -> Document | None:
    return orders if set(orders) <= {"standing"} else None


class _Checked(Struct, frozen=True):
    """The orders that go on file, and what the rules say about them, by their places as read."""

    orders: Document
    findings: tuple[Finding, ...] = ()
    fallen: tuple[Path, ...] = ()
    waits: bool = False
    foretold: tuple[str, ...] = ()


def _checked(
    context: Context, sender: Sender, before: Any, form: str, orders: Document, cut: Fallen
) -> _Checked:
    rules, seat = context.kind.rules, sender.seat
    view = rules.view(before, seat)
    if cut.whole:
        return _Checked({}, fallen=cut.paths)
    left, _ = leave_out(orders, cut.paths)
    findings = tuple(rules.check(view, seat, left))
    refused = [f for f in findings if f.grade in (Grade.REFUSED, Grade.UNREADABLE)]
    more = context.kind.fallen(form, left, [f.entry or f.path for f in refused])
    waits = bool(cut.stopped or more.stopped)
    if not refused:
        foretold = tuple(rules.foretell(view, seat, left)) if hasattr(rules, "foretell") else ()
        return _Checked(left, findings, cut.paths, waits, foretold)
    fallen = (*cut.paths, *more.paths)
    kept, moved = leave_out(left, [*(f.entry or f.path for f in refused), *more.paths])
    again = (replace(f, path=_back(f.path, moved)) for f in rules.check(view, seat, kept))
    graded = tuple(f for f in again if f.grade in (Grade.DOOMED, Grade.DOUBTFUL))
    return _Checked(kept, (*refused, *graded), fallen, waits)


def _back(path: tuple[str | int, ...], moved: Mapping[Any, Any]) -> tuple[str | int, ...]:
    return (*moved.get(path[:2], path[:2]), *path[2:])


def _decide(
    context: Context, sender: Sender, read: _Read, sets: Sequence[OrderSet], number: int, by: str
) -> tuple[OrdersOutcome, OrderSet | None]:
    """What becomes of the letter, and the set that goes on file."""
    on = orders_on_file(sets, sender.seat)
    envelope = read.envelope
    found = OrdersOutcome(
        outcome=read.outcome or "status",
        entries=read.entries,
        faults=read.faults,
        foretold=read.foretold,
        ignored=envelope.ignored,
    )
    if read.outcome is not None:
        return replace(found, ignored=(*found.ignored, *_not_done(envelope))), None
    content, not_ready = _wanted(read, on)
    wishes = _wishes(context, sender, read, on)
    if by == GM and player_of(context, sender.seating) is not None:
        wishes.insert(0, "The GM wrote this for you.")
    found = replace(found, wishes=wishes)
    if envelope.preview:
        return replace(found, outcome="preview"), None
    same = on is not None and (content, not_ready) == (on.orders, on.not_ready)
    if content is None or same or (content == CLEARED and on is None):
        return found, None
    made = OrderSet(
        game=context.game.id,
        step=sender.step.number,
        seat=sender.seat,
        number=number,
        orders=content,
        digest=digest(content),
        arrived=sender.at,
        ready=not not_ready,
        not_ready=not_ready,
        by=by,
    )
    outcome = "cleared" if content == CLEARED else "taken"
    return replace(found, outcome=outcome, replaces=on.number if on else None), made


def _not_done(envelope: Envelope) -> tuple[str, ...]:
    """What stands or falls with the orders, where they fall."""
    asked = {"vote": envelope.vote, "clear": envelope.clear, "resign": envelope.resign}
    return tuple(
        f"{key}: it was not done either; send it again, by itself or with orders that can be read."
        for key, value in asked.items()
        if value
    )


def _wanted(read: _Read, on: OrderSet | None) -> tuple[bytes | None, str]:
    """What should be on file after the letter (None: what is there), and why it is not ready."""
    envelope = read.envelope
    asked = "says `ready: false`" if envelope.ready is False else ""
    if read.orders is not None:
        return encode(read.orders), _cut_short(read) or asked or _owing(read)
    if envelope.clear:
        return CLEARED, ""
    if envelope.ready is None:
        return None, ""
    return on.orders if on else encode({}), asked


def _cut_short(read: _Read) -> str:
    """Which orders were refused, where the step waits for a corrected letter; not what they say."""
    if not read.waits:
        return ""
    refused = [str(one["n"]) for one in read.entries if one["mark"] == "refused"]
    if not refused:
        return "is incomplete: an order was refused"
    if len(refused) == 1:
        return f"is incomplete: order {refused[0]} was refused"
    return f"is incomplete: orders {', '.join(refused)} were refused"


def _owing(read: _Read) -> str:
    return "contains none of the orders that are due" if read.owing else ""


def _wishes(context: Context, sender: Sender, read: _Read, on: OrderSet | None) -> list[str]:
    """What is done beside the orders, a sentence each."""
    envelope, would = read.envelope, "would be" if read.envelope.preview else "is"
    told_ = []
    if envelope.clear:
        told_.append(_clear_words(read, on, would))
    if envelope.ready is not None and read.orders is None and not on and not envelope.clear:
        told_.append("You order nothing in this step, and that is on file now.")
    if read.waits and read.orders is not None:
        told_.append(_CUT_SHORT.format(would, "would not be" if envelope.preview else "is not"))
    if read.owing and read.orders is not None:
        told_.append(read.owing)
    if envelope.ready is False:
        told_.append("ready: false is noted; your set counts at the deadline, not before.")
    after = envelope.after if read.orders is not None else None
    if after is not None and on is not None and after < on.number:
        told_.append(f"Your form was made after receipt {after}; receipt {on.number} came later.")
    if envelope.vote:
        told_.append(_vote_words(context, sender, envelope.vote, would))
    if envelope.resign:
        told_.append(f"Your resignation from {sender.seat} {would} taken. Thank you for playing.")
    return told_


def _clear_words(read: _Read, on: OrderSet | None, would: str) -> str:
    if read.orders is not None:
        return "clear: true was not needed: your new set replaces the old one whole."
    if on is None:
        return "There was nothing on file to be cleared."
    return f"The set of receipt {on.number} {would} withdrawn."


def _vote_words(context: Context, sender: Sender, vote: str, would: str) -> str:
    seatings = current_seatings(context.books, context.game.id)
    seating = seatings.get(sender.seat)
    if seating is None or seating.kind != PLAYER:
        return f"Nobody plays {sender.seat}, so it has no vote."
    after = {**seatings, sender.seat: replace(seating, vote=vote)}
    ends = " With it the game ends." if vote_decision(context.game.seats, after) else ""
    return f"Your vote {would} now: {vote}.{ends}"


def _do_wishes(context: Context, sender: Sender, envelope: Envelope, by: str, at: datetime) -> None:
    """Vote and resignation, after the receipt is written."""
    game, seat = context.game.id, sender.seat
    seating = current_seatings(context.books, game).get(seat)
    if seating is None or seating.kind != PLAYER:
        return
    if envelope.vote and envelope.vote != seating.vote:
        change_seating(context.books, seating, vote=envelope.vote)
        write_note(context.books, game, "vote", f"{seat} changed its vote", at=at, by=by)
        if count_votes(context, at=at) is not None:
            return
    if envelope.resign:
        leave_seat(context, seat, by=by, at=at)


def _file(context: Context, sender: Sender, document: Document, at: datetime) -> None:
    """The receipt into the outbox; on a seat without a player it is only kept."""
    letter = queue_letter(
        context,
        sender.step,
        sender.seat,
        RECEIPT,
        document,
        at=at,
        number=document["number"],
    )
    if player_of(context, sender.seating) is None:
        context.books.save_letter(replace(letter, status="withdrawn"))


def _words(seat: str, found: OrdersOutcome, number: int) -> str:
    return f"{seat}: receipt {number}, {found.outcome}"
