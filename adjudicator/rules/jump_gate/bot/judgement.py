"""How well a position stands for a seat, where it is not played on."""

from typing import Final

from adjudicator.core.document import Seat
from adjudicator.rules.jump_gate.bot.almanac import Almanac
from adjudicator.rules.jump_gate.phases.scoring import find_most_markers
from adjudicator.rules.jump_gate.phases.working_copy import Work, count_markers

_CLEAR: Final = 16
"""A lead of so many points is half as good as one beyond all doubt."""
_WON: Final = 0.3
"""A victory is worth more than its lead."""
_MARK: Final = 0.7
"""The share of a marked card's worth that counts."""
_HAND: Final = 0.8
"""What a card of the hand counts."""


def judge(work: Work, seat: Seat, almanac: Almanac) -> float:
    """Judge a position, from about -1 to 1."""
    if work.over is not None:
        points: dict[Seat, float] = dict(work.over.scores)
        won = _WON if seat in work.over.winners else -_WON
    else:
        points = {one: _count_prospects(work, one, almanac) for one in work.seats}
        won = 0.0
    lead = points.pop(seat) - max(points.values())
    return lead / (abs(lead) + _CLEAR) + won


def _count_prospects(work: Work, seat: Seat, almanac: Almanac) -> float:
    """Count a seat's points and what it can expect, less what the Black Hole is likely to take."""
    cards, hidden = work.collected[seat], work.hidden[seat]
    worth = almanac.count_board(work, seat) + _HAND * len(work.hands[seat])
    full = work.components.constants.black_hole_end.markers
    danger = 0.0
    if seat in find_most_markers(work.black_hole):
        danger = min(1.0, count_markers(work.black_hole) / full) ** 2
    public = almanac.count_points(cards)
    if not work.components.is_second:
        return worth + public * (1 - danger * almanac.find_loss(len(work.seats), len(cards)))
    gains, marks_by_planet = (
        almanac.find_gains(cards + hidden),
        [site.marks for site in work.planets.values()],
    )
    worth += _MARK * sum([gains[marks[seat]] for marks in marks_by_planet if seat in marks])
    return worth + public + (1 - danger) * (almanac.count_points(cards + hidden) - public)
