"""The setup, which step follows which, and the plan step in its order (JW-3 to JW-13c)."""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from adjudicator.core.dice import Dice
from adjudicator.core.document import Document, Orders, Seat
from adjudicator.core.events import Event
from adjudicator.core.game import Due, Over
from adjudicator.core.tabletop import list_copies
from adjudicator.rules.jump_wars.phases import homeworlds
from adjudicator.rules.jump_wars.phases.jump import reveal, step
from adjudicator.rules.jump_wars.phases.plan import draw, production, tech, trade
from adjudicator.rules.jump_wars.phases.working_copy import Work
from adjudicator.rules.jump_wars.position.components import Components
from adjudicator.rules.jump_wars.position.state import (
    Player,
    State,
    Table,
    find_occupied_spaces,
    list_seats,
    read_options,
)

CHOOSE = "choose"


def setup(
    chosen_options: Document, seats: Sequence[Seat], dice: Dice, components: Components
) -> State:
    """Set up a new game: with homeworlds to be chosen, or with the first cards drawn."""
    seats = list_seats(seats)
    options = read_options(chosen_options, seats, components)
    choosing = options.homeworlds == CHOOSE
    levels = dict.fromkeys(components.technologies, components.start.level)
    table = Table(
        options=options,
        seats=seats,
        start_player=options.start_player or dice.draw("start player").choice(seats),
        step="homeworlds",
        homes={} if choosing else homeworlds.place_homeworlds(options, seats, dice, components),
        players=dict.fromkeys(seats, Player(levels=levels)),
        kept_out=(),
    )
    if not choosing:
        table, _deals = homeworlds.populate(table, dice, components)
    deck = dice.draw("deck").shuffled(list_copies(components.cards))
    state = State(table=table, hands=dict.fromkeys(seats, ()), deck=deck)
    return state if choosing else _begin_turn(state, dice, components, first=True)[0]


def adjudicate_plan(
    state: State, orders: Orders, dice: Dice, components: Components
) -> tuple[State, tuple[Event, ...]]:
    """Adjudicate the plan step up to the position before the jump step."""
    work = Work.from_state(state, components)
    play_plan(work, orders, dice)
    return work.make_state(state, step="jump"), tuple(work.events)


def play_plan(work: Work, orders: Orders, dice: Dice | None = None) -> None:
    """Play all parts, one after the other; without dice as far as a seat can see them."""
    draw.draw_extras(work, orders, dice)
    tech.make_raises(work, orders)
    trade.trade_goods(work, orders)
    trade.steal_card(work, orders, dice)
    trade.name_ally(work, orders)
    tech.advance_levels(work, orders)
    tech.advance_by_pairs(work, orders)
    production.mine_all(work, orders)
    production.build_fleets(work, orders)
    production.sabotage_fleets(work, orders)


BETWEEN = "draw"
"""The step of a state that was cut short before a new turn."""

_ADJUDICATE = {
    "homeworlds": homeworlds.adjudicate_homeworlds,
    "plan": adjudicate_plan,
    "jump": step.adjudicate_jump,
    "reveal": reveal.adjudicate_reveal,
}


def resolve(
    state: State, orders: Orders, dice: Dice, components: Components, *, cut: bool
) -> tuple[State, tuple[Event, ...]]:
    """Adjudicate the step that is due, and begin the next turn if it was the last."""
    state = _apply_standing(state, orders)
    opening = state.table.step == "homeworlds"
    events: tuple[Event, ...] = ()
    if state.table.step != BETWEEN:
        state, events = _ADJUDICATE[state.table.step](state, orders, dice, components)
    if state.table.step != BETWEEN or state.table.winners is not None or cut:
        return state, events
    new_state, more = _begin_turn(state, dice, components, first=opening)
    return new_state, (*events, *more)


def due(state: State) -> Mapping[Seat, Due] | Over:
    """List who owes which form."""
    table = state.table
    if table.winners is not None:
        return Over(table.winners)
    if table.step == BETWEEN:
        return {}
    if table.step == "reveal":
        debt = Due("reveal", clock="short", counts_as_missed=False)
        # A GM's position may hold no right at all; the game must still go on.
        return dict.fromkeys(reveal.list_seats_to_ask(state) or table.seats, debt)
    return dict.fromkeys(table.seats, Due(table.step))


def _begin_turn(
    state: State, dice: Dice, components: Components, *, first: bool
) -> tuple[State, tuple[Event, ...]]:
    """Begin a turn after the last was closed (ending.py); cards are drawn (JW-14)."""
    table = state.table
    if first:
        table = replace(table, held=find_occupied_spaces(table.fleets))  # JW-52
    else:
        table = replace(table, turn=table.turn + 1)
    state = replace(state, table=table)
    work = Work.from_state(state, components)
    work.tell("turn", "JW-11", turn=table.turn)
    draw.draw_for_all(work, dice)
    return work.make_state(state, step="plan"), tuple(work.events)


def _apply_standing(state: State, orders: Orders) -> State:
    """Apply standing orders that came with the forms from now on."""
    standing = dict(state.standing)
    for seat in state.table.seats:
        new_orders = orders.get(seat, {}).get("standing")
        if new_orders:
            standing[seat] = {**standing.get(seat, {}), **new_orders}
    return replace(state, standing=standing) if standing != state.standing else state
