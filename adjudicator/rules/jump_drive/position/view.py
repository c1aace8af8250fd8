"""What a seat may know, built from nothing (rulebook, "What a player may see")."""

from adjudicator.core.document import Seat
from adjudicator.rules.jump_drive.position.components import Components
from adjudicator.rules.jump_drive.position.counting import cards_to_discard
from adjudicator.rules.jump_drive.position.state import State, Table, View


def view(state: State, seat: Seat | None, components: Components) -> View:
    """The view of a seat; None is somebody without a seat."""
    sizes = {other: len(state.hands[other]) for other in state.table.seats}
    public = _public(state.table)
    deck, discard = len(state.deck), len(state.discard)
    if seat is None:
        return View(table=public, seat=None, hand_sizes=sizes, deck_size=deck, discard_size=discard)
    return View(
        table=public,
        seat=seat,
        hand=state.hands[seat],
        drawn=state.drawn.get(seat, ()),
        trims=state.trims.get(seat, ()),
        hand_sizes=sizes,
        owed=_owed(state, seat, components),
        deck_size=deck,
        discard_size=discard,
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


def _public(table: Table) -> Table:
    """The table fact by fact: what is added to it is not told before it is named here."""
    return Table(
        options=table.options,
        seats=table.seats,
        round=table.round,
        step=table.step,
        dealer=table.dealer,
        empires=table.empires,
        surveyed=table.surveyed,
        vp=table.vp,
        explores=table.explores,
        idle=table.idle,
        placed=table.placed,
        asked=table.asked,
        over=table.over,
    )
