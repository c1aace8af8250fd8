"""Orders tried out at receipt: which of them fail, as far as their seat can see (JW-13b).

A check at receipt runs the same parts as the step, on a working copy made of the view. What the
seat cannot see is taken twice: at its worst (nothing hidden helps) and at its best (whatever may
come, comes). An order that fails even at its best is doomed.
"""

from collections.abc import Callable, Mapping

from adjudicator.core.document import Document, Orders, Seat
from adjudicator.core.events import NEGATED, Event
from adjudicator.core.finding import Finding, Grade, Path, make_finding
from adjudicator.rules.jump_wars.phases.working_copy import Luck, Work
from adjudicator.rules.jump_wars.position.components import Components
from adjudicator.rules.jump_wars.position.state import View

Findings = tuple[Finding, ...]
Play = Callable[[Work, Orders], None]


def foresee_faults(
    view: View, seat: Seat, orders: Document, components: Components, play: Play
) -> Findings:
    """Try the orders at worst and at best; what fails even at best is doomed, for that reason."""
    worst = _find_negations(Work.from_view(view, components, Luck.WORST), seat, orders, play)
    if not worst:
        return ()
    best = _find_negations(Work.from_view(view, components, Luck.BEST), seat, orders, play)
    return tuple(
        _grade_finding(best.get(path, event), path, doomed=path in best)
        for path, event in worst.items()
    )


def _find_negations(work: Work, seat: Seat, orders: Document, play: Play) -> Mapping[Path, Event]:
    """Play the orders, and find those that come to nothing."""
    play(work, {seat: orders})
    return {
        tuple(event.data["path"]): event
        for event in work.events
        if event.kind == NEGATED and event.data["seat"] == seat
    }


def _grade_finding(event: Event, path: Path, *, doomed: bool) -> Finding:
    why: str = event.data["why"]
    if doomed:
        return make_finding(Grade.DOOMED, event.rule, why, path)
    return make_finding(Grade.DOUBTFUL, event.rule, f"May fail: {why}", path, hangs_on="both")
