"""Positions that a bot imagines, and how they are played on."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.core.dice import Dice
from adjudicator.core.document import Seat
from adjudicator.rules.jump_gate.bot.almanac import Almanac
from adjudicator.rules.jump_gate.bot.options import find_best
from adjudicator.rules.jump_gate.bot.thought import Action, Thought
from adjudicator.rules.jump_gate.phases.editions import find_edition
from adjudicator.rules.jump_gate.phases.turn import go_on, play_action
from adjudicator.rules.jump_gate.phases.working_copy import Work
from adjudicator.rules.jump_gate.position.imagining import imagine
from adjudicator.rules.jump_gate.position.state import State, View

_SURE: Final = ("fly", "jump", "return-to-orbit", "harvest")
_SURE_SPECIALS: Final = ("backroom-deal", "lost-records", "wormhole")


class World(Struct, frozen=True):
    """One way in which things may lie that the view does not show."""

    state: State
    dice: Dice


class Trial(Work):
    """A position that is played on in thought: nobody is told of it."""

    def tell(self, kind: str, rule: str, /, *seen_by: Seat, **data: Any) -> None:
        """Tell nobody."""


def imagine_worlds(view: View, seat: Seat, dice: Dice, almanac: Almanac) -> Iterator[World]:
    """Imagine positions in which choices in mid-turn stop nothing (JG-7).

    Their dice are the bot's own, none of the game's.
    """
    key = dice.draw("bot", seat).make_key()
    options = replace(view.table.options, interrupts="policy")
    calm = replace(view, table=replace(view.table, options=options))
    number = 0
    while True:
        own = Dice(key, f"imagined {number}")
        yield World(imagine(calm, own, almanac.components), own)
        number += 1


def begin_trial(world: World, actions: Sequence[Action], almanac: Almanac) -> Trial:
    """Play these actions in an imagined position."""
    trial = Trial.from_state(world.state, almanac.components, world.dice)
    for action in actions:
        _play(trial, action)
    return trial


def play_on(trial: Trial, until: int, almanac: Almanac) -> None:
    """Play on at a glance until the game is over or this turn begins."""
    while trial.over is None and trial.turn < until:
        _play(trial, find_best(Thought(trial, almanac)))


def _play(trial: Trial, action: Action) -> None:
    edition = find_edition(trial.components)
    play_action(trial, action, edition)
    go_on(trial, edition, ends=False)


def is_sure(action: Action, almanac: Almanac) -> bool:
    """Whether it turns nothing up, so that the next action can be chosen before it is done."""
    if action["do"] == "special":
        return almanac.specials[action["card"]] in _SURE_SPECIALS
    return action["do"] in _SURE
