"""Close a step: adjudicate it, publish it, open the next one; all in the caller's transaction."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from msgspec.structs import replace

from adjudicator.core.document import Document, Seat, decode, digest, encode
from adjudicator.core.game import Due, Over
from adjudicator.desk.model.context import RUNNING, Context, read_context
from adjudicator.desk.model.errors import Already, Refused, Suggest
from adjudicator.desk.model.history import write_note
from adjudicator.desk.model.ports import Books, Library
from adjudicator.desk.model.seats import BOT, current_seatings
from adjudicator.desk.model.standing import Standing, hindrances, orders_on_file
from adjudicator.desk.model.values import OrderSet, Seating, Step
from adjudicator.desk.outbox.queue import withdraw_reminders
from adjudicator.desk.steps.advance import StepClosing, settle_step
from adjudicator.desk.steps.finish import count_votes
from adjudicator.desk.steps.lock import lock_context
from adjudicator.desk.steps.missed import CLOSE_ACT, SeatChanges, count_missed, missed_counters
from adjudicator.desk.steps.publish import Adjudication


def missing_seats(books: Books, library: Library, game: str) -> tuple[Seat, ...]:
    """The seats whose orders the open step still waits for, in seat order."""
    context = read_context(books, library, game)
    context.open_step()
    return tuple(one.seat for one in context.standings if not one.is_in)


def close_step(
    books: Books,
    library: Library,
    game: str,
    *,
    at: datetime,
    now: bool,
    step: str | None = None,
    by: str = "gm",
) -> StepClosing:
    """Adjudicate the open step; `step` names the one that is meant, so that it is closed once.

    Refuses when orders are missing, or somebody asked not to close early, unless `now`. `by` is
    gm or clock.
    """
    context = lock_context(books, library, game, at=at, status=RUNNING)
    opened = context.open_step()
    if step is not None and step != opened.name:
        raise Already(f"{game}: {step} is not open; {opened.name} is now")
    before = context.before(opened)
    stand = context.standings
    if not now:
        _refuse_early(game, opened, stand)
    executed = _executed(context, opened, before, at)
    orders = {seat: decode(own.orders) for seat, own in executed.items()}
    state, events = context.kind.rules.resolve(before, orders, context.dice(opened.dice))
    over = isinstance(context.kind.rules.due(state), Over)
    told = SeatChanges() if over else count_missed(context, opened, stand, at=at)
    withdraw_reminders(context, opened)
    closing = settle_step(
        context,
        "step",
        opened,
        Adjudication(state, tuple(events), executed),
        at=at,
        turn=opened,
        new=told.new,
    )
    late = [s.seat for s in stand if not s.is_in]
    missed = missed_counters(books, game)
    facts = {"step": opened.name, "missing": late, "now": now, "missed": missed}
    write_note(books, game, CLOSE_ACT, _words(opened, late), at=at, by=by, data=facts)
    closing = replace(closing, letters=told.letters + closing.letters, notes=told.notes)
    return _empty(context, closing, at)


def _empty(context: Context, closing: StepClosing, at: datetime) -> StepClosing:
    """The closing, and the end of the game when nobody is left to play it."""
    ended = count_votes(context, at=at)
    if ended is None:
        return closing
    return replace(
        ended,
        step=closing.step,
        links=closing.links + ended.links,
        letters=closing.letters + ended.letters,
        notes=(*closing.notes, f"{ended.game.id} has ended: {ended.step.reason}"),
    )


def _refuse_early(game: str, step: Step, stand: Sequence[Standing]) -> None:
    late = [s.seat for s in stand if not s.is_in]
    if late:
        raise Refused(
            f"{game}: orders for {step.name} are missing from {', '.join(late)}; wait for them, "
            "or close without them",
            suggest=Suggest("close", game, flags=("now",)),
        )
    waiting = [f"{seat} ({why})" for seat, why in hindrances(stand).items()]
    if waiting:
        raise Refused(
            f"{game}: {step.name} waits for {', '.join(waiting)}; have it corrected, or close "
            "it now",
            suggest=Suggest("close", game, flags=("now",)),
        )


def _executed(context: Context, step: Step, before: Any, at: datetime) -> dict[Seat, OrderSet]:
    """The sets that are executed, written down as such; idle seats send nothing."""
    due = context.due_in(before)
    sets = context.books.orders(context.game.id, step.number)
    seatings = current_seatings(context.books, context.game.id)
    executed: dict[Seat, OrderSet] = {}
    for seat in context.game.seats:
        own = _own(context, step, before, seat, due.get(seat), seatings.get(seat), sets, at)
        if own is not None:
            context.books.save_orders(own)
            executed[seat] = own
    return executed


def _own(
    context: Context,
    step: Step,
    before: Any,
    seat: Seat,
    due: Due | None,
    seating: Seating | None,
    sets: Sequence[OrderSet],
    at: datetime,
) -> OrderSet | None:
    """What a seat sends: its set on file, the bot's, or the default; None when it owes nothing."""
    on = orders_on_file(sets, seat)
    if on is not None:
        return replace(on, executed=True)
    if due is None:
        return None
    if seating is None or seating.kind != BOT:
        return _made(step, seat, {}, "default", at)
    view = context.kind.rules.view(before, seat)
    orders = context.kind.rules.bot(view, seat, context.dice(step.dice))
    return _made(step, seat, orders, "bot", at)


def _made(step: Step, seat: Seat, orders: Document, by: str, at: datetime) -> OrderSet:
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


def _words(step: Step, late: Sequence[Seat]) -> str:
    if not late:
        return f"{step.name} closed"
    return f"{step.name} closed without orders from {', '.join(late)}"
