"""The shipped position: five players on a hexagonal map, in the middle of their game.

seeds/jump_wars/midgame.json holds the state before a turn's plan step, and the orders of all of
the turn's steps, as bots gave them in a game with the seed that is named there.
"""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from adjudicator.adapters.data import folder
from adjudicator.core.canonical import decode
from adjudicator.core.dice import Dice, key_of, seed_from_number
from adjudicator.core.document import Document, Orders, Seat
from adjudicator.core.game import AnyRules

KIND = "jump-wars"
FILE = "jump_wars/midgame.json"


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
        return Dice(key_of(self.seed), step.step)

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
    content: Mapping[str, Any] = decode(folder("seeds").joinpath(FILE).read_bytes())
    steps = tuple(Ordered(step["step"], step["orders"]) for step in content["steps"])
    state = rules.load(content["state"])
    return Midgame(rules, seed_from_number(content["seed"]), state, steps)
