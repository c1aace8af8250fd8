"""Scores, and who has won (JGA-12, JGA-13, JGB-10, JGB-11)."""

from collections.abc import Callable, Mapping, Sequence

from adjudicator.core.document import Seat
from adjudicator.rules.jump_gate.components import Components
from adjudicator.rules.jump_gate.resources import Resource
from adjudicator.rules.jump_gate.scoring import parts
from adjudicator.rules.jump_gate.state import Over, State, Table
from adjudicator.rules.jump_gate.work import Work

Rank = tuple[int, ...]


def settle(
    work: Work,
    hidden: Mapping[Seat, Sequence[Resource]],
    rules: tuple[str, str],
    ranks: Callable[[Table, Seat], Rank],
) -> None:
    """Tells everybody's points and who has won; `hidden` are the hidden cards that count."""
    table = work.state().table
    scores: dict[Seat, int] = {}
    for seat in work.seats:
        points = parts(table, seat, work.components, hidden.get(seat, ()))
        scores[seat] = sum(points.values())
        work.tell("scored", rules[0], seat=seat, parts=points, total=scores[seat])
    reached = {seat: (scores[seat], *ranks(table, seat)) for seat in work.seats}
    best = max(reached.values())
    winners = tuple(seat for seat in work.seats if reached[seat] == best)
    work.over = Over(winners, scores)
    work.tell("won", rules[1], winners=list(winners))


def score(
    state: State,
    components: Components,
    ranks: Callable[[Table, Seat], Rank],
) -> Mapping[Seat, int]:
    """How many seats each one is ahead of by what everybody sees; at the end winners lead.

    Hidden resources are left out: whoever looks at the score may play in the game.
    """
    table = state.table
    winners = table.over.winners if table.over else ()
    reached = {
        seat: (seat in winners, _points(table, seat, components), ranks(table, seat))
        for seat in table.seats
    }
    return {seat: sum(1 for one in reached.values() if one < reached[seat]) for seat in reached}


def _points(table: Table, seat: Seat, components: Components) -> int:
    if table.over is not None:
        return table.over.scores[seat]
    return sum(parts(table, seat, components).values())
