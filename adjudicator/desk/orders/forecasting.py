"""Answer a letter that asks what its orders would bring; nothing in it is put on file."""

from collections.abc import Mapping
from typing import Any

from adjudicator.core.document import Document, Seat, decode
from adjudicator.core.finding import format_path
from adjudicator.core.forms.reading import Text
from adjudicator.core.names import fold
from adjudicator.desk.model.context import Context, Sender
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.mail import Caller
from adjudicator.desk.model.values import OutgoingLetter
from adjudicator.desk.orders.entries import NOT_ON_FILE
from adjudicator.desk.orders.reading_orders import MailedOrders, read_orders
from adjudicator.desk.outbox.form import seat_form
from adjudicator.desk.outbox.notices import notify_seat
from adjudicator.desk.outbox.queue import ANSWER, queue_letter
from adjudicator.desk.questions.forecast import forecast_document
from adjudicator.desk.requests.envelope import OrderBlock

FORECAST = "forecast"
_MOST_A_DAY = 30
_MOST_FAULTS = 3


def answer_forecast(
    context: Context, sender: Sender, block: OrderBlock, mailed: MailedOrders
) -> OutgoingLetter:
    """Answer with a report of what these orders would bring, or those on file if there are none.

    Where that is refused, the answer brings the form as it stands, to be mended and sent.
    """
    try:
        document = _make_forecast(context, sender, block, mailed)
    except Refused as why:
        lines = ["Nothing in your letter was done.", str(why)]
        form = seat_form(context, sender.seat)
        return notify_seat(context, sender.seat, "Your letter changed nothing", lines, form=form)
    if mailed.remarks:
        notice = {"headline": "Not taken", "lines": list(mailed.remarks)}
        document = {**document, "notices": [notice]}
    return queue_letter(context, sender.step, sender.seat, ANSWER, document, template="report/1")


def _make_forecast(
    context: Context, sender: Sender, block: OrderBlock, mailed: MailedOrders
) -> Document:
    requests = block.envelope.requests
    if len(requests) > 1:
        more = ", ".join(key for key in requests if key != FORECAST)
        raise Refused(
            f"A letter with `forecast` changes nothing, so send {more} in another letter."
        )
    caller = _count(context, sender.seat)
    document = forecast_block(context, sender, block, mailed, requests[FORECAST])
    context.books.save(caller)
    return document


def forecast_block(
    context: Context, sender: Sender, block: OrderBlock, mailed: MailedOrders | None, guesses: Any
) -> Document:
    """Forecast the orders of a block, with what others are guessed to order, by seat."""
    orders = _find_orders(context, sender, block, mailed)
    others = _read_guesses(context, sender.seat, guesses)
    return forecast_document(context, sender.seat, orders, others)


def _find_orders(
    context: Context, sender: Sender, block: OrderBlock, mailed: MailedOrders | None
) -> Document:
    read = read_orders(context, sender, block, mailed)
    is_whole = all(one["mark"] not in NOT_ON_FILE for one in read.entries)
    if read.outcome is not None or read.faults or not is_whole:
        lines = [str(one["message"]) for one in read.faults]
        lines += [str(fault["message"]) for one in read.entries for fault in one["faults"]]
        raise Refused(f"forecast: {' '.join(lines[:_MOST_FAULTS]) or 'the orders were refused.'}")
    if read.orders is not None:
        return read.orders
    on = context.on_file.get(sender.seat)
    return decode(on.orders) if on else {}


def _read_guesses(context: Context, seat: Seat, value: Any) -> Mapping[Seat, Document]:
    """Read what others are guessed to order, by seat; Refused says what is wrong with it."""
    if value in (None, "", "yes", True):
        return {}
    if not isinstance(value, Mapping):
        raise Refused("forecast: write `forecast: {}`, or the orders that you expect by seat.")
    guesses: dict[Seat, Document] = {}
    seats_by_name = {fold(one): one for one in context.game.seats}
    for name, content in value.items():
        other = seats_by_name.get(fold(str(name)))
        if other is None or other == seat:
            raise Refused(f'forecast: "{str(name)[:40]}" is no other seat of this game.')
        due = context.due.get(other)
        if due is None:
            raise Refused(f"forecast: {other} owes no orders in this step.")
        reading = context.kind.read(due.form, Text(value=content), context.game.seats)
        if reading.findings:
            first = reading.findings[0]
            raise Refused(f"forecast: {other}: {format_path(first.path)}: {first.message}")
        guesses[other] = reading.orders or {}
    return guesses


def _count(context: Context, seat: Seat) -> Caller:
    """Count the forecasts of a seat today; Refused past the limit."""
    name, day = f"forecast {context.id} {seat}", f"{context.at:%Y-%m-%d}"
    caller = context.books.caller(name)
    before = caller.answers if caller is not None and caller.day == day else 0
    if before >= _MOST_A_DAY:
        raise Refused(f"forecast: {_MOST_A_DAY} a day is the limit; ask again after 00:00 UTC.")
    return Caller(address=name, day=day, answers=before + 1)
