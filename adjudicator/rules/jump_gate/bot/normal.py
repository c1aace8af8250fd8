"""A bot that does what brings most at a glance: now, and with the action after it."""

from typing import Any

from adjudicator.core.dice import Dice
from adjudicator.core.document import Seat
from adjudicator.rules.jump_gate.bot.almanac import Almanac
from adjudicator.rules.jump_gate.bot.options import find_best
from adjudicator.rules.jump_gate.bot.thought import Action, Thought
from adjudicator.rules.jump_gate.bot.trial import begin_trial, imagine_worlds, is_sure
from adjudicator.rules.jump_gate.position.state import View


def bot(view: View, seat: Seat, dice: Dice, almanac: Almanac) -> dict[str, Any]:
    """Choose actions, up to one that may turn something up."""
    world = next(imagine_worlds(view, seat, dice, almanac))
    actions: list[Action] = []
    trial = begin_trial(world, actions, almanac)
    while trial.over is None and trial.turn == view.table.turn:
        actions.append(find_best(Thought(trial, almanac)))
        if not is_sure(actions[-1], almanac):
            break
        trial = begin_trial(world, actions, almanac)
    return {"actions": actions}
