"""Conditions of orders ahead: whether they are true of what a seat can see."""

from collections.abc import Callable, Mapping
from typing import Any

from adjudicator.core.document import Seat
from adjudicator.core.tabletop import has_cards, is_at
from adjudicator.rules.jump_wars.position.state import Table, View, find_occupied_spaces


def holds(view: View, seat: Seat, word: str, value: Any) -> bool | None:
    """Whether a condition (orders/jump_wars/ahead.yaml) is true; None: it never will be."""
    if word == "card":
        return has_cards(view.hand, value)
    return _CONDITIONS[word](view.table, seat, value)


def _count_fleets(table: Table, seat: Seat, space: str, *, others: bool) -> int:
    return sum(
        stacks.get(space, 0) for side, stacks in table.fleets.items() if (side != seat) is others
    )


def _is_empty(table: Table, space: str) -> bool:
    return not any(stacks.get(space) for stacks in table.fleets.values())


_CONDITIONS: Mapping[str, Callable[[Table, Seat, Any], bool | None]] = {
    "turn": lambda table, _, turn: is_at(table.turn, turn),
    "tokens": lambda table, seat, least: table.players[seat].tokens >= least,
    "level": lambda table, seat, one: table.players[seat].find_level(one["tech"]) >= one["least"],
    "mine": lambda table, seat, spaces: all(
        find_occupied_spaces(table.fleets).get(one) == seat for one in spaces
    ),
    "empty": lambda table, _, spaces: all(_is_empty(table, one) for one in spaces),
    "fleets": lambda table, seat, one: (
        _count_fleets(table, seat, one["at"], others=False) >= one["least"]
    ),
    "enemies": lambda table, seat, one: (
        _count_fleets(table, seat, one["at"], others=True) <= one["most"]
    ),
}
