"""Whole games of Jump Gate, step by step, for tests that walk along."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.core.dice import Dice, derive_dice_key, seed_from_number
from adjudicator.core.events import Event
from adjudicator.core.game import Over
from adjudicator.rules.jump_gate.position.state import State

SECOND = "jump-gate"
FIRST = "jump-gate-2010"
LIBRARY = FolderLibrary()


class Played(Struct, frozen=True, kw_only=True):
    """One step as it was adjudicated."""

    number: int
    before: State
    orders: Mapping[str, Any]
    dice: Dice
    after: State
    events: Sequence[Event]


def begin(kind: str, seed: int, seats: Sequence[str], options: Mapping[str, Any]) -> State:
    """The state after the setup."""
    game = LIBRARY.kind(kind)
    state: State = game.rules.setup(game.options(options, seats), seats, dice_of(seed, "0-setup"))
    return state


def dice_of(seed: int, step: str) -> Dice:
    """The dice of a step of a game made from a number."""
    return Dice(derive_dice_key(seed_from_number(seed)), step)


def walk(
    kind: str,
    seed: int,
    players: int,
    options: Mapping[str, Any],
    *,
    who: str | Mapping[str, str] = "legal",
    steps: int = 1000,
) -> Iterator[Played]:
    """A game played by `legal`, `bot` or `bot:hard`, seat by seat, to its end or for so long."""
    game = LIBRARY.kind(kind)
    state = begin(kind, seed, game.seats[:players], options)
    for number in range(1, steps + 1):
        due = game.rules.due(state)
        if isinstance(due, Over):
            return
        dice = dice_of(seed, f"{number}-{state.table.step}")
        orders = {}
        for seat in due:
            name, _, strength = (who if isinstance(who, str) else who[seat]).partition(":")
            how = [strength] if strength else []
            view = game.rules.view(state, seat)
            orders[seat] = getattr(game.rules, name)(view, seat, dice, *how)
        after, events = game.rules.resolve(state, orders, dice)
        yield Played(
            number=number, before=state, orders=orders, dice=dice, after=after, events=events
        )
        state = after
