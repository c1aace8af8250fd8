"""Orders that came by letter: the step of their key, their age, forms that come back."""

from datetime import datetime, timedelta

from msgspec import Struct

from adjudicator.core.document import Document, Seat, encode
from adjudicator.desk.model.context import Context, Sender
from adjudicator.desk.model.deadlines import format_deadline, format_length
from adjudicator.desk.model.standing import CLEARED
from adjudicator.desk.model.values import OrderSet
from adjudicator.desk.outbox.form import struck_orders
from adjudicator.desk.requests.envelope import Envelope

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
            hint = "the form shows what is due now" if owes else "nothing is due from you in it"
            late = _explain_late(context, sender, name)
            if late:
                return f"these orders are for {late}. The step is {now} now; {hint}"
            return f"these orders are for step {name}, but the step is {now} now; {hint}"
    return None


def _explain_late(context: Context, sender: Sender, name: str) -> str | None:
    """Say when the step of late orders closed, and how long before they arrived."""
    number = name.partition("-")[0]
    for step in context.books.steps(context.id):
        if str(step.number) != number or not step.is_played or not (step.closed or step.void):
            continue
        called = f"{context.label(step)} (step {step.name})"
        if step.void or step.closed is None:
            return f"{called}, which was undone"
        zone = context.zone(context.player(sender.seating))
        closed = format_deadline(step.closed, zone, seconds=True)
        early = sender.at - step.closed
        before = f", {format_length(early)} before your letter arrived" if early > _AT_ONCE else ""
        return f"{called}, which closed at {closed}{before}"
    return None


def find_offered(context: Context, seat: Seat) -> Document | None:
    """Find the orders that the form offers to send again, which are on file nowhere."""
    if seat not in context.due or any(one.seat == seat for one in context.sets):
        return None
    return struck_orders(context, context.open_step(), seat)


def detect_returned_form(
    context: Context, seat: Seat, envelope: Envelope, orders: Document
) -> str | None:
    """Describe a form that came back as it was mailed and is no orders; None if it is not.

    Orders and `after` together name the form; other requests in the letter still count.
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
            stands = "nothing is on file" if last.orders == CLEARED else "those orders count"
            return (
                f"The form of receipt {own.number} came back unchanged, so it is not a new set; "
                f"receipt {last.number} came later, and {stands}."
            )
    if envelope.after or envelope.ready is not None:
        return None
    step = context.open_step()
    offered = struck_orders(context, step, seat)
    spelled = context.kind.spelled(step.phase, orders) if offered is not None else None
    if offered is not None and encode(spelled) == encode(offered):
        return (
            "The form came back unchanged, so it is not on file. To send it as it is, add "
            "the line `ready: yes`."
        )
    return None


def explain_held(
    context: Context, mailed: MailedOrders, envelope: Envelope, on: OrderSet | None
) -> str | None:
    """Explain why a set needs its writer's confirmation to go on file; None if it does not."""
    if on is None or envelope.after is None or envelope.after >= on.number or mailed.date is None:
        return None
    before = context.books.arrival_of(context.id, on.seat, on.number)
    written = (before.date if before else None) or on.arrived
    if mailed.date >= written:
        return None
    return (
        f"This letter was written before the one of receipt {on.number}, but arrived after it. "
        f"Receipt {on.number} stands. If you want these orders instead, send them again with "
        f"`after: {on.number}`."
    )
