"""Decide whether a step may close: all orders in and settled, or deadline over and mail read."""

from collections.abc import Sequence
from datetime import datetime

from adjudicator.desk.clock.readings import LARGEST_DRIFT, ClockReading
from adjudicator.desk.model.context import Context
from adjudicator.desk.model.deadlines import parse_length
from adjudicator.desk.model.standing import Standing
from adjudicator.desk.model.values import Step
from adjudicator.desk.outbox.queue import RECEIPT
from adjudicator.desk.steps.ahead import closes_at_once


def find_end_of_grace(context: Context, deadline: datetime) -> datetime:
    """Return the instant until which late orders count."""
    return deadline + parse_length(context.settings.grace, "grace")


def is_deadline_over(context: Context, step: Step, now: ClockReading) -> bool:
    """Whether deadline and grace have passed, and every letter from before then has been read."""
    if step.deadline is None or now.read_until is None:
        return False
    return min(now.at, now.read_until) >= find_end_of_grace(context, step.deadline)


def is_settled(context: Context, step: Step, stand: Sequence[Standing], now: ClockReading) -> bool:
    """Whether all orders are in, nobody asked to wait, and nothing has changed for a while.

    Orders that were all filed ahead wait for nothing more.
    A step without a deadline is the GM's to close.
    """
    if step.deadline is None or now.read_until is None or not are_complete(stand):
        return False
    if closes_at_once(context):
        return now.at >= step.opened
    return min(now.at, now.read_until) >= find_settling(context, step, now)


def are_complete(stand: Sequence[Standing]) -> bool:
    """Whether the step waits for nobody's orders."""
    return all(one.is_in and one.ready for one in stand)


def find_settling(context: Context, step: Step, now: ClockReading) -> datetime:
    """Find when nothing will have changed for as long as the settings ask."""
    return find_last_change(context, step, now) + parse_length(context.settings.settle, "settle")


def find_last_change(context: Context, step: Step, now: ClockReading) -> datetime:
    """Find when the step's orders, or the people who write them, last changed.

    A letter that waited in its box has not settled when it is read at last. Who sat down by a
    clock that has jumped back since did so before the GM let the game go on: no step would settle
    until the clock has caught up.
    """
    books, game = context.books, context.id
    receipts = books.letters(game, step.number)
    read = {(one.seat, one.number): one.made for one in receipts if one.kind == RECEIPT}
    sets = books.orders(game, step.number)
    instants = [read.get((own.seat, own.number), own.arrived) for own in sets]
    since = [seating.since for seating in context.seatings.values()]
    return max([step.opened, *instants, *(one for one in since if one <= now.at + LARGEST_DRIFT)])


def find_completing_trace_id(context: Context, step: Step, now: ClockReading) -> str:
    """Find the trace id of what completed a step: usually the letter whose receipt came last.

    Empty when nothing was written since the step opened, as where only bots play.
    """
    last = find_last_change(context, step, now)
    letters = context.books.letters(context.id, step.number)
    causes = [one.cause for one in letters if one.made == last and one.cause]
    return causes[-1] if causes else ""
