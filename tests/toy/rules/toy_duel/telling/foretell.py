"""What a receipt can say of orders before they are adjudicated."""

from collections.abc import Sequence

from adjudicator.core.document import Document, Seat
from adjudicator.rules.toy_duel.position.components import Box
from adjudicator.rules.toy_duel.position.view import View


def foretell(box: Box, view: View, seat: Seat, orders: Document) -> Sequence[str]:
    """What the card is worth."""
    card = orders.get("play")
    if card not in view.hand or view.seat != seat:
        return []
    return [f"The {card} beats {list(box.cards).index(card)} of the others."]
