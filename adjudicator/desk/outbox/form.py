"""The block to reply with, and the answer document, answer/1, which often ends with one.

A seat's block holds the orders on file, or those that can be sent again.

answer     "answer/1"
game       {id, kind, title}
seat       the reader's seat; null for somebody who has none
player     the reader's name, or null
step       the step that is open, or the last one
label      the same for people, "turn 4, jump"
headline   one line for the subject
parts      [{title (or null), lines: [sentences], columns, rows: [[cells]]}];
           `small: true` where a part is small print; `guide` names the template of a guide, with
           the `example` that stands in it, and `due`, the form that is explained below it
form       null, or the block to reply with, as in a receipt
"""

from collections.abc import Mapping, Sequence
from typing import Any

from adjudicator.core.document import Document, Seat, decode
from adjudicator.core.forms.order_form import explain_missing
from adjudicator.core.forms.orders_as_text import spell_orders
from adjudicator.desk.model.context import Context, RequestOutcome, current_step
from adjudicator.desk.model.settings import EACH_TURN
from adjudicator.desk.model.standing import CLEARED
from adjudicator.desk.model.values import Game, PlanAhead, Step

ANSWER_VERSION = "answer/1"


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
        missing = explain_missing(context.kind.form(due.form), content) if due else None
        needs_help = not orders or bool(missing)
    else:
        after = max((one.number for one in context.sets if one.seat == seat), default=0)
        orders = None if after else find_undone_orders(context, step, seat)
        needs_help = not orders
    offered: Document = {}
    if needs_help:
        offered = context.report_position(seat).get("form") or {}
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
    orders = spell_orders(context.kind.form(plan.form), plan.orders)
    return {"step": plan.form, **conditions, **orders}


def find_undone_orders(context: Context, step: Step, seat: Seat) -> Document | None:
    """Find the orders of the undone step that this one replaces; they are not on file."""
    if step.predecessor is None or step.number == step.predecessor + 1:
        return None  # numbers are consecutive without undone steps or rulings
    steps = {s.number: s for s in context.books.steps(context.id)}
    place = (step.phase, _find_base(steps, step))
    numbers = [
        s.number for s in steps.values() if s.void and (s.phase, _find_base(steps, s)) == place
    ]
    for number in sorted(numbers, reverse=True):
        sets = [
            s for s in context.books.orders(context.id, number) if s.seat == seat and s.number > 0
        ]
        if sets and sets[-1].orders != CLEARED:
            return _spell(context, step, decode(sets[-1].orders))
    return None


def _spell(context: Context, step: Step, orders: Document) -> Document:
    """Write orders as the player would; if no form is known, as they are on file."""
    kind, form = context.kind, step.phase
    return spell_orders(kind.form(form), orders) if form in kind.forms() else orders


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


def seat_form(context: Context, seat: Seat) -> Document:
    """Make the block for a seat, also when nothing is due: a player can always write and ask."""
    if context.game.open_step is None:
        return bare_form(context)
    form = order_block(context, seat)
    return form if seat in context.due or form["orders"] is not None else {**form, "quiet": True}


def bare_form(context: Context) -> Document:
    """Make the envelope alone, which needs nothing of the rules."""
    return {
        **form_facts(context.game, current_step(context), 0, None),
        "prefill": False,
        "quiet": True,
    }


def gm_form(context: Context) -> Document:
    """Make the block for the GM, who can always act; the sender puts the GM's key in."""
    return {
        **form_facts(context.game, current_step(context), 0, None),
        "prefill": False,
        "comments": ["gm: [extend 24h preview]", "ask: [status, help]"],
        "example": {},
    }


def answer_part(
    title: str | None,
    lines: Sequence[str] = (),
    *,
    columns: Sequence[str] = (),
    rows: Sequence[Sequence[Any]] = (),
) -> dict[str, Any]:
    """Make one part of an answer."""
    return {
        "title": title,
        "lines": list(lines),
        "columns": list(columns),
        "rows": [list(row) for row in rows],
    }


def outcome_parts(outcome: RequestOutcome, *, heading: str | None = None) -> list[Document]:
    """Make the parts that say what was done, under this title, and what was not."""
    parts = [(heading, outcome.done), ("REJECTED", outcome.not_taken)]
    return [answer_part(title, lines) for title, lines in parts if lines]


def reader_facts(context: Context, step: Step, seat: Seat | None, player: str | None) -> Document:
    """Collect what notices, answers and press say of their game, their reader and their step."""
    return {
        "game": context.names,
        "seat": seat,
        "player": player,
        "step": step.name,
        "label": context.label(step),
    }


def answer_document(
    context: Context,
    seat: Seat | None,
    player: str | None,
    headline: str,
    parts: Sequence[Document],
    form: Document | None,
) -> dict[str, Any]:
    """Make the whole document."""
    return {
        "answer": ANSWER_VERSION,
        **reader_facts(context, current_step(context), seat, player),
        "headline": headline,
        "parts": list(parts),
        "form": form,
    }
