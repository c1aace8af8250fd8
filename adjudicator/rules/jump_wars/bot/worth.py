"""What a position is worth to a seat: its share of the victory, as far as one can tell.

The weights were fitted to who won some hundred games of two bots, then evened out. Cards count
beside fleets: whoever trades, draws and bars best has the larger fleets in the end.
"""

from collections.abc import Mapping
from math import exp, log
from typing import Final

from adjudicator.core.document import Seat
from adjudicator.rules.jump_wars.phases.plan.production import find_fleet_cost, find_income
from adjudicator.rules.jump_wars.position.components import Card, Components, Tech
from adjudicator.rules.jump_wars.position.state import NOTHING, State

_FLEETS: Final = 0.9
_BUILT: Final = 0.6
"""The fleets that a turn's income pays for."""
_LEVELS: Final[Mapping[Tech, float]] = {
    "attack": 0.6,
    "defense": 0.5,
    "command": 0.6,
    "jump": 0.3,
    "manufacturing": 0.5,
}
_AT_ONCE: Final = 1.5
"""How many fleets go in one order (JW-31)."""
_LEADS: Final[Mapping[Tech, tuple[tuple[int, float], ...]]] = {
    "trade": ((1, 0.5), (3, 0.1)),
    "diplomacy": ((2, 0.4),),
    "research": ((1, 0.4),),
    "initiative": ((1, 0.2),),
}
"""A lead over all others, or a lag, counts up to so many levels, and so much for each."""
_CARD: Final = 0.1
_SPECIAL: Final = 0.1
_SPECIALS: Final[Mapping[Card, float]] = {"cloaking": 0.3, "assimilation": 0.2}


def appraise(state: State, seat: Seat, components: Components) -> float:
    """Appraise a position from 0 to 1; of a shared victory everybody has a share (JW-60)."""
    table = state.table
    if table.winners is not None:
        return (seat in table.winners) / max(1, len(table.winners))
    incomes = find_income(table, components)
    might = {other: _sum_up(state, other, incomes[other]) for other in table.seats}
    highest = max(might.values())
    odds = {other: exp(own - highest) for other, own in might.items()}
    return odds[seat] / sum(odds.values())


def _sum_up(state: State, seat: Seat, income: int) -> float:
    """Sum up what a seat has, as a logarithm of its odds."""
    table = state.table
    player = table.players[seat]
    fleets = sum(table.fleets.get(seat, NOTHING).values())
    might = _FLEETS * log(1 + fleets) + _BUILT * log(1 + income / find_fleet_cost(player))
    for tech, weight in _LEVELS.items():
        might += weight * log(player.find_level(tech))
    might += _AT_ONCE * log(5 + player.find_level("logistics"))
    for tech, steps in _LEADS.items():
        best = max(one.find_level(tech) for other, one in table.players.items() if other != seat)
        lead = player.find_level(tech) - best
        might += sum(weight * max(-most, min(most, lead)) for most, weight in steps)
    might += _CARD * len(state.hands[seat]) + _SPECIAL * len(player.specials)
    return might + sum(_SPECIALS.get(card, 0.0) for card in player.specials)
