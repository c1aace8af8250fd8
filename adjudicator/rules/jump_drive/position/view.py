"""What a seat may know, built from nothing (rulebook, "What a player may see")."""

from msgspec.structs import replace

from adjudicator.core.document import Seat
from adjudicator.rules.jump_drive.position.components import Components
from adjudicator.rules.jump_drive.position.counting import cards_to_discard
from adjudicator.rules.jump_drive.position.state import State, View


def view(state: State, seat: Seat | None, components: Components) -> View:
    """The view of a seat; None is somebody without a seat."""
    sizes = {other: len(state.hands[other]) for other in state.table.seats}
    public = View(
        table=state.table,
        seat=None,
        hand_sizes=sizes,
        deck_size=len(state.deck),
        discard_size=len(state.discard),
    )
    if seat is None:
        return public
    return replace(
        public,
        seat=seat,
        hand=state.hands[seat],
        drawn=state.drawn.get(seat, ()),
        trims=state.trims.get(seat, ()),
        owed=_owed(state, seat, components),
    )


def _owed(state: State, seat: Seat, components: Components) -> int:
    """How many cards the step asks the seat to discard."""
    constants, step = components.constants, state.table.step
    if step == "opening":
        return constants.dealt - constants.hand
    if step == "explore" and seat in state.drawn:
        return cards_to_discard(len(state.drawn[seat]))
    if step == "trim":
        return max(0, len(state.hands[seat]) - constants.limit)
    return 0
