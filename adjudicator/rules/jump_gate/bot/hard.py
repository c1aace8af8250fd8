"""A bot that tries its best actions out in positions that it imagines.

Each imagined position gives the others hands and hidden resources, and decks and planets an order,
that agree with the view (position/imagining.py). There everybody plays on at a glance, and what is
reached is judged. The better half of the actions is tried twice as often, until one is left. How
much is tried is counted, not timed: the same dice choose the same orders anywhere.
"""

from collections.abc import Sequence
from itertools import islice
from typing import Any, Final

from adjudicator.core.dice import Dice
from adjudicator.core.document import Seat
from adjudicator.rules.jump_gate.bot import normal
from adjudicator.rules.jump_gate.bot.almanac import Almanac
from adjudicator.rules.jump_gate.bot.judgement import judge
from adjudicator.rules.jump_gate.bot.options import is_late, list_options
from adjudicator.rules.jump_gate.bot.thought import Action, Thought
from adjudicator.rules.jump_gate.bot.trial import (
    World,
    begin_trial,
    imagine_worlds,
    is_sure,
    play_on,
)
from adjudicator.rules.jump_gate.position.state import View

_TRIED: Final = 8
"""The most actions that are tried."""
_REPEATS: Final = 12
"""Positions of the first trial."""
_TURNS: Final = 12
"""Turns that are played on, those of all players together."""
_GLANCE: Final = 0.16
"""What a point of what an action brings at a glance counts beside the sum of the outcomes."""


def bot(view: View, seat: Seat, dice: Dice, almanac: Almanac) -> dict[str, Any]:
    """Choose actions, up to one that may turn something up."""
    return Search(view, seat, dice, almanac).plan(dice)


class Search:
    """What one seat tries out for its turn."""

    def __init__(self, view: View, seat: Seat, dice: Dice, almanac: Almanac) -> None:
        self._view, self._seat, self._almanac = view, seat, almanac
        self._worlds = imagine_worlds(view, seat, dice, almanac)
        self._until = view.table.turn + _TURNS

    def plan(self, dice: Dice) -> dict[str, Any]:
        """Plan the turn."""
        world = next(self._worlds)
        actions: list[Action] = []
        trial = begin_trial(world, actions, self._almanac)
        if is_late(trial):
            return normal.bot(self._view, self._seat, dice, self._almanac)
        while trial.over is None and trial.turn == self._view.table.turn:
            actions.append(self._choose(Thought(trial, self._almanac), actions))
            if not is_sure(actions[-1], self._almanac):
                break
            trial = begin_trial(world, actions, self._almanac)
        return {"actions": actions}

    def _choose(self, mind: Thought, earlier: Sequence[Action]) -> Action:
        """Choose what comes out best on average."""
        options = sorted(list_options(mind), key=lambda one: -one[0])[:_TRIED]
        outcomes = {number: _GLANCE * worth for number, (worth, _) in enumerate(options)}
        repeats = _REPEATS
        while len(outcomes) > 1:
            for world in islice(self._worlds, repeats):
                for number in outcomes:
                    outcomes[number] += self._try([*earlier, options[number][1]], world)
            ranking = sorted(outcomes, key=lambda number: -outcomes[number])
            outcomes = {number: outcomes[number] for number in ranking[: len(ranking) // 2]}
            repeats *= 2
        return options[next(iter(outcomes))][1]

    def _try(self, actions: Sequence[Action], world: World) -> float:
        """Play these actions and the turns after them; return how well that ends."""
        trial = begin_trial(world, actions, self._almanac)
        play_on(trial, self._until, self._almanac)
        return judge(trial, self._seat, self._almanac)
