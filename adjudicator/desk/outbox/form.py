"""The order block of a seat: the orders on file, or those that can be sent again."""

from collections.abc import Mapping

from adjudicator.core.document import Document, Seat, decode
from adjudicator.desk.model.context import Context
from adjudicator.desk.model.settings import EACH_TURN
from adjudicator.desk.model.standing import CLEARED
from adjudicator.desk.model.values import Game, PlanAhead, Step


def order_block(context: Context, seat: Seat) -> Document:
    """Make the envelope and orders of the open step; `prefill` when the orders are not on file.

    Without orders, or without what is due among them, it has the game's help: comments, and an
    example of the reader's own.
    """
    step, on, due = context.open_step(), context.on_file.get(seat), context.due.get(seat)
    orders: Document | None
    if on is not None:
        content: Document = decode(on.orders)
        after, orders = on.number, _spell(context, step, content)
        needs_help = not orders or bool(due and context.kind.owing(due.form, content))
    else:
        after = max((one.number for one in context.sets if one.seat == seat), default=0)
        orders = None if after else struck_orders(context, step, seat)
        needs_help = not orders
    offered: Document = {}
    if needs_help:
        offered = context.kind.rules.report(context.view(seat), ()).get("form") or {}
    return {
        "comments": list(offered.get("comments") or ()),
        "example": dict(offered.get("example") or {}),
        **form_facts(context.game, step, after, orders, on.luck if on else ""),
        "prefill": on is None and orders is not None,
        **({"ahead": list_waiting(context, seat)} if context.plans.get(seat) else {}),
    }


def list_waiting(context: Context, seat: Seat) -> list[Document]:
    """List the orders ahead of a seat that wait, as its player would write them."""
    return [spell_plan(context, one) for one in context.plans.get(seat, ())]


def spell_plan(context: Context, plan: PlanAhead) -> Document:
    """Write a plan as its player would."""
    conditions = {"if": dict(plan.conditions)} if plan.conditions else {}
    return {"step": plan.form, **conditions, **context.kind.spelled(plan.form, plan.orders)}


def struck_orders(context: Context, step: Step, seat: Seat) -> Document | None:
    """Find the orders of the undone step that this one replaces; they are not on file."""
    if step.predecessor is None or step.number == step.predecessor + 1:
        return None  # numbers are consecutive without undone steps or rulings
    steps = {s.number: s for s in context.books.steps(context.id)}
    place = (step.phase, _find_base(steps, step))
    struck = [
        s.number for s in steps.values() if s.void and (s.phase, _find_base(steps, s)) == place
    ]
    for number in sorted(struck, reverse=True):
        sets = [
            s for s in context.books.orders(context.id, number) if s.seat == seat and s.number > 0
        ]
        if sets and sets[-1].orders != CLEARED:
            return _spell(context, step, decode(sets[-1].orders))
    return None


def _spell(context: Context, step: Step, orders: Document) -> Document:
    """Write orders as the player would; if no form is known, as they are on file."""
    return (
        context.kind.spelled(step.phase, orders) if step.phase in context.kind.forms() else orders
    )


def _find_base(steps: Mapping[int, Step], step: Step) -> int | None:
    """Find the number of the step before this one; rulings in between do not matter."""
    before = step.predecessor
    while before is not None and steps[before].phase == "ruling":
        before = steps[before].predecessor
    return before


def form_facts(
    game: Game, step: Step, after: int, orders: Document | None, luck: str = ""
) -> Document:
    """Make the desk's part of `form`: the envelope, and the orders on file or offered.

    The key is the sender's to fill in and never archived; `luck` is there where it is asked for.
    """
    envelope = {"game": game.id, "step": step.name, "key": None, "after": after}
    if game.settings.get("luck") == EACH_TURN:
        envelope["luck"] = luck
    return {"envelope": envelope, "orders": orders}
