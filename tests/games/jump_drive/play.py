"""Whole games of Jump Drive, step by step, for tests that walk along."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.core.dice import Dice, derive_dice_key, seed_from_number
from adjudicator.core.events import Event
from adjudicator.core.game import Over
from adjudicator.rules.jump_drive.position.state import State, View

KIND = FolderLibrary().kind("jump-drive")
RULES = KIND.rules


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
    state: State = RULES.setup(KIND.options(options, seats), seats, dice_of(seed, "0-setup"))
    return state


def dice_of(seed: int, step: str) -> Dice:
    """The dice of a step of a game made from a number."""
    return Dice(derive_dice_key(seed_from_number(seed)), step)


def choose(player: str, view: View, seat: str, dice: Dice) -> Mapping[str, Any]:
    """The orders of a player."""
    who, _, strength = player.partition(":")
    how: Any = (strength,) if strength else ()
    orders: Mapping[str, Any] = getattr(RULES, who)(view, seat, dice, *how)
    return orders


def walk(
    seed: int,
    seats: Sequence[str],
    options: Mapping[str, Any],
    *,
    players: Mapping[str, str] | None = None,
    steps: int = 1000,
) -> Iterator[Played]:
    """A game played by `legal`, `bot` or `bot:hard`, to its end or for so many steps."""
    state = begin(seed, seats, options)
    for number in range(1, steps + 1):
        due = RULES.due(state)
        if isinstance(due, Over):
            return
        dice = dice_of(seed, f"{number}-{state.table.step}")
        orders = {
            seat: choose((players or {}).get(seat, "legal"), RULES.view(state, seat), seat, dice)
            for seat in due
        }
        after, events = RULES.resolve(state, orders, dice)
        yield Played(
            number=number, before=state, orders=orders, dice=dice, after=after, events=events
        )
        state = after
