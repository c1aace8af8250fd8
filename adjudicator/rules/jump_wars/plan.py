"""The plan step: its parts in the order of JW-13c, each for all players before the next."""

from adjudicator.core.dice import Dice
from adjudicator.core.document import Orders
from adjudicator.core.event import Event
from adjudicator.rules.jump_wars import (
    ally,
    build,
    draw,
    mine,
    raises,
    sabotage,
    steal,
    tech,
    trade,
)
from adjudicator.rules.jump_wars.components import Components
from adjudicator.rules.jump_wars.state import State
from adjudicator.rules.jump_wars.work import Work


def adjudicate(
    state: State, orders: Orders, dice: Dice, components: Components
) -> tuple[State, tuple[Event, ...]]:
    """The position before the jump step."""
    work = Work.of_state(state, components)
    play(work, orders, dice)
    return work.state(state, step="jump"), tuple(work.events)


def foresee(work: Work, orders: Orders) -> None:
    """The same without dice: what the seat can see of it."""
    play(work, orders, None)


def play(work: Work, orders: Orders, dice: Dice | None) -> None:
    """All parts, one after the other."""
    draw.extras(work, orders, dice)
    raises.make(work, orders)
    trade.part(work, orders)
    steal.part(work, orders, dice)
    ally.part(work, orders)
    tech.advance(work, orders)
    tech.pair(work, orders)
    mine.part(work, orders)
    build.part(work, orders)
    sabotage.part(work, orders)
