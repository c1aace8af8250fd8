"""A player that needs no person."""

from adjudicator.core.dice import Dice
from adjudicator.core.document import Document, Seat
from adjudicator.rules.toy_duel.position.view import View


def bot(view: View, seat: Seat, dice: Dice) -> Document:
    """The best card; then a card of whoever holds most."""
    if view.step == "prize":
        most = max(view.hand_sizes[victim] for victim in view.victims)
        richest = [victim for victim in view.victims if view.hand_sizes[victim] == most]
        return {"from": dice.draw("bot", seat).choice(richest)}
    return {"play": view.hand[-1]}
