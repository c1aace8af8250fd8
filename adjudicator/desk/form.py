"""The order block of a seat: what stands, or what is offered to be sent again."""

from collections.abc import Iterable, Mapping
from typing import Any

from adjudicator.core.canonical import decode
from adjudicator.core.document import Document, Seat
from adjudicator.desk.case import Case
from adjudicator.desk.inform import NOTHING, on_file
from adjudicator.desk.report import form_facts
from adjudicator.desk.values import OrderSet, Step


def block(case: Case, step: Step, seat: Seat, sets: Iterable[OrderSet] | None = None) -> Document:
    """Envelope and orders of the open step; `prefill` when the orders are not on file.

    Where there are none, or what is due is not among them, the game's help: comments, and an
    example of the reader's own.
    """
    known = case.books.orders(case.game.id, step.number) if sets is None else tuple(sets)
    on = on_file(known, seat)
    after = on.number if on else max((s.number for s in known if s.seat == seat), default=0)
    if on is not None:
        orders: Document | None = _spelled(case, step, decode(on.orders))
    else:
        orders = None if after else prefill(case, step, seat)
    return {
        **_help(case, step, seat, shown=not orders or _owing(case, step, seat, on)),
        **form_facts(case.game.id, step, after, orders),
        "prefill": on is None and orders is not None,
    }


def _owing(case: Case, step: Step, seat: Seat, on: OrderSet | None) -> bool:
    """Whether what is on file gives nothing of what the seat owes."""
    due = case.due(case.before(step)).get(seat) if on is not None else None
    return bool(on and due and case.kind.owing(due.form, decode(on.orders)))


def _help(case: Case, step: Step, seat: Seat, *, shown: bool) -> dict[str, Any]:
    rules = case.kind.rules
    offered: Document = {}
    if shown:
        offered = rules.report(rules.view(case.before(step), seat), ()).get("form") or {}
    return {
        "comments": list(offered.get("comments") or ()),
        "example": dict(offered.get("example") or {}),
    }


def prefill(case: Case, step: Step, seat: Seat) -> Document | None:
    """The orders of the step that a rollback struck and this one replaces; not on file."""
    if step.predecessor is None or step.number == step.predecessor + 1:
        return None  # numbers follow each other where nothing was struck or ruled
    steps = {s.number: s for s in case.books.steps(case.game.id)}
    place = (step.phase, _base(steps, step))
    struck = [s.number for s in steps.values() if s.void and (s.phase, _base(steps, s)) == place]
    for number in sorted(struck, reverse=True):
        sets = [
            s for s in case.books.orders(case.game.id, number) if s.seat == seat and s.number > 0
        ]
        if sets and sets[-1].orders != NOTHING:
            return _spelled(case, step, decode(sets[-1].orders))
    return None


def _spelled(case: Case, step: Step, orders: Document) -> Document:
    """As the player would write it; where no form is known, as it is on file."""
    return case.kind.spelled(step.phase, orders) if step.phase in case.kind.forms() else orders


def _base(steps: Mapping[int, Step], step: Step) -> int | None:
    """The number of the step before this one; rulings in between do not matter."""
    before = step.predecessor
    while before is not None and steps[before].phase == "ruling":
        before = steps[before].predecessor
    return before
