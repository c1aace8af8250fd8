"""What a seat may know, built from nothing (JG-13)."""

from collections.abc import Mapping

from msgspec.structs import replace

from adjudicator.core.document import Seat
from adjudicator.rules.jump_gate.position.components import Planet
from adjudicator.rules.jump_gate.position.resources import Resource, sort_cards
from adjudicator.rules.jump_gate.position.state import Standing, State, View


def view(state: State, seat: Seat | None) -> View:
    """The view of a seat; None is somebody without a seat."""
    seats = state.table.seats
    public = View(
        table=state.table,
        seat=None,
        hidden_shown={other: state.hidden[other] for other in seats} if state.table.over else {},
        hand_sizes={other: len(state.hands[other]) for other in seats},
        hidden_sizes={other: len(state.hidden[other]) for other in seats},
        deck_size=len(state.deck),
    )
    if seat is None:
        return public
    return replace(
        public,
        seat=seat,
        hand=state.hands[seat],
        hidden=state.hidden[seat],
        face_down=_cards_below(state, seat),
        standing=state.standing.get(seat, Standing()),
    )


def _cards_below(state: State, seat: Seat) -> Mapping[Planet, tuple[Resource, ...]]:
    """Face-down cards of the planet on which the seat has landed, not how they lie (JGA-14)."""
    ship = state.table.ships[seat]
    if ship.at is None or not ship.landed:
        return {}
    return {ship.at: sort_cards(state.face_down[ship.at])}
