"""How a seat's orders will fare as far as it can see, by the adjudication's own code (JW-13b)."""

from collections.abc import Callable, Mapping

from adjudicator.core.document import Document, Orders, Seat
from adjudicator.core.event import NEGATED, Event
from adjudicator.core.finding import Finding, Grade, Path
from adjudicator.rules.jump_wars.components import Components
from adjudicator.rules.jump_wars.state import View
from adjudicator.rules.jump_wars.work import Luck, Work

Foreseen = tuple[Finding, ...]


def foresee(
    view: View,
    seat: Seat,
    orders: Document,
    components: Components,
    play: Callable[[Work, Orders], None],
) -> Foreseen:
    """Plays the orders at worst and at best; what fails at best too is doomed, for that reason."""
    worst = _negations(view, seat, orders, components, play, Luck.WORST)
    if not worst:
        return ()
    best = _negations(view, seat, orders, components, play, Luck.BEST)
    return tuple(
        _finding(best.get(path, event), path, doomed=path in best) for path, event in worst.items()
    )


def _negations(
    view: View,
    seat: Seat,
    orders: Document,
    components: Components,
    play: Callable[[Work, Orders], None],
    luck: Luck,
) -> Mapping[Path, Event]:
    work = Work.of_view(view, components, luck)
    play(work, {seat: orders})
    return {
        tuple(event.data["path"]): event
        for event in work.events
        if event.kind == NEGATED and event.data["seat"] == seat
    }


def _finding(event: Event, path: Path, *, doomed: bool) -> Finding:
    why: str = event.data["why"]
    return Finding(
        grade=Grade.DOOMED if doomed else Grade.DOUBTFUL,
        rule=event.rule,
        message=why if doomed else f"May fail: {why}",
        path=path,
        entry=path,
    )
