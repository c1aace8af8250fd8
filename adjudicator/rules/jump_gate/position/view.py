"""What a seat may know, built from nothing (JG-13)."""

from collections.abc import Mapping

from adjudicator.core.document import Seat
from adjudicator.rules.jump_gate.position.components import Planet
from adjudicator.rules.jump_gate.position.resources import Resource, sort_cards
from adjudicator.rules.jump_gate.position.state import Standing, State, Table, View


def view(state: State, seat: Seat | None) -> View:
    """The view of a seat; None is somebody without a seat."""
    seats = state.table.seats
    public = _public(state.table)
    hand_sizes = {other: len(state.hands[other]) for other in seats}
    hidden_sizes = {other: len(state.hidden[other]) for other in seats}
    shown = {other: state.hidden[other] for other in seats} if state.table.over else {}
    if seat is None:
        return View(
            table=public,
            seat=None,
            hidden_shown=shown,
            hand_sizes=hand_sizes,
            hidden_sizes=hidden_sizes,
            deck_size=len(state.deck),
        )
    return View(
        table=public,
        seat=seat,
        hand=state.hands[seat],
        hidden=state.hidden[seat],
        hidden_shown=shown,
        face_down=_seen(state, seat),
        standing=state.standing.get(seat, Standing()),
        hand_sizes=hand_sizes,
        hidden_sizes=hidden_sizes,
        deck_size=len(state.deck),
    )


def _seen(state: State, seat: Seat) -> Mapping[Planet, tuple[Resource, ...]]:
    """Face-down cards of the planet on which the seat has landed, not how they lie (JGA-14)."""
    ship = state.table.ships[seat]
    if ship.at is None or not ship.landed:
        return {}
    return {ship.at: sort_cards(state.face_down[ship.at])}


def _public(table: Table) -> Table:
    """The table fact by fact: what is added to it is not told before it is named here."""
    return Table(
        options=table.options,
        seats=table.seats,
        turn=table.turn,
        step=table.step,
        active=table.active,
        actions_left=table.actions_left,
        kept=table.kept,
        ring=table.ring,
        planets=table.planets,
        ships=table.ships,
        discard=table.discard,
        collected=table.collected,
        black_hole=table.black_hole,
        jump_gate=table.jump_gate,
        final_turns=table.final_turns,
        awaiting=table.awaiting,
        moves=table.moves,
        over=table.over,
    )
