"""Orders as they arrive: read and checked; the step of their key, their age, returned forms."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.core.document import Document, Seat, decode, encode
from adjudicator.core.finding import Finding, Grade, Path
from adjudicator.core.forms.order_form import NO_ORDERS, explain_missing
from adjudicator.core.forms.orders_as_text import describe_entry, spell_orders
from adjudicator.core.forms.reading import FallenEntries, Text, find_fallen
from adjudicator.desk.model.context import Context, Sender
from adjudicator.desk.model.deadlines import format_deadline, format_length
from adjudicator.desk.model.standing import CLEARED
from adjudicator.desk.model.values import OrderSet
from adjudicator.desk.orders.asking_back import (
    QuestionBack,
    ask_about_form,
    ask_for_now,
    ask_to_go_on,
)
from adjudicator.desk.orders.entries import (
    NOT_ON_FILE,
    describe_entries,
    describe_faults,
    leave_out,
)
from adjudicator.desk.outbox.form import find_undone_orders
from adjudicator.desk.questions.imagined import weigh_doubts
from adjudicator.desk.requests.envelope import Envelope, OrderBlock

_AT_ONCE = timedelta(0)


class MailedOrders(Struct, frozen=True, kw_only=True):
    """A letter, apart from its block."""

    arrived: datetime
    date: datetime | None
    """The time on the writer's clock."""
    step: str
    """The step that its key was made for."""
    notes: tuple[str, ...] = ()
    """Other things that its writer should know."""
    remarks: tuple[str, ...] = ()
    """The parts that were not accepted."""
    question: QuestionBack | None = None
    lost: str = ""
    """What looked like an order outside any form, where nothing else was given."""
    untaken: bool = False
    """Whether a line outside any form looked like an order and was not taken."""


def explain_wrong_step(
    context: Context,
    sender: Sender,
    mailed: MailedOrders | None,
    envelope: Envelope,
    *,
    orders: bool,
) -> str | None:
    """Explain why orders are not for the open step; None when they are, or there are none.

    Press and questions take any key of the present seating; what moves the game wants this step's.
    """
    moves_game = orders or envelope.clear or envelope.vote or envelope.resign
    if mailed and not moves_game and envelope.ready is None:
        return None
    now = sender.step.name
    for name in (envelope.step, mailed.step if mailed else None):
        if name is not None and name not in (now, now.partition("-")[0]):
            owes = sender.seat in context.due
            hint = _DUE_NOW if owes else _NOTHING_DUE_NOW
            late = explain_late(context, sender, name) or f"step {name}, which is not open"
            return f"These orders are for {late}. {hint.format(context.label(sender.step))}"
    return None


_DUE_NOW = "Due from you now: {}; the form shows it."
_NOTHING_DUE_NOW = "Nothing is due from you now, in {}."


def explain_late(context: Context, sender: Sender, name: str) -> str | None:
    """Say when the step of late orders closed, and how long before they arrived."""
    number = name.partition("-")[0]
    for step in context.books.steps(context.id):
        if str(step.number) != number or not step.is_played or not (step.closed or step.void):
            continue
        called = f"{context.label(step)} (step {step.name})"
        if step.void or step.closed is None:
            return f"{called}, which was undone"
        zone = context.zone(context.player(sender.seating))
        when = format_deadline(step.closed, zone, seconds=True)
        early = sender.at - step.closed
        before = f", {format_length(early)} before your letter arrived" if early > _AT_ONCE else ""
        return f"{called}, which closed on {when}{before}"
    return None


def find_offered(context: Context, seat: Seat) -> Document | None:
    """Find the orders that the form offers to send again, which are on file nowhere."""
    if seat not in context.due or any(one.seat == seat for one in context.sets):
        return None
    return find_undone_orders(context, context.open_step(), seat)


def detect_returned_form(
    context: Context, seat: Seat, envelope: Envelope, orders: Document, *, is_quoted: bool = True
) -> str | None:
    """Describe a form that came back as it was mailed and is no orders; None if it is not.

    Orders and `after` together name the form; other requests in the letter still count. An earlier
    set that was not merely quoted is sent again, and counts.
    """
    if envelope.after is None:
        return None
    content = encode(orders)
    own_sets = [one for one in context.sets if one.seat == seat and one.number > 0]
    for own in own_sets:
        if own.number == envelope.after and own.orders == content:
            last = own_sets[-1]
            if own is last:
                return ""
            if not is_quoted:
                return None
            stands = "nothing is on file" if last.orders == CLEARED else "those orders count"
            return (
                f"The form of receipt {own.number} came back unchanged in the quoted text, so it "
                f"is not a new set; receipt {last.number} came later, and {stands}. To go back to "
                f"the orders of receipt {own.number}, send them again above the quotation."
            )
    if envelope.after or envelope.ready is not None:
        return None
    step = context.open_step()
    offered = find_undone_orders(context, step, seat)
    spelled = spell_orders(context.kind.form(step.phase), orders) if offered is not None else None
    if offered is not None and encode(spelled) == encode(offered):
        return (
            "The form came back unchanged, so it is not on file. To send it as it is, add "
            "the line `ready: yes`."
        )
    return None


def find_same_set(context: Context, seat: Seat, content: bytes) -> int | None:
    """Find the latest earlier receipt of the same orders, other than those on file."""
    own = [one for one in context.sets if one.seat == seat and one.number > 0][:-1]
    return next((one.number for one in reversed(own) if one.orders == content), None)


def explain_held(
    context: Context, mailed: MailedOrders, envelope: Envelope, on: OrderSet | None
) -> str | None:
    """Explain why a set needs its writer's confirmation to go on file; None if it does not."""
    if on is None or envelope.after is None or envelope.after >= on.number or mailed.date is None:
        return None
    before = context.books.arrival_of(context.id, on.seat, on.number)
    last_date = (before.date if before else None) or on.arrived
    if mailed.date >= last_date:
        return None
    return (
        f"This letter was written before the one of receipt {on.number}, but arrived after it. "
        f"Receipt {on.number} stands. If you want these orders instead, send them again with "
        f"`after: {on.number}`."
    )


_AS_OFFERED = "You sent `ready: yes`, so the orders that the form offered are on file now."


class OrdersRead(Struct, frozen=True, kw_only=True):
    """A block as it was understood."""

    orders: Document | None = None
    """What could go on file; None when the block holds no form, or none that can be read."""
    entries: Sequence[Document] = ()
    faults: Sequence[Document] = ()
    outcome: str | None = None
    """Set when the letter as a whole changes nothing: refused, unreadable, held."""
    waits: bool = False
    """A list of orders was cut short; what is left waits for a corrected letter."""
    incomplete: str = ""
    """What is on file without, said of its receipt: the step waits for it. Empty if all is."""
    owing: str | None = None
    """What to say of orders that give nothing of what is due: the step waits for more."""
    remarks: Sequence[str] = ()
    question: QuestionBack | None = None
    """What the writer of a form with slips in it probably means."""


def read_orders(
    context: Context, sender: Sender, block: OrderBlock, mailed: MailedOrders | None
) -> OrdersRead:
    if not block.is_readable:
        return OrdersRead(faults=describe_faults(block.faults), outcome="unreadable")
    head = block.envelope
    if mailed is None and head.game not in (None, context.id):
        return _refuse(f"these orders are for the game {head.game}, but this is {context.id}")
    is_older = block.origin == "quoted" and head.step != sender.step.name
    if is_older and _came_back_late(context, sender.seat, block):
        block = replace(block, form=Text(value=None))
    wrong = explain_wrong_step(context, sender, mailed, head, orders=bool(block.form.value))
    if wrong:
        moves = head.vote or head.resign or head.clear
        is_asked = mailed is not None and block.origin == "free" and not moves
        question = ask_for_now(context, sender.seat, block.form) if is_asked else None
        return replace(_refuse(wrong), question=question)
    if not block.form.value:
        offered = find_offered(context, sender.seat) if head.ready else None
        if offered is None:
            return OrdersRead(faults=describe_faults(head.faults))
        read = _read_form(context, sender, replace(block, form=Text(value=offered)))
        return replace(read, remarks=[_AS_OFFERED])
    read = _read_form(context, sender, block)
    if mailed is None or read.orders is None:
        return read
    if block.origin == "free":
        remark = explain_held(context, mailed, head, context.on_file.get(sender.seat))
        return replace(read, outcome="held", remarks=[remark]) if remark else read
    returned = detect_returned_form(
        context, sender.seat, head, read.orders, is_quoted=block.origin == "quoted"
    )
    if returned is not None:
        remarks = [returned] if returned else []
        return replace(read, orders=None, entries=(), faults=(), incomplete="", remarks=remarks)
    remark = explain_held(context, mailed, head, context.on_file.get(sender.seat))
    return replace(read, outcome="held", remarks=[remark]) if remark else read


def _came_back_late(context: Context, seat: Seat, block: OrderBlock) -> bool:
    """Whether a block only quotes what was on file in a step that is over."""
    head, books = block.envelope, context.books
    steps = (one for one in books.steps(context.id) if one.name == head.step and one.is_played)
    for step in steps:
        orders = context.kind.read(step.phase, block.form, context.game.seats).orders
        own = (one for one in books.orders(context.id, step.number) if one.seat == seat)
        return orders is not None and any(
            (one.number, one.orders) == (head.after, encode(orders)) for one in own
        )
    return False


def _refuse(message: str) -> OrdersRead:
    fault = Finding(grade=Grade.REFUSED, rule="", message=message)
    return OrdersRead(faults=describe_faults([fault]), outcome="refused")


def _read_form(context: Context, sender: Sender, block: OrderBlock) -> OrdersRead:
    due = context.due.get(sender.seat)
    name = due.form if due else sender.step.phase
    reading = context.kind.read(name, block.form, context.game.seats)
    question = ask_about_form(context, name, block.form, reading) if reading.findings else None
    on = context.on_file.get(sender.seat)
    if block.origin == "free" and not reading.findings:
        orders = _add_to_waiting(context, name, on, reading.orders, is_added=block.is_added)
        is_same = orders == reading.orders  # else places are no longer those of the letter
        reading = reading if is_same else replace(reading, orders=orders, marks={})
    if reading.orders is None:
        faults = describe_faults((*block.envelope.faults, *reading.findings))
        return OrdersRead(faults=faults, outcome="unreadable", question=question)
    if not due and not set(reading.orders) <= {"standing"}:
        return _refuse(
            f"nothing is due from {sender.seat} in this step; only standing orders count"
        )
    if due:
        result = _check(context, sender.seat, name, reading.orders, reading.fallen)
    else:
        result = _Checked(reading.orders)
    if due and question is None and on is not None and is_waiting(on):
        question = ask_to_go_on(context, sender.seat, name, decode(on.orders), reading.orders)
    form = context.kind.form(name)
    describe = partial(describe_entry, form)
    entries, faults = describe_entries(
        reading.orders, reading, block.form, result.findings, result.fallen, describe
    )
    nothing_left = bool(entries) and all(entry["mark"] in NOT_ON_FILE for entry in entries)
    may_lack = result.waits or reading.findings or result.findings
    return OrdersRead(
        orders=None if nothing_left else result.orders,
        entries=entries,
        faults=[*describe_faults(block.envelope.faults), *faults],
        outcome="refused" if nothing_left else None,
        waits=result.waits,
        incomplete=_describe_incomplete(entries, faults, waits=result.waits) if may_lack else "",
        owing=explain_missing(form, result.orders) if due and not result.waits else None,
        question=question,
    )


_CUT = ("is incomplete", "keeps", "waits")
"""How the reason begins why orders on file wait for others (desk/orders/submit.py)."""


def is_waiting(on: OrderSet | None) -> bool:
    """Whether orders on file wait for others that were not understood, or were refused."""
    return on is not None and on.not_ready.startswith(_CUT)


def find_staying_orders(on: OrderSet | None, orders: Document, *, is_added: bool) -> Document:
    """Find the orders on file that stay beside new ones in plain lines.

    Whoever is asked about a line writes that line in other words, and means the others to stay;
    so does whoever writes `also`. Orders end a pass, and a pass ends orders.
    """
    if on is None or NO_ORDERS in orders or not (is_added or is_waiting(on)):
        return {}
    return {key: one for key, one in decode(on.orders).items() if key != NO_ORDERS}


def _add_to_waiting(
    context: Context,
    form: str,
    on: OrderSet | None,
    orders: Document | None,
    *,
    is_added: bool,
) -> Document | None:
    """Add orders in plain lines to those that stay; only what comes again is replaced.

    Where a list is done in order, its writer is asked (ask_to_go_on), but for who writes `also`.
    """
    before = find_staying_orders(on, orders or {}, is_added=is_added)
    if orders is None or not before:
        return orders
    root, paths = context.kind.form(form).root, [(key,) for key in orders]
    in_order = find_fallen(root, orders, paths).stopped
    join = _add_all if is_added else _go_on
    joint = {
        key: join(before.get(key), one, is_in_order=key in in_order) for key, one in orders.items()
    }
    return {**before, **joint}


def _add_all(before: Any, now: Any, *, is_in_order: bool = False) -> Any:
    """Add to lists and forms what is not in them yet; a list done in order may say it twice."""
    if isinstance(before, Mapping) and isinstance(now, Mapping):
        return {**before, **{key: _add_all(before.get(key), one) for key, one in now.items()}}
    if isinstance(before, list) and isinstance(now, list):
        return [*before, *(one for one in now if is_in_order or one not in before)]
    return now


def _go_on(before: Any, now: Any, *, is_in_order: bool) -> Any:
    if is_in_order:
        return now
    if isinstance(before, Mapping) and isinstance(now, Mapping):
        return {**before, **now}
    if isinstance(before, list) and isinstance(now, list) and now:
        return now if any(one in before for one in now) else [*before, *now]
    return now


def _describe_incomplete(
    entries: Sequence[Document], faults: Sequence[Document], *, waits: bool
) -> str:
    """Say which orders were refused, without their text: the step waits for corrections."""
    numbers = [str(one["n"]) for one in entries if one["mark"] == "refused"]
    if not numbers:
        is_refused = waits or any(fault["grade"] == Grade.REFUSED for fault in faults)
        return "is incomplete: an order was refused" if is_refused else ""
    if len(numbers) == 1:
        return f"is incomplete: order {numbers[0]} was refused"
    return f"is incomplete: orders {', '.join(numbers)} were refused"


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
    good, _ = leave_out(orders, cut.paths)
    findings = tuple(rules.check(view, seat, good))
    bad = [f for f in findings if f.grade in (Grade.REFUSED, Grade.UNREADABLE)]
    if not bad:
        weighed = findings and weigh_doubts(context, seat, good, findings)
        return _Checked(good, weighed, cut.paths, bool(cut.stopped))
    more = find_fallen(context.kind.form(form).root, good, [f.entry or f.path for f in bad])
    rest, places = leave_out(good, [*(f.entry or f.path for f in bad), *more.paths])
    graded = [
        replace(f, path=(*places.get(f.path[:2], f.path[:2]), *f.path[2:]))
        for f in weigh_doubts(context, seat, rest, rules.check(view, seat, rest))
        if f.grade in (Grade.DOOMED, Grade.DOUBTFUL)
    ]
    waits = bool(cut.stopped or more.stopped)
    return _Checked(rest, (*bad, *graded), (*cut.paths, *more.paths), waits)
