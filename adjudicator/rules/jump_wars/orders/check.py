"""Check a seat's orders step by step, as far as the seat can see (JW-13b)."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from adjudicator.core.document import Document, Seat
from adjudicator.core.finding import Finding
from adjudicator.rules.jump_wars.phases import homeworlds, turn
from adjudicator.rules.jump_wars.phases.jump import reveal, step
from adjudicator.rules.jump_wars.phases.trial import foresee_faults
from adjudicator.rules.jump_wars.position.components import Components
from adjudicator.rules.jump_wars.position.state import View


def check(view: View, seat: Seat, orders: Document, components: Components) -> Sequence[Finding]:
    """Find the doomed and doubtful orders of the form that is due."""
    if view.table.winners is not None:
        return ()
    judge = _JUDGES.get(view.table.step)
    return judge(view, seat, orders, components) if judge else ()


_JUDGES: Final[Mapping[str, Callable[[View, Seat, Document, Components], Sequence[Finding]]]] = {
    "homeworlds": homeworlds.check_homeworlds,
    "plan": lambda view, seat, orders, box: foresee_faults(view, seat, orders, box, turn.play_plan),
    "jump": step.check_jump,
    "reveal": lambda view, seat, orders, _: reveal.check_reveal(view, seat, orders),
}
