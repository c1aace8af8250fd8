"""Whole games of Jump Wars, step by step, for tests that walk along."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.core.dice import Dice, derive_dice_key, seed_from_number
from adjudicator.core.events import Event
from adjudicator.core.game import Over
from adjudicator.rules.jump_wars.position.state import State

KIND = FolderLibrary().kind("jump-wars")
RULES: Any = KIND.rules


class Played(Struct, frozen=True, kw_only=True):
    """One step as it was adjudicated."""

    number: int
    before: State
    orders: Mapping[str, Any]
    dice: Dice
    after: State
    events: Sequence[Event]


def begin(seed: int, seats: Sequence[str], options: Mapping[str, Any]) -> State:
    """The state after the setup."""
    return RULES.setup(KIND.options(options, seats), seats, dice_of(seed, "0-setup"))


def dice_of(seed: int, step: str) -> Dice:
    """The dice of a step of a game made from a number."""
    return Dice(derive_dice_key(seed_from_number(seed)), step)


def walk(
    seed: int,
    seats: Sequence[str],
    options: Mapping[str, Any],
    *,
    players: Mapping[str, str] | None = None,
    steps: int = 1000,
) -> Iterator[Played]:
    """A game played by `legal` or `bot`, seat by seat, to its end or for so many steps."""
    state = begin(seed, seats, options)
    for number in range(1, steps + 1):
        due = RULES.due(state)
        if isinstance(due, Over):
            return
        dice = dice_of(seed, f"{number}-{state.table.step}")
        orders = {
            seat: getattr(RULES, (players or {}).get(seat, "legal"))(
                RULES.view(state, seat), seat, dice
            )
            for seat in due
        }
        after, events = RULES.resolve(state, orders, dice)
        yield Played(
            number=number, before=state, orders=orders, dice=dice, after=after, events=events
        )
        state = after
