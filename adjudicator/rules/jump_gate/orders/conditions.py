"""Conditions of orders ahead: whether they are true of what a seat can see."""

from collections.abc import Callable, Mapping
from typing import Any

from adjudicator.core.document import Seat
from adjudicator.core.tabletop import has_cards, is_at
from adjudicator.rules.jump_gate.phases.preferences import choose_several
from adjudicator.rules.jump_gate.phases.specials import JUMP_GATE
from adjudicator.rules.jump_gate.position.state import Site, View, list_unmarked


def holds(view: View, seat: Seat, word: str, value: Any) -> bool | None:
    """Whether a condition (orders/jump_gate/ahead.yaml) is true; None: it never will be."""
    return _CONDITIONS[word](view, seat, value)


def _find_site(view: View, seat: Seat) -> Site:
    """Find what lies where the seat's ship is; nothing on the Jump Gate."""
    at = view.table.ships[seat].at
    return Site() if at is None else view.table.planets[at]


def _lies_open(view: View, seat: Seat, kinds: Any) -> bool:
    cards = choose_several(kinds, list_unmarked(_find_site(view, seat)), len(kinds))
    return len(cards) == len(kinds)


def _is_alone(view: View, seat: Seat, is_alone: Any) -> bool:
    ships = view.table.ships
    others = (ships[other].at for other in view.table.seats if other != seat)
    return (ships[seat].at not in others) is is_alone


_CONDITIONS: Mapping[str, Callable[[View, Seat, Any], bool | None]] = {
    "turn": lambda view, _, turn: is_at(view.table.turn, turn),
    "left": lambda view, _, number: view.table.actions_left == number,
    "card": lambda view, _, cards: has_cards(view.hand, cards),
    "hand": lambda view, _, least: len(view.hand) >= least,
    "at": lambda view, seat, place: (view.table.ships[seat].at or JUMP_GATE) == place,
    "free": lambda view, _, planets: all(
        one in view.table.planets and view.table.planets[one].claim is None for one in planets
    ),
    "resource": _lies_open,
    "hidden": lambda view, seat, least: _find_site(view, seat).face_down >= least,
    "alone": _is_alone,
    "black_hole": lambda view, _, most: sum(view.table.black_hole.values()) <= most,
}
