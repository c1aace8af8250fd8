"""Sensible orders from the view alone."""

from typing import Any

from adjudicator.core.dice import Dice
from adjudicator.core.document import Seat
from adjudicator.rules.jump_wars.components import Components
from adjudicator.rules.jump_wars.state import View


def bot(_view: View, _seat: Seat, _dice: Dice, _components: Components) -> dict[str, Any]:
    """Holds still: nothing is ever lost by that (JW-12)."""
    return {}
