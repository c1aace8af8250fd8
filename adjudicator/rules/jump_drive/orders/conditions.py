"""Conditions of orders ahead: whether they are true of what a seat can see."""

from collections.abc import Callable, Mapping
from typing import Any

from adjudicator.core.document import Seat
from adjudicator.core.tabletop import has_cards, is_at
from adjudicator.rules.jump_drive.position.components import Components
from adjudicator.rules.jump_drive.position.counting import count_general
from adjudicator.rules.jump_drive.position.state import View


def holds(view: View, seat: Seat, word: str, value: Any, components: Components) -> bool | None:
    """Whether a condition (orders/jump_drive/ahead.yaml) is true; None: it never will be."""
    if word == "strength":
        empire = [components.cards[name] for name in view.table.empires[seat]]
        return count_general(empire) >= int(value)
    return _CONDITIONS[word](view, seat, value)


_CONDITIONS: Mapping[str, Callable[[View, Seat, Any], bool | None]] = {
    "round": lambda view, _, number: is_at(view.table.round, number),
    "card": lambda view, _, cards: has_cards(view.hand, cards),
    "hand": lambda view, _, least: len(view.hand) >= least,
    "empire": lambda view, seat, cards: has_cards(view.table.empires[seat], cards),
    "points": lambda view, seat, least: view.table.vp[seat] >= least,
    "leader": lambda view, seat, is_leader: (
        (view.table.vp[seat] == max(view.table.vp.values())) is is_leader
    ),
}
