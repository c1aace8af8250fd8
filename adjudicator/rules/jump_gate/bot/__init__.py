"""Bots of three strengths; each of them sees what its seat sees."""

from typing import Any

from adjudicator.core.dice import Dice
from adjudicator.core.document import Seat
from adjudicator.core.game import Strength
from adjudicator.rules.jump_gate.bot import easy, hard, normal
from adjudicator.rules.jump_gate.bot.almanac import Almanac
from adjudicator.rules.jump_gate.bot.answers import answer
from adjudicator.rules.jump_gate.position.state import View


def bot(view: View, seat: Seat, dice: Dice, almanac: Almanac, strength: Strength) -> dict[str, Any]:
    """Choose orders for the form that is due."""
    if view.table.step != "turn":
        return answer(view, seat, dice, almanac)
    if not view.table.actions_left:  # a ruling ended a question in mid-turn
        return {}
    if strength == "hard":
        return hard.bot(view, seat, dice, almanac)
    if strength == "easy":
        return easy.bot(view, seat, dice, almanac.components)
    return normal.bot(view, seat, dice, almanac)
