"""The rules alone: whole games and single steps, without desk and store."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from adjudicator.cli.benching.position import Midgame
from adjudicator.core.dice import Dice, key_of, seed_from_number
from adjudicator.core.document import Document, Seat
from adjudicator.core.game import AnyRules, Over

Choose = Callable[[Any, Seat, Dice], Document]


class Played(Struct, frozen=True):
    """A game that was played to its end."""

    steps: int
    turns: int


def game(
    rules: AnyRules, seats: Sequence[Seat], options: Document, choose: Choose, number: int
) -> Played:
    """Play a whole game; everybody chooses from what they see. The number decides the dice."""
    key = key_of(seed_from_number(number))
    state = rules.setup(options, seats, Dice(key, "0-setup"))
    steps = turns = 0
    while not isinstance(due := rules.due(state), Over):
        steps += 1
        phase = next(iter(due.values())).form
        turns += phase == "plan"
        dice = Dice(key, f"{steps}-{phase}")
        orders = {seat: choose(rules.view(state, seat), seat, dice) for seat in due}
        state, _ = rules.resolve(state, orders, dice)
    return Played(steps, turns)


class Rehearsal:
    """The steps of the shipped position, to be adjudicated as often as wanted."""

    def __init__(self, position: Midgame) -> None:
        self._position = position
        self._jump = position.before("jump")
        self._jump_dice = position.dice(self._jump[1])
        self.document: Mapping[str, Any] = position.rules.dump(self._jump[0])
        """The state in which the jump step begins."""

    def turn(self) -> None:
        """All steps of the turn."""
        position, state = self._position, self._position.state
        for step in position.steps:
            state, _ = position.rules.resolve(state, step.orders, position.dice(step))

    def jump(self) -> None:
        """The jump step, up to the next point where somebody owes orders."""
        state, step = self._jump
        self._position.rules.resolve(state, step.orders, self._jump_dice)

    @property
    def orders(self) -> int:
        """How many jumps are ordered in the jump step."""
        return sum(len(form.get("jump", ())) for form in self._jump[1].orders.values())
