"""Close a step: adjudicate it, publish it, open the next one; all in the caller's transaction."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from msgspec.structs import replace

from adjudicator.core.canonical import decode, digest, encode
from adjudicator.core.document import Document, Seat
from adjudicator.core.game import Due, Over
from adjudicator.desk.case import RUNNING, Case, look, take
from adjudicator.desk.closing import Closing
from adjudicator.desk.errors import Already, Refused
from adjudicator.desk.inform import Standing, on_file, standings
from adjudicator.desk.log import log
from adjudicator.desk.missed import CLOSE, Told, count, counters
from adjudicator.desk.news import Outcome
from adjudicator.desk.ports import Books, Library
from adjudicator.desk.reminders import lapse
from adjudicator.desk.seating import BOT, current
from adjudicator.desk.stepping import settle
from adjudicator.desk.values import OrderSet, Seating, Step
from adjudicator.desk.vote import counted


def missing(books: Books, library: Library, game: str) -> tuple[Seat, ...]:
    """The seats whose orders the open step still waits for, in seat order."""
    case = look(books, library, game)
    step = case.open_step()
    return tuple(s.seat for s in _standings(case, step, case.before(step)) if not s.is_in)


def close(
    books: Books,
    library: Library,
    game: str,
    *,
    at: datetime,
    now: bool,
    step: str | None = None,
    by: str = "gm",
) -> Closing:
    """Adjudicate the open step; `step` names the one that is meant, so that it is closed once.

    Refuses when orders are missing, or somebody asked not to close early, unless `now`. `by` is
    gm or clock.
    """
    case = take(books, library, game, at=at, status=RUNNING)
    opened = case.open_step()
    if step is not None and step != opened.name:
        raise Already(f"{game}: {step} is not open; {opened.name} is now")
    before = case.before(opened)
    stand = _standings(case, opened, before)
    if not now:
        _refuse_early(game, opened, stand)
    executed = _executed(case, opened, before, at)
    orders = {seat: decode(own.orders) for seat, own in executed.items()}
    state, events = case.kind.rules.resolve(before, orders, case.dice(opened.dice))
    over = isinstance(case.kind.rules.due(state), Over)
    told = Told() if over else count(case, opened, stand, at=at)
    lapse(case, opened)
    closing = settle(
        case,
        "step",
        opened,
        Outcome(state, tuple(events), executed),
        at=at,
        turn=opened,
        new=told.new,
    )
    late = [s.seat for s in stand if not s.is_in]
    missed = counters(books, game)
    facts = {"step": opened.name, "missing": late, "now": now, "missed": missed}
    log(books, game, CLOSE, _words(opened, late), at=at, by=by, data=facts)
    closing = replace(closing, letters=told.letters + closing.letters, notes=told.notes)
    return _empty(case.of(closing.game), closing, at)


def _empty(case: Case, closing: Closing, at: datetime) -> Closing:
    """The closing, and the end of the game when nobody is left to play it."""
    ended = counted(case, at=at)
    if ended is None:
        return closing
    return replace(
        ended,
        step=closing.step,
        links=closing.links + ended.links,
        letters=closing.letters + ended.letters,
        notes=(*closing.notes, f"{ended.game.id} has ended: {ended.step.reason}"),
    )


def _standings(case: Case, step: Step, before: Any) -> tuple[Standing, ...]:
    game = case.game
    return standings(
        game.seats,
        case.due(before),
        current(case.books, game.id),
        case.books.orders(game.id, step.number),
    )


def _refuse_early(game: str, step: Step, stand: Sequence[Standing]) -> None:
    late = [s.seat for s in stand if not s.is_in]
    if late:
        raise Refused(
            f"{game}: orders for {step.name} are missing from {', '.join(late)}; "
            "wait for them, or close --now"
        )
    waiting = [s.seat for s in stand if not s.ready]
    if waiting:
        raise Refused(
            f"{game}: what {', '.join(waiting)} sent for {step.name} does not close it early "
            "(`ready: false`, an order refused, or none given); wait for the deadline, or "
            "close --now"
        )


def _executed(case: Case, step: Step, before: Any, at: datetime) -> dict[Seat, OrderSet]:
    """The sets that are executed, written down as such; idle seats send nothing."""
    due = case.due(before)
    sets = case.books.orders(case.game.id, step.number)
    seatings = current(case.books, case.game.id)
    executed: dict[Seat, OrderSet] = {}
    for seat in case.game.seats:
        own = _own(case, step, before, seat, due.get(seat), seatings.get(seat), sets, at)
        if own is not None:
            case.books.save_orders(own)
            executed[seat] = own
    return executed


def _own(
    case: Case,
    step: Step,
    before: Any,
    seat: Seat,
    due: Due | None,
    seating: Seating | None,
    sets: Sequence[OrderSet],
    at: datetime,
) -> OrderSet | None:
    """What a seat sends: its set on file, the bot's, or the default; None when it owes nothing."""
    on = on_file(sets, seat)
    if on is not None:
        return replace(on, executed=True)
    if due is None:
        return None
    if seating is None or seating.kind != BOT:
        return _made(step, seat, {}, "default", at)
    view = case.kind.rules.view(before, seat)
    orders = case.kind.rules.bot(view, seat, case.dice(step.dice))
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
