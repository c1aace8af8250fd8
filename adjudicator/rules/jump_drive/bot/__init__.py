"""Bots of three strengths; each of them sees what its seat sees."""

from typing import Any

from adjudicator.core.dice import Dice
from adjudicator.core.document import Seat
from adjudicator.core.game import Strength
from adjudicator.rules.jump_drive.bot import easy, hard, normal
from adjudicator.rules.jump_drive.bot.almanac import Almanac
from adjudicator.rules.jump_drive.position.state import View


def bot(view: View, seat: Seat, dice: Dice, almanac: Almanac, strength: Strength) -> dict[str, Any]:
    """Choose orders for the form that is due."""
    if strength == "hard":
        return hard.bot(view, seat, dice, almanac)
    if strength == "easy":
        return easy.bot(view, seat, almanac.components)
    return normal.bot(view, seat, almanac.components)
