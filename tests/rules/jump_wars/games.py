"""Whole games for the tests of setup, plan and document."""

from typing import Any

import yaml

from adjudicator.core.dice import Dice, derive_dice_key, seed_from_number
from adjudicator.rules.jump_wars import GAMES
from adjudicator.rules.jump_wars.position.state import State
from tests.rules.jump_wars.tables import BOX_FILE

GAME = GAMES["jump-wars"](yaml.safe_load(BOX_FILE.read_text("utf-8")))
SEATS = ("red", "blue", "green", "yellow", "purple", "orange", "white", "black")


def dice(step: str, seed: int = 0) -> Dice:
    """The dice of a step of the game with this seed."""
    return Dice(derive_dice_key(seed_from_number(seed)), step)


def new(number: int = 3, seed: int = 0, **options: Any) -> State:
    """A game as it begins."""
    return GAME.setup(options, SEATS[:number], dice("0-setup", seed))


def given(text: str = "", **more: Any) -> State:
    """A position of three players in the plan step, as a scenario would write it."""
    document = {"seats": ["red", "blue", "green"], **(yaml.safe_load(text) or {}), **more}
    return GAME.load(document, dice("given"))


def play(state: State, orders: str | dict[str, Any], *, cut: bool = False) -> Any:
    """The state and events after the step that is due."""
    forms = yaml.safe_load(orders) if isinstance(orders, str) else orders
    return GAME.resolve(state, forms or {}, dice(state.table.step), cut=cut)
