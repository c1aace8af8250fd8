"""What a seat may know, built from nothing (rulebook, "What a player may see")."""

from adjudicator.core.document import Seat
from adjudicator.rules.jump_wars.position.state import State, View


def view(state: State, seat: Seat | None) -> View:
    """The view of a seat; None is somebody without a seat."""
    sizes = {other: len(state.hands[other]) for other in state.table.seats}
    if seat is None:
        return View(table=state.table, seat=None, hand_sizes=sizes, deck_size=len(state.deck))
    return View(
        table=state.table,
        seat=seat,
        hand=state.hands[seat],
        kept=state.kept.get(seat),
        standing=state.standing.get(seat, {}),
        hand_sizes=sizes,
        deck_size=len(state.deck),
    )
