"""The rules alone: the shipped position, whole games and single steps, without desk and store.

midgame.json holds the state before a turn's plan step, and the orders of all of
the turn's steps, as bots gave them in a game with the seed that is named there.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from adjudicator.core.dice import Dice, derive_dice_key, seed_from_number
from adjudicator.core.document import Document, Orders, Seat, decode
from adjudicator.core.game import AnyRules, Over

KIND = "jump-wars"
FILE = Path(__file__).with_name("midgame.json")


class Ordered(Struct, frozen=True):
    """A step of the turn: its name, and what everybody ordered in it."""

    step: str
    orders: Orders

    @property
    def phase(self) -> str:
        """The step's form."""
        return self.step.partition("-")[2]


class Midgame(Struct, frozen=True):
    """The position and its turn."""

    rules: AnyRules
    seed: bytes
    state: Any
    steps: tuple[Ordered, ...]

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Who plays."""
        return tuple(self.rules.dump(self.state)["seats"])

    @property
    def options(self) -> Document:
        """Under which options."""
        options: Document = self.rules.dump(self.state)["options"]
        return options

    def dice(self, step: Ordered) -> Dice:
        """The dice of a step."""
        return Dice(derive_dice_key(self.seed), step.step)

    def before(self, phase: str) -> tuple[Any, Ordered]:
        """The state in which the step of this phase begins, and the step."""
        state = self.state
        for step in self.steps:
            if step.phase == phase:
                return state, step
            state, _ = self.rules.resolve(state, step.orders, self.dice(step))
        raise KeyError(phase)


def midgame(rules: AnyRules) -> Midgame:
    """The position as shipped."""
    content: Mapping[str, Any] = decode(FILE.read_bytes())
    steps = tuple(Ordered(step["step"], step["orders"]) for step in content["steps"])
    state = rules.load(content["state"])
    return Midgame(rules, seed_from_number(content["seed"]), state, steps)


Choose = Callable[[Any, Seat, Dice], Document]


class Played(Struct, frozen=True):
    """A game that was played to its end."""

    steps: int
    turns: int


def game(
    rules: AnyRules, seats: Sequence[Seat], options: Document, choose: Choose, number: int
) -> Played:
    """Play a whole game; everybody chooses from what they see. The number decides the dice."""
    key = derive_dice_key(seed_from_number(number))
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

    def imagine(self) -> None:
        """What each player imagines when the jump step begins."""
        rules, state = self._position.rules, self._jump[0]
        for seat in self._position.seats:
            rules.imagine(rules.view(state, seat), seat, self._jump_dice)

    @property
    def orders(self) -> int:
        """How many jumps are ordered in the jump step."""
        return sum(len(form.get("jump", ())) for form in self._jump[1].orders.values())
