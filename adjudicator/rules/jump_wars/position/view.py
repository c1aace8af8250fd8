"""What a seat may know, built from nothing (rulebook, "What a player may see")."""

from adjudicator.core.document import Seat
from adjudicator.rules.jump_wars.position.state import State, Table, View


def view(state: State, seat: Seat | None) -> View:
    """The view of a seat; None is somebody without a seat."""
    sizes = {other: len(state.hands[other]) for other in state.table.seats}
    public = _public(state.table)
    if seat is None:
        return View(table=public, seat=None, hand_sizes=sizes, deck_size=len(state.deck))
    return View(
        table=public,
        seat=seat,
        hand=state.hands[seat],
        kept=state.kept.get(seat),
        standing=state.standing.get(seat, {}),
        hand_sizes=sizes,
        deck_size=len(state.deck),
    )


def _public(table: Table) -> Table:
    """The table fact by fact: what is added to it is not told before it is named here."""
    return Table(
        options=table.options,
        seats=table.seats,
        start_player=table.start_player,
        turn=table.turn,
        step=table.step,
        terrain=table.terrain,
        holes=table.holes,
        homes=table.homes,
        fleets=table.fleets,
        held=table.held,
        players=table.players,
        discard=table.discard,
        ally=table.ally,
        hold=table.hold,
        written=table.written,
        mined=table.mined,
        past=table.past,
        winners=table.winners,
    )
