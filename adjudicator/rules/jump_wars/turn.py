"""The flow of the game: which step follows, and what happens between two turns (JW-11)."""

from collections.abc import Mapping

from msgspec.structs import replace

from adjudicator.core.dice import Dice
from adjudicator.core.document import Orders, Seat
from adjudicator.core.event import Event
from adjudicator.core.game import Due, Over
from adjudicator.rules.jump_wars import draw, homeworlds, jump, plan, reveal
from adjudicator.rules.jump_wars.components import Components
from adjudicator.rules.jump_wars.state import State, occupied
from adjudicator.rules.jump_wars.work import Work

BETWEEN = "draw"
"""The step of a state that was cut short before a new turn."""

_ADJUDICATED = {
    "homeworlds": homeworlds.adjudicate,
    "plan": plan.adjudicate,
    "jump": jump.adjudicate,
    "reveal": reveal.adjudicate,
}


def resolve(
    state: State, orders: Orders, dice: Dice, components: Components, *, cut: bool
) -> tuple[State, tuple[Event, ...]]:
    """Adjudicates the step that is due, and begins the next turn if it was the last."""
    state = _with_standing(state, orders)
    opening = state.table.step == "homeworlds"
    events: tuple[Event, ...] = ()
    if state.table.step != BETWEEN:
        state, events = _ADJUDICATED[state.table.step](state, orders, dice, components)
    if state.table.step != BETWEEN or state.table.winners is not None or cut:
        return state, events
    begun, more = (first if opening else following)(state, dice, components)
    return begun, (*events, *more)


def due(state: State) -> Mapping[Seat, Due] | Over:
    """Who owes which form."""
    table = state.table
    if table.winners is not None:
        return Over(table.winners)
    if table.step == BETWEEN:
        return {}
    if table.step == "reveal":
        asked = Due("reveal", clock="short", counts_as_missed=False)
        # A position that a GM set up may hold no right at all; it must not stand still for that.
        return dict.fromkeys(reveal.due(state) or table.seats, asked)
    return dict.fromkeys(table.seats, Due(table.step))


def first(state: State, dice: Dice, components: Components) -> tuple[State, tuple[Event, ...]]:
    """The first turn begins; its number stands in the state already."""
    table = replace(state.table, held=occupied(state.table.fleets))  # JW-52
    return _begin(replace(state, table=table), dice, components)


def following(state: State, dice: Dice, components: Components) -> tuple[State, tuple[Event, ...]]:
    """The next turn begins; the one before has been closed (victory.py)."""
    table = replace(state.table, turn=state.table.turn + 1)
    return _begin(replace(state, table=table), dice, components)


def _begin(state: State, dice: Dice, components: Components) -> tuple[State, tuple[Event, ...]]:
    """Cards are drawn (JW-14)."""
    work = Work.of_state(state, components)
    work.tell("turn", "JW-11", turn=state.table.turn)
    draw.phase(work, dice)
    return work.state(state, step="plan"), tuple(work.events)


def _with_standing(state: State, orders: Orders) -> State:
    """Standing orders that came with the forms hold from now on."""
    standing = dict(state.standing)
    for seat in state.table.seats:
        given = orders.get(seat, {}).get("standing")
        if given:
            standing[seat] = {**standing.get(seat, {}), **given}
    return replace(state, standing=standing) if standing != state.standing else state
