"""Both editions for the tests of setup, document, check and choices."""

from typing import Any

import yaml

from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.core.dice import Dice, derive_dice_key, seed_from_number
from adjudicator.rules.jump_gate.game import JumpGate
from adjudicator.rules.jump_gate.position.state import State

LIBRARY = FolderLibrary()
SECOND = JumpGate(LIBRARY.kind("jump-gate").components())
FIRST = JumpGate(LIBRARY.kind("jump-gate-2010").components())
SEATS = ("red", "blue", "green", "yellow", "purple", "orange")
RING = "ring: [anno, cinder, waldwelt, window]\n"


def dice(step: str, seed: int = 0) -> Dice:
    """The dice of a step of the game with this seed."""
    return Dice(derive_dice_key(seed_from_number(seed)), step)


def new(game: JumpGate, players: int, seed: int = 0, **options: Any) -> State:
    """A game as it begins."""
    return game.setup(options, SEATS[:players], dice("0-setup", seed))


def given(game: JumpGate, text: str, **options: Any) -> State:
    """A position of two players, as a scenario would write it."""
    document = {"seats": ["red", "blue"], "options": options, **yaml.safe_load(RING + text)}
    return game.load(document, dice("given"))
