"""Random orders that keep the rules."""

from typing import Any

from adjudicator.core.dice import Dice
from adjudicator.core.document import Seat
from adjudicator.rules.jump_wars.components import Components
from adjudicator.rules.jump_wars.state import View


def legal(_view: View, _seat: Seat, _dice: Dice, _components: Components) -> dict[str, Any]:
    """The empty form, which always keeps the rules (JW-12)."""
    return {}
