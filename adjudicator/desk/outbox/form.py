"""The order block of a seat: what stands, or what is offered to be sent again."""

from collections.abc import Iterable, Mapping
from typing import Any

from adjudicator.core.document import Document, Seat, decode
from adjudicator.desk.model.context import Context
from adjudicator.desk.model.standing import CLEARED, orders_on_file
from adjudicator.desk.model.values import OrderSet, Step


def order_block(
    context: Context, step: Step, seat: Seat, sets: Iterable[OrderSet] | None = None
) -> Document:
    """Envelope and orders of the open step; `prefill` when the orders are not on file.

    Where there are none, or what is due is not among them, the game's help: comments, and an
    example of the reader's own.
    """
    known = context.books.orders(context.game.id, step.number) if sets is None else tuple(sets)
    on = orders_on_file(known, seat)
    after = on.number if on else max((s.number for s in known if s.seat == seat), default=0)
    if on is not None:
        orders: Document | None = _spelled(context, step, decode(on.orders))
    else:
        orders = None if after else struck_orders(context, step, seat)
    return {
        **_help(context, step, seat, shown=not orders or _owing(context, step, seat, on)),
        **form_facts(context.game.id, step, after, orders),
        "prefill": on is None and orders is not None,
    }


def _owing(context: Context, step: Step, seat: Seat, on: OrderSet | None) -> bool:
    """Whether what is on file gives nothing of what the seat owes."""
    due = context.due_in(context.before(step)).get(seat) if on is not None else None
    return bool(on and due and context.kind.owing(due.form, decode(on.orders)))


def _help(context: Context, step: Step, seat: Seat, *, shown: bool) -> dict[str, Any]:
    rules = context.kind.rules
    offered: Document = {}
    if shown:
        offered = rules.report(rules.view(context.before(step), seat), ()).get("form") or {}
    return {
        "comments": list(offered.get("comments") or ()),
        "example": dict(offered.get("example") or {}),
    }


def struck_orders(context: Context, step: Step, seat: Seat) -> Document | None:
    """The orders of the step that a rollback struck and this one replaces; not on file."""
    if step.predecessor is None or step.number == step.predecessor + 1:
        return None  # numbers follow each other where nothing was struck or ruled
    steps = {s.number: s for s in context.books.steps(context.game.id)}
    place = (step.phase, _base(steps, step))
    struck = [s.number for s in steps.values() if s.void and (s.phase, _base(steps, s)) == place]
    for number in sorted(struck, reverse=True):
        sets = [
            s
            for s in context.books.orders(context.game.id, number)
            if s.seat == seat and s.number > 0
        ]
        if sets and sets[-1].orders != CLEARED:
            return _spelled(context, step, decode(sets[-1].orders))
    return None


def _spelled(context: Context, step: Step, orders: Document) -> Document:
    """As the player would write it; where no form is known, as it is on file."""
    return (
        context.kind.spelled(step.phase, orders) if step.phase in context.kind.forms() else orders
    )


def _base(steps: Mapping[int, Step], step: Step) -> int | None:
    """The number of the step before this one; rulings in between do not matter."""
    before = step.predecessor
    while before is not None and steps[before].phase == "ruling":
        before = steps[before].predecessor
    return before


def form_envelope(game: str, step: Step, after: int) -> Document:
    """The head of an order block; the key is the sender's to fill in and never archived."""
    return {"game": game, "step": step.name, "key": None, "after": after}


def form_facts(game: str, step: Step, after: int, orders: Document | None) -> Document:
    """The desk's part of `form`: the envelope, and the orders that stand (or are offered)."""
    return {"envelope": form_envelope(game, step, after), "orders": orders}
