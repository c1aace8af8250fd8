"""Bots of three strengths, which see what their seat sees."""

from typing import Any

from adjudicator.core.dice import Dice
from adjudicator.core.document import Seat
from adjudicator.core.game import Strength
from adjudicator.rules.jump_wars.bot import hard
from adjudicator.rules.jump_wars.bot.play import play
from adjudicator.rules.jump_wars.bot.style import EASY, NORMAL
from adjudicator.rules.jump_wars.position.components import Components
from adjudicator.rules.jump_wars.position.state import View


def bot(
    view: View, seat: Seat, dice: Dice, components: Components, strength: Strength
) -> dict[str, Any]:
    """Choose orders for the form that is due."""
    if strength == "hard":
        return hard.bot(view, seat, dice, components)
    return play(view, seat, dice, EASY if strength == "easy" else NORMAL, components)
