"""Close a step: adjudicate it, publish it, open the next one; all in the caller's transaction."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from msgspec.structs import replace

from adjudicator.core.dice import MixedWords, label_dice
from adjudicator.core.document import Document, Seat, decode, digest, encode
from adjudicator.core.game import Over, choose_orders
from adjudicator.desk.model.context import RUNNING, Context
from adjudicator.desk.model.errors import Already, Refused, Suggest
from adjudicator.desk.model.seats import BOT, find_strength
from adjudicator.desk.model.settings import EACH_TURN
from adjudicator.desk.model.standing import find_hindrances
from adjudicator.desk.model.values import OrderSet, Step
from adjudicator.desk.outbox.queue import withdraw_reminders
from adjudicator.desk.steps.advance import StepClosing, settle_step
from adjudicator.desk.steps.ahead import note_plans
from adjudicator.desk.steps.chance import find_mixed_words, mix_words
from adjudicator.desk.steps.finish import count_votes
from adjudicator.desk.steps.handover import SeatChanges
from adjudicator.desk.steps.lock import check_status
from adjudicator.desk.steps.missed import CLOSE_ACT, count_missed, find_missed_counters
from adjudicator.desk.steps.publish import Adjudication
from adjudicator.desk.steps.record import read_record, require_intact


def close_step(
    context: Context, *, now: bool, step: str | None = None, by: str = "gm"
) -> StepClosing:
    """Adjudicate the open step; `step` names the one that is meant, so that it closes only once.

    Refuses when orders are missing, or somebody asked not to close early, unless `now`. `by` is
    gm or clock.
    """
    check_status(context, RUNNING)
    current, before, stand = context.open_step(), context.state, context.standings
    if step is not None and step != current.name:
        raise Already(f"{context.id}: {step} is not open; {current.name} is now")
    late = [one.seat for one in stand if not one.is_in]
    hindered = {} if now else find_hindrances(stand)
    if hindered:
        _refuse_early(context, current, late, hindered)
    if current.predecessor is not None:
        before_it = context.books.step(context.id, current.predecessor)
        require_intact(context, before_it, context.on_file.values())
    executed = _execute(context, current)
    orders = {seat: decode(own.orders) for seat, own in executed.items()}
    dice = context.dice(current.dice, _mix_words(context, current, executed))
    state, events = context.kind.rules.resolve(before, orders, dice)
    is_over = isinstance(context.kind.rules.due(state), Over)
    changes = SeatChanges() if is_over else count_missed(context, current, stand)
    withdraw_reminders(context, current)
    closing = settle_step(
        context,
        "step",
        current,
        Adjudication(state, tuple(events), executed),
        turn=current,
        new=changes.new,
    )
    counters = find_missed_counters(context)
    facts = {"step": current.name, "missing": late, "now": now, "missed": counters}
    without = f" without orders from {', '.join(late)}" if late else ""
    text = f"{context.label(current)}: closed{without}"
    context.note(CLOSE_ACT, text, by=by, data=facts)
    if closing.plan_sets:
        note_plans(context, closing.plan_sets)
    closing = replace(closing, notes=changes.notes)
    ending = count_votes(context)  # perhaps nobody is left to play it
    if ending is None:
        return closing
    return replace(
        ending,
        step=closing.step,
        links=closing.links + ending.links,
        notes=(*closing.notes, f"{ending.game.id} has ended: {ending.step.reason}"),
    )


def _refuse_early(
    context: Context, step: Step, late: Sequence[Seat], hindered: Mapping[Seat, str]
) -> None:
    game, label = context.id, context.label(step)
    waiting = [f"{seat} ({why})" for seat, why in hindered.items() if seat not in late]
    if late:
        also = f", and for {', '.join(waiting)}" if waiting else ""
        raise Refused(
            f"{game}, {label}: waiting for orders from {', '.join(late)}{also}; wait for them, or "
            "close without them",
            suggest=Suggest("close", game, flags=("now",)),
        )
    raise Refused(
        f"{game}, {label}: waiting for {', '.join(waiting)}; have it corrected, or close it now",
        suggest=Suggest("close", game, flags=("now",)),
    )


def _execute(context: Context, step: Step) -> dict[Seat, OrderSet]:
    """Choose and save the sets to execute: what is on file, the bot's, or the default.

    A seat that owes nothing and has nothing on file sends nothing.
    """
    due, seatings, on_file = context.due, context.seatings, context.on_file
    executed: dict[Seat, OrderSet] = {}
    for seat in context.game.seats:
        seating = seatings.get(seat)
        if seat in on_file:
            executed[seat] = replace(on_file[seat], executed=True)
        elif seat in due and seating is not None and seating.kind == BOT:
            rules, dice = context.kind.rules, context.dice(step.dice)
            orders = choose_orders(rules, context.view(seat), seat, dice, find_strength(seating))
            executed[seat] = _make_set(step, seat, orders, "bot", context.at)
        elif seat in due:
            executed[seat] = _make_set(step, seat, {}, "default", context.at)
    for own in executed.values():
        context.books.save(own)
    return executed


def _mix_words(context: Context, step: Step, executed: Mapping[Seat, OrderSet]) -> MixedWords:
    """Choose the step's luck words; where a rollback kept the dice, those used before it."""
    if context.settings.luck != EACH_TURN:
        return ()
    if step.dice != label_dice(step.name, context.game.epoch):
        return find_mixed_words(read_record(context.books, context.id), step)
    before = {seat: context.last_word(seat, step) or "" for seat in executed}
    return mix_words(context.game, executed.values(), before)


def _make_set(step: Step, seat: Seat, orders: Document, by: str, at: datetime) -> OrderSet:
    content = encode(orders)
    return OrderSet(
        game=step.game,
        step=step.number,
        seat=seat,
        number=0,
        orders=content,
        digest=digest(content),
        arrived=at,
        by=by,
        executed=True,
    )
