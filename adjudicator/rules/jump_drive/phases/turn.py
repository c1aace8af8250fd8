"""The flow of a round: which step follows, and what happens between two steps (JD-26)."""

from collections.abc import Mapping, Sequence

from adjudicator.core.dice import Dice
from adjudicator.core.document import Orders, Seat
from adjudicator.core.events import Event
from adjudicator.core.game import Due, Over
from adjudicator.rules.jump_drive.phases import explore, placing, round_end, second_worlds, setup
from adjudicator.rules.jump_drive.phases.working_copy import Work
from adjudicator.rules.jump_drive.position.components import Components
from adjudicator.rules.jump_drive.position.state import State, Table, clockwise


def due(state: State) -> Mapping[Seat, Due] | Over:
    """Who owes what; in the later steps of a round only those whom they concern."""
    table = state.table
    if table.over is not None:
        return Over(table.over.winners)
    owed = Due(table.step)
    if table.step not in ("opening", "place"):
        owed = Due(table.step, clock="short", counts_as_missed=False)
    return dict.fromkeys(seats_owing_orders(table), owed)


def seats_owing_orders(table: Table) -> tuple[Seat, ...]:
    """The seats that owe orders now."""
    return table.seats if table.step in ("opening", "place") else table.asked


def resolve(
    state: State, orders: Orders, dice: Dice, components: Components, *, cut: bool
) -> tuple[State, Sequence[Event]]:
    """Adjudicate to the next point where somebody owes orders."""
    work = Work(state, components, dice)
    step = state.table.step
    if step == "opening":
        setup.resolve_opening(work, orders)
        return work.state(step="place"), work.events
    if step == "trim":
        round_end.resolve_trim(work, orders)
        return _next_round(work, work.table.idle, cut=cut), work.events
    if step == "place":
        placing.resolve_place(work, orders)
        asked = placing.seats_choosing_later(work, orders)
        if asked:
            return work.state(step="second", asked=asked), work.events
    if step == "second":
        second_worlds.resolve_second(work, orders)
    if step == "explore":
        explore.resolve_explore(work, orders)
    return _after_placing(work, cut=cut), work.events


def _after_placing(work: Work, *, cut: bool) -> State:
    explorers = explore.seats_to_discard(work)
    if explorers:
        return work.state(step="explore", asked=explorers)
    round_end.move_propaganda(work)
    gained = round_end.score_round(work)
    idle = 0 if gained or work.placed else work.table.idle + 1
    why = round_end.find_reason_to_end(work, idle)
    if why is not None:
        return work.state(idle=idle, asked=(), over=round_end.end_game(work, why))
    round_end.draw_income(work)
    round_end.trim_by_preference(work)
    owing = round_end.seats_over_limit(work)
    if owing:
        return work.state(step="trim", asked=owing, idle=idle)
    return _next_round(work, idle, cut=cut)


def _next_round(work: Work, idle: int, *, cut: bool) -> State:
    """The dealer passes (JD-3); cut short, the round is not over yet and nobody owes anything."""
    if cut:
        return work.state(step="trim", asked=(), idle=idle)
    dealer = clockwise(work.table.seats, work.table.dealer)[0]
    number = work.table.round + 1
    work.placed = {}
    work.tell("round", "JD-3", round=number, dealer=dealer)
    return work.state(step="place", asked=(), round=number, dealer=dealer, idle=idle)
