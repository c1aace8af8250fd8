"""Positions that a bot imagines, in which it tries its orders out.

The others are expected to order there what the normal bot would; afterwards everybody plays on
without looking ahead, for a few turns.
"""

from collections.abc import Iterator
from statistics import fmean
from typing import Any, Final

from adjudicator.core.dice import Dice
from adjudicator.core.document import Orders, Seat
from adjudicator.core.game import Over
from adjudicator.rules.jump_wars.bot.play import play
from adjudicator.rules.jump_wars.bot.style import HARD, NORMAL, Style
from adjudicator.rules.jump_wars.bot.worth import appraise
from adjudicator.rules.jump_wars.phases.turn import due, resolve
from adjudicator.rules.jump_wars.position.components import Components
from adjudicator.rules.jump_wars.position.imagining import imagine
from adjudicator.rules.jump_wars.position.state import State, View, make_view

Form = dict[str, Any]

_WORLDS: Final = 2
"""How many positions are imagined."""
_LATER: Final = 0.98
"""What the same counts a turn later: a victory now is better than one that seems safe."""


class Foresight:
    """What may come of one seat's orders in the step that is due."""

    def __init__(self, view: View, seat: Seat, dice: Dice, components: Components) -> None:
        self._seat = seat
        self._components = components
        self._key = dice.draw("bot", seat).make_key()  # nothing tells it the game's dice
        positions = [
            imagine(view, self._make_dice(world, "imagined"), components)
            for world in range(_WORLDS)
        ]
        self.worlds = [
            (state, self._predict(state, self._make_dice(world, "others")))
            for world, state in enumerate(positions)
        ]
        """Positions behind the view, each with what the others order there."""

    def _make_dice(self, world: int, step: str) -> Dice:
        return Dice(self._key, f"{world} {step}")

    def _predict(self, state: State, dice: Dice) -> Orders:
        """Predict what the others order."""
        return {
            other: play(make_view(state, other), other, dice, NORMAL, self._components)
            for other in state.table.seats
            if other != self._seat
        }

    def appraise(self, form: Form, turns: int) -> float:
        """Appraise what comes of a form after so many turns, this one included."""
        return fmean(
            self._value(self._play_on(state, turns, world), world)
            for world, state in enumerate(self._try(form))
        )

    def _value(self, state: State, world: int) -> float:
        turns = state.table.turn - self.worlds[world][0].table.turn
        return appraise(state, self._seat, self._components) * _LATER**turns

    def _try(self, form: Form) -> Iterator[State]:
        """Try a form out in every imagined position."""
        for world, (state, others) in enumerate(self.worlds):
            orders = {**others, self._seat: form}
            dice = self._make_dice(world, "tried")
            yield resolve(state, orders, dice, self._components, cut=False)[0]

    def _play_on(self, state: State, turns: int, world: int) -> State:
        """Play until so many turns have gone by, or to the end."""
        step, last = 0, self.worlds[world][0].table.turn + turns
        while not isinstance(owing := due(state), Over):
            table = state.table
            if table.turn >= last and table.step == "plan":
                break
            dice = self._make_dice(world, f"later {step}")
            forms = {
                seat: play(
                    make_view(state, seat), seat, dice, self._find_style(seat), self._components
                )
                for seat in owing
            }
            state, _ = resolve(state, forms, dice, self._components, cut=False)
            step += 1
        return state

    def _find_style(self, seat: Seat) -> Style:
        return HARD if seat == self._seat else NORMAL
