"""The deal, and the flow of a round: which step follows which (JD-1 to JD-3, JD-26)."""

from collections.abc import Mapping, Sequence

from adjudicator.core.dice import Dice
from adjudicator.core.document import Document, Orders, Seat
from adjudicator.core.events import Event
from adjudicator.core.game import Due, Over
from adjudicator.core.tabletop import list_copies, list_seats_after, remove_cards
from adjudicator.rules.jump_drive.phases import placing, round_end
from adjudicator.rules.jump_drive.phases.working_copy import Forms, Work, find_listed_discards
from adjudicator.rules.jump_drive.position.components import Components, Name
from adjudicator.rules.jump_drive.position.state import State, Table, list_seats, read_options


def setup(options: Document, seats: Sequence[Seat], dice: Dice, components: Components) -> State:
    """Make the state in which the first orders are owed; raises Impossible for bad options."""
    players = list_seats(seats)
    all_options = read_options(options, players, components)
    dealer = all_options.dealer or dice.draw("dealer").choice(players)
    deal = _deal_presets if all_options.first_game else _deal_sevens
    hands, deck = deal(players, dice, components)
    return State(
        table=Table(
            options=all_options,
            seats=players,
            step="place" if all_options.first_game else "opening",
            dealer=dealer,
            empires=dict.fromkeys(players, ()),
            vp=dict.fromkeys(players, 0),
            explores=dict.fromkeys(players, 0),
            open_discards=(),
        ),
        hands={seat: tuple(sorted(hand)) for seat, hand in hands.items()},
        deck=deck,
        discard=(),
    )


Deal = tuple[dict[Seat, tuple[Name, ...]], tuple[Name, ...]]


def _deal_sevens(seats: Sequence[Seat], dice: Dice, components: Components) -> Deal:
    deck = dice.draw("deck").shuffled(list_copies(components.deck))
    number = components.constants.dealt
    hands = {seat: deck[n * number : (n + 1) * number] for n, seat in enumerate(seats)}
    return hands, deck[len(seats) * number :]


def _deal_presets(seats: Sequence[Seat], dice: Dice, components: Components) -> Deal:
    """Deal preset hands; those that nobody gets are in the deck with the rest."""
    letters = dice.draw("presets").shuffled(components.presets)
    hands = {seat: components.presets[letter] for seat, letter in zip(seats, letters, strict=False)}
    in_hands = [card for hand in hands.values() for card in hand]
    rest = remove_cards(list_copies(components.deck), in_hands)
    return hands, dice.draw("deck").shuffled(rest)


def resolve_opening(work: Work, forms: Forms) -> None:
    """Let everybody discard the cards they named, else the program's choice (JD-31)."""
    for seat in work.table.seats:
        constants = work.components.constants
        number = constants.dealt - constants.hand
        work.discard(seat, find_listed_discards(forms, seat), number, "JD-2", "opening")


def due(state: State) -> Mapping[Seat, Due] | Over:
    """List who owes what; in the later steps of a round only those they concern."""
    table = state.table
    if table.over is not None:
        return Over(table.over.winners)
    debt = Due(table.step)
    if table.step not in ("opening", "place"):
        debt = Due(table.step, clock="short", counts_as_missed=False)
    return dict.fromkeys(list_seats_owing(table), debt)


def list_seats_owing(table: Table) -> tuple[Seat, ...]:
    """List the seats that owe orders now."""
    return table.seats if table.step in ("opening", "place") else table.asked


def resolve(
    state: State, orders: Orders, dice: Dice, components: Components, *, cut: bool
) -> tuple[State, Sequence[Event]]:
    """Adjudicate to the next point where somebody owes orders."""
    work = Work(state, components, dice)
    step = state.table.step
    if step == "opening":
        resolve_opening(work, orders)
        return work.make_state(step="place"), work.events
    if step == "trim":
        round_end.resolve_trim(work, orders)
        return _begin_next_round(work, work.table.idle, cut=cut), work.events
    if step == "place":
        placing.resolve_place(work, orders)
        choosers = placing.list_seats_choosing_later(work, orders)
        if choosers:
            return work.make_state(step="second", asked=choosers), work.events
    if step == "second":
        placing.resolve_second(work, orders)
    if step == "explore":
        placing.resolve_explore(work, orders)
    return _finish_round(work, cut=cut), work.events


def _finish_round(work: Work, *, cut: bool) -> State:
    explorers = placing.list_seats_to_discard(work)
    if explorers:
        return work.make_state(step="explore", asked=explorers)
    round_end.move_propaganda(work)
    gained = round_end.score_round(work)
    idle = 0 if gained or work.placed else work.table.idle + 1
    why = round_end.find_reason_to_end(work, idle)
    if why is not None:
        return work.make_state(idle=idle, asked=(), over=round_end.end_game(work, why))
    round_end.draw_income(work)
    round_end.trim_by_preference(work)
    owing = round_end.list_seats_over_limit(work)
    if owing:
        return work.make_state(step="trim", asked=owing, idle=idle)
    return _begin_next_round(work, idle, cut=cut)


def _begin_next_round(work: Work, idle: int, *, cut: bool) -> State:
    """Pass the dealer on (JD-3); cut short, the round is not over yet and nobody owes anything."""
    if cut:
        return work.make_state(step="trim", asked=(), idle=idle)
    dealer = list_seats_after(work.table.seats, work.table.dealer)[0]
    number = work.table.round + 1
    work.placed = {}
    work.tell("round", "JD-3", round=number, dealer=dealer)
    return work.make_state(step="place", asked=(), round=number, dealer=dealer, idle=idle)
