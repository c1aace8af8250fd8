"""The rules alone: whole games and single steps, without desk and store."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from adjudicator.cli.benching.position import Midgame
from adjudicator.core.dice import Dice, key_of, seed_from_number
from adjudicator.core.document import Document, Seat
from adjudicator.core.game import Over
from adjudicator.desk.ports import Kind

Choose = Callable[[Any, Seat, Dice], Document]


class Played(Struct, frozen=True):
    """A game that was played to its end."""

    steps: int
    turns: int


def game(kind: Kind, choose: Choose, seats: int, turn_limit: int, number: int) -> Played:
    """Play a whole game; everybody chooses from what they see. The number decides the dice."""
    rules, names = kind.rules, kind.seats[:seats]
    key = key_of(seed_from_number(number))
    options = kind.options({"turn_limit": turn_limit}, names)
    state = rules.setup(options, names, Dice(key, "0-setup"))
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
        self._position.rules.resolve(state, step.orders, self._position.dice(step))

    @property
    def orders(self) -> int:
        """How many jumps are ordered in the jump step."""
        return sum(len(form.get("jump", ())) for form in self._jump[1].orders.values())
