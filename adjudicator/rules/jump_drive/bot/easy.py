"""A bot that appraises as the normal one does, but looks no further than the next round."""

from typing import Any, Final

from adjudicator.core.document import Seat
from adjudicator.rules.jump_drive.bot import normal
from adjudicator.rules.jump_drive.position.components import Components
from adjudicator.rules.jump_drive.position.state import View

_SIGHT: Final = 2
"""The rounds that it looks at, wherever the game stands."""


def bot(view: View, seat: Seat, components: Components) -> dict[str, Any]:
    """Choose orders for the form that is due."""
    return normal.bot(view, seat, components, sight=_SIGHT)
