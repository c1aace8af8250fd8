"""Try a step that was played once more, with other orders, another position or other dice.

The game itself is not touched: everything is computed beside it and compared.
"""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from adjudicator.core.dice import Dice, derive_dice_key
from adjudicator.core.document import Document, Impossible, Seat, decode, encode
from adjudicator.core.events import Event, list_visible
from adjudicator.core.finding import format_path
from adjudicator.core.forms.reading import Text
from adjudicator.desk.model.context import Context
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.values import Step
from adjudicator.desk.outbox.report import (
    ReportedStep,
    complete_report,
    decode_events,
    make_game_part,
    report_facts,
)
from adjudicator.desk.steps.chance import find_mixed_words
from adjudicator.desk.steps.record import read_record


class Changes(Struct, frozen=True, kw_only=True):
    """What is otherwise in a step that is tried."""

    orders: Mapping[Seat, Any] = {}
    """As a player writes them; whoever is not named orders what was executed."""
    position: Document | None = None
    """The position before it."""
    same_dice: bool = False


class Fork(Struct, frozen=True, kw_only=True):
    """A step as it was played, and as it would have been."""

    happened: Document
    would: Document
    """Reports of both to the same reader."""
    position: Document
    """The position after it, as it would have been."""


def fork_step(context: Context, step: Step, changes: Changes, *, reader: Seat | None) -> Fork:
    """Adjudicate a closed step with these changes, and report it beside what happened."""
    if not step.is_played or step.closed is None:
        raise Refused(f"{context.id}: {step.name} is no step that players have ordered and closed")
    rules = context.kind.rules
    before = _load_position(context, step, changes)
    record = read_record(context.books, context.id)
    executed = {seat: decode(own.orders) for seat, own in record.find_executed(step).items()}
    orders = {**executed, **_read_orders(context, before, changes.orders)}
    label = step.dice if changes.same_dice else f"{step.name} tried"
    game = record.as_dealt(step)
    dice = Dice(derive_dice_key(game.seed, game.luck, find_mixed_words(record, step)), label)
    after, events = rules.resolve(before, orders, dice)
    own = (executed.get(reader), orders.get(reader)) if reader else (None, None)
    positions = context.before(step), context.after(step)
    return Fork(
        happened=_report(context, step, reader, positions, decode_events([step]), own[0]),
        would=_report(context, step, reader, (before, after), tuple(events), own[1]),
        position=decode(encode(rules.dump(after))),
    )


def _load_position(context: Context, step: Step, changes: Changes) -> Any:
    if changes.position is None:
        return context.before(step)
    try:
        return context.kind.rules.load(changes.position)
    except Impossible as wrong:
        raise Refused(f"{context.id}: this position cannot be: {wrong}") from wrong


def _read_orders(context: Context, state: Any, texts: Mapping[Seat, Any]) -> dict[Seat, Document]:
    orders: dict[Seat, Document] = {}
    due = context.due_in(state)
    for name, one in texts.items():
        seat = context.seat(name)
        if seat not in due:
            raise Refused(f"{context.id}: {seat} owes no orders in this step")
        reading = context.kind.read(due[seat].form, Text(value=one), context.game.seats)
        if reading.findings:
            first = reading.findings[0]
            raise Refused(f"{context.id}: {seat}: {format_path(first.path)}: {first.message}")
        orders[seat] = reading.orders or {}
    return orders


def _report(
    context: Context,
    step: Step,
    reader: Seat | None,
    positions: tuple[Any, Any],
    events: tuple[Event, ...],
    orders: Document | None,
) -> Document:
    """Make a report of the step to this reader, without what the desk adds to it."""
    rules = context.kind.rules
    before, after = (rules.view(one, reader) for one in positions)
    visible = list_visible(events, reader)
    reported_step = ReportedStep(before=before, after=after, orders=orders, events=visible)
    part = make_game_part(rules, after, reader, [reported_step])
    facts = report_facts(
        kind=context.kind, game=context.game, seat=reader, player=None, step=step.name
    )
    return complete_report(part, facts)
