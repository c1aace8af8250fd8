"""What a seat can see of how its orders will fare (JW-13b), step by step."""

from collections.abc import Sequence

from adjudicator.core.document import Document, Seat
from adjudicator.core.finding import Finding
from adjudicator.rules.jump_wars import foresight, homeworlds, jump, plan, reveal
from adjudicator.rules.jump_wars.components import Components
from adjudicator.rules.jump_wars.state import View


def check(view: View, seat: Seat, orders: Document, components: Components) -> Sequence[Finding]:
    """Doomed and doubtful orders of the form that is due."""
    if view.table.winners is not None:
        return ()
    judge = _JUDGES.get(view.table.step)
    return judge(view, seat, orders, components) if judge else ()


def _plan(view: View, seat: Seat, orders: Document, components: Components) -> Sequence[Finding]:
    return foresight.foresee(view, seat, orders, components, plan.foresee)


def _reveal(view: View, seat: Seat, orders: Document, _components: Components) -> Sequence[Finding]:
    return reveal.check(view, seat, orders)


_JUDGES = {
    "homeworlds": homeworlds.check,
    "plan": _plan,
    "jump": jump.check,
    "reveal": _reveal,
}
