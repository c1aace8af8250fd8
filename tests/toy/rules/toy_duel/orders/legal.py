"""Random orders that keep the rules."""

from adjudicator.core.dice import Dice
from adjudicator.core.document import Document, Seat
from adjudicator.rules.toy_duel.position.view import View


def legal(view: View, seat: Seat, dice: Dice) -> Document:
    """A random card, or a random victim or none."""
    draw = dice.draw("legal", seat)
    if view.step == "prize":
        victim = draw.choice((*view.victims, None))
        return {} if victim is None else {"from": victim}
    return {"play": draw.choice(view.hand)}
