"""The deal (TD-1)."""

from collections.abc import Sequence

import msgspec

from adjudicator.core.dice import Dice
from adjudicator.core.document import Document, Impossible, Seat
from adjudicator.rules.toy_duel.position.components import Box
from adjudicator.rules.toy_duel.position.state import Options, State


def deal(box: Box, options: Document, seats: Sequence[Seat], dice: Dice) -> State:
    """The state in which the first cards are owed."""
    if not 2 <= len(seats) <= 4:
        raise Impossible("seats", f"2 to 4 players can play, not {len(seats)}")
    deck, size = box.shuffled(dice), box.hand
    hands = {seat: box.in_order(deck[n * size : (n + 1) * size]) for n, seat in enumerate(seats)}
    return State(
        options=msgspec.convert(options, Options),
        seats=tuple(seats),
        hands=hands,
        deck=deck[len(seats) * size :],
        scores=dict.fromkeys(seats, 0),
    )
