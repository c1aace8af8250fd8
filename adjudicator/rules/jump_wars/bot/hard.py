"""A bot that tries its orders out before it gives them.

All proposals are followed to the end of the turn, the most promising ones a few turns further.
How much is tried is counted, not timed: the same dice choose the same orders anywhere.
"""

from collections.abc import Sequence
from typing import Any, Final

from adjudicator.core.dice import Dice
from adjudicator.core.document import Seat
from adjudicator.rules.jump_wars.bot.foresight import Foresight
from adjudicator.rules.jump_wars.bot.play import play
from adjudicator.rules.jump_wars.bot.proposals import propose_jumps, propose_plans
from adjudicator.rules.jump_wars.bot.style import HARD
from adjudicator.rules.jump_wars.position.components import Components
from adjudicator.rules.jump_wars.position.state import View

Form = dict[str, Any]

_AHEAD: Final = 4
"""The turns that the most promising forms are followed."""
_PROMISING: Final = 8
"""So many are followed that far, and the form of the bot's own style."""


def bot(view: View, seat: Seat, dice: Dice, components: Components) -> Form:
    """Choose orders for the form that is due."""
    step = view.table.step
    if step not in ("plan", "jump"):
        return play(view, seat, dice, HARD, components)
    foresight = Foresight(view, seat, dice, components)
    if step == "plan":
        forms = propose_plans(view, seat, components)
    else:
        _, others = foresight.worlds[0]
        forms = propose_jumps(view, seat, others, components)
    return choose(forms, foresight) or {"pass": True}


def choose(forms: Sequence[Form], foresight: Foresight) -> Form:
    """Choose the form that comes out best; of equals the first."""
    if len(forms) == 1:
        return forms[0]
    soon = [foresight.appraise(form, 1) for form in forms]
    ranking = sorted(range(len(forms)), key=lambda number: -soon[number])
    promising = [forms[number] for number in sorted({0, *ranking[:_PROMISING]})]
    return max(promising, key=lambda form: foresight.appraise(form, _AHEAD))
