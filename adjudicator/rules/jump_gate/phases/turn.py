"""The deal, and a turn: actions, choices that stop it, and passing it on (JG-4, JG-5, JG-15)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.core.dice import Dice
from adjudicator.core.document import Document, Orders, Seat
from adjudicator.core.events import CHOICE_FIRST, STRUCK, Event
from adjudicator.core.game import Due, Over
from adjudicator.core.tabletop import list_copies, list_seats_after
from adjudicator.rules.jump_gate.phases.editions import Edition, find_edition
from adjudicator.rules.jump_gate.phases.working_copy import Illegal, Work
from adjudicator.rules.jump_gate.position.components import Card, Components, Planet
from adjudicator.rules.jump_gate.position.order_forms import (
    Action,
    describe_action,
    parse_actions,
    parse_preferences,
)
from adjudicator.rules.jump_gate.position.resources import (
    FAME,
    NOTHING,
    Resource,
    remove_icon,
    sort_cards,
)
from adjudicator.rules.jump_gate.position.state import (
    ACTIONS,
    Move,
    Options,
    Ship,
    Site,
    Standing,
    State,
    Table,
    list_seats,
    read_options,
)

_DEALT_2010 = 1  # JGA-2


class _Deal(Struct, frozen=True, kw_only=True):
    """Where the resource cards went."""

    dealt: dict[Seat, tuple[Resource, ...]]
    face_up: dict[Planet, tuple[Resource, ...]]
    face_down: dict[Planet, tuple[Resource, ...]]


def setup(
    chosen_options: Document, seats: Sequence[Seat], dice: Dice, components: Components
) -> State:
    """Set up a new game: everybody on the Jump Gate, with five cards in hand."""
    seats = list_seats(seats, components)
    options = read_options(chosen_options, seats, components)
    ring = _deal_ring(options, len(seats), dice, components)
    deal = _deal_resources(seats, ring, dice, components)
    hands, deck = _deal_navcomp(seats, dice, components)
    nothing: dict[Seat, tuple[Resource, ...]] = dict.fromkeys(seats, ())
    table = Table(
        options=options,
        seats=seats,
        active=options.start_player or dice.draw("start player").choice(seats),
        ring=ring,
        planets={
            planet: Site(face_up=deal.face_up[planet], face_down=len(deal.face_down[planet]))
            for planet in ring
        },
        ships=dict.fromkeys(seats, Ship()),
        collected=nothing if components.is_second else deal.dealt,
        black_hole=dict.fromkeys(seats, 0),
        jump_gate=dict.fromkeys(seats, 0),
        kept_out=(),
    )
    return State(
        table=table,
        hands=hands,
        deck=deck,
        piles=deal.face_down,
        hidden=deal.dealt if components.is_second else nothing,
    )


def _deal_ring(
    options: Options, players: int, dice: Dice, components: Components
) -> tuple[Planet, ...]:
    """Deal random planets in random order (JGA-1, JGB-1)."""
    planets = dice.draw("planets").shuffled(components.worlds)
    if options.sun_dial:
        return planets
    return planets[: components.find_by_players(components.constants.planets_in_play, players)]


def _deal_resources(
    seats: Sequence[Seat], ring: Sequence[Planet], dice: Dice, components: Components
) -> _Deal:
    """Deal cards to the players, then to the planets (JGA-2, JGB-2)."""
    deck = list(dice.draw("resources").shuffled(list_copies(components.resource_cards)))
    number = _DEALT_2010
    barred = {FAME, NOTHING}
    if components.is_second:
        number = components.find_by_players(components.constants.hidden_resources, len(seats))
        barred = {FAME}
    shares: dict[Seat, tuple[Resource, ...]] = {}
    for seat in seats:
        fitting = [place for place, card in enumerate(deck) if remove_icon(card) not in barred]
        places = fitting[:number]
        shares[seat] = sort_cards(deck[place] for place in places)
        deck = [card for place, card in enumerate(deck) if place not in places]
    deck = list(dice.draw("resources", "rest").shuffled(deck))  # those replaced are among them
    piles = components.constants.resources_per_planet
    face_up: dict[Planet, tuple[Resource, ...]] = {planet: (deck.pop(0),) for planet in ring}
    rest = deck if piles is None else deck[: piles.face_down * len(ring)]
    face_down = {planet: tuple(rest[n :: len(ring)]) for n, planet in enumerate(ring)}
    return _Deal(dealt=shares, face_up=face_up, face_down=face_down)


def _deal_navcomp(
    seats: Sequence[Seat], dice: Dice, components: Components
) -> tuple[dict[Seat, tuple[Card, ...]], tuple[Card, ...]]:
    """Deal five cards each (JGA-3, JGB-3)."""
    deck = dice.draw("navcomp").shuffled(components.cards)
    size = components.constants.hand.size
    hands = {
        seat: tuple(sorted(deck[place * size : (place + 1) * size]))
        for place, seat in enumerate(seats)
    }
    return hands, deck[size * len(seats) :]


def list_moves_of_turn(before: Table, events: Iterable[Event]) -> tuple[Move, ...]:
    """List the moves of the turn that was played, including those before an interruption."""
    earlier = tuple(move for move in before.moves if move.turn == before.turn)
    return earlier + tuple(move for event in events for move in _list_moves(event, before.turn))


def _list_moves(event: Event, turn: int) -> Iterator[Move]:
    data = event.data
    if event.kind in ("flew", "jumped", "warped"):
        yield Move(turn=turn, seat=data["seat"], origin=data["origin"], to=data["to"])
    elif event.kind == "swapped":
        yield Move(turn=turn, seat=data["seat"], origin=data["there"], to=data["here"])
        yield Move(turn=turn, seat=data["player"], origin=data["here"], to=data["there"])


def due(state: State) -> Mapping[Seat, Due] | Over:
    """List who owes which form; only the first request of a turn can be missed."""
    table = state.table
    if table.over is not None:
        return Over(table.over.winners)
    if table.awaiting is not None:
        choice = Due(table.awaiting.what, clock="short", counts_as_missed=False)
        return dict.fromkeys(table.awaiting.asked, choice)
    begins = table.actions_left == ACTIONS
    if table.deadline == "kept":
        return {table.active: Due("turn", clock="kept", counts_as_missed=False)}
    return {table.active: Due("turn", counts_as_missed=begins)}


class Stop(Struct, frozen=True):
    """Where a list stopped: the number of the first entry that was not executed."""

    number: int
    fault: Illegal | None = None
    """Why that entry is not legal; None: the game stopped before it was its turn."""


def resolve(
    state: State, orders: Orders, dice: Dice, components: Components
) -> tuple[State, tuple[Event, ...]]:
    """Adjudicate the step that is due, to the next point where somebody owes orders."""
    work = Work.from_state(apply_standing(state, orders), components, dice)
    edition = find_edition(components)
    if work.awaiting is None:
        _take_turn(work, orders.get(work.active) or {}, edition)
    else:
        awaiting, work.awaiting = work.awaiting, None
        edition.resume[awaiting.what](work, awaiting, orders)
        if work.awaiting is None:
            edition.after_action(work)
        go_on(work, edition, ends=False)
    after = work.make_state()
    moves = list_moves_of_turn(state.table, work.events)
    return replace(after, table=replace(after.table, moves=moves)), tuple(work.events)


def play_actions(work: Work, form: Document, edition: Edition) -> Stop | None:
    """Execute the actions of a form as written; return where they stopped, if they did."""
    for number, action in enumerate(parse_actions(form)):
        work.entry = number
        try:
            play_action(work, action, edition)
        except Illegal as fault:
            return Stop(number, fault)
        if work.awaiting is not None or work.ended is not None:
            return Stop(number + 1)
    return None


def apply_standing(state: State, orders: Orders) -> State:
    """Apply standing orders that came with the forms from now on (JG-7)."""
    new_standing = {
        seat: merge_standing(state.standing.get(seat, Standing()), orders[seat]["standing"])
        for seat in state.table.seats
        if orders.get(seat, {}).get("standing")
    }
    both = {**state.standing, **new_standing}
    ordered = {seat: both[seat] for seat in state.table.seats if seat in both}
    return replace(state, standing=ordered) if new_standing else state


def merge_standing(before: Standing, orders: Document) -> Standing:
    """Merge more standing orders into those given before."""
    lists = {key: parse_preferences(orders.get(key)) for key in ("collect", "mark", "take")}
    more = {key: one for key, one in lists.items() if one is not None}
    return replace(before, black_hole=orders.get("black_hole") or before.black_hole, **more)


def _take_turn(work: Work, form: Document, edition: Edition) -> None:
    """Play the form; if nothing was sent, as at the deadline, the turn ends (JG-4)."""
    turn = work.turn
    stop = play_actions(work, form, edition)
    if stop is not None:
        _tell_stop(work, form, stop)
    ends = not form or (stop is None and bool(form.get("end") or form.get("pass")))
    go_on(work, edition, ends=ends)
    work.kept = work.turn == turn and work.awaiting is None and work.over is None


def play_action(work: Work, action: Action, edition: Edition) -> None:
    if work.actions_left < 1:
        raise Illegal(edition.limit, "You have no action left in this turn.")
    edition.actions[action["do"]](work, action)
    work.actions_left -= 1
    if work.awaiting is None:
        edition.after_action(work)


def _tell_stop(work: Work, form: Document, stop: Stop) -> None:
    """Record that an entry is negated and that what follows it was not tried (JG-5)."""
    first, seat = stop.number, work.active
    actions = parse_actions(form)
    why = "over" if work.ended is not None else CHOICE_FIRST
    if stop.fault is not None:
        order, path = describe_action(actions[first]), ("actions", first)
        work.negate(seat, stop.fault.rule, order, stop.fault.why, path)
        first, why = first + 1, "stopped"
    rule = "JG-15" if why == CHOICE_FIRST else "JG-5"
    rest: list[tuple[str, list[str | int]]] = [
        (describe_action(action), ["actions", number])
        for number, action in enumerate(actions)
        if number >= first
    ]
    if form.get("end"):
        rest.append(("end", ["end"]))
    for order, place in rest:
        work.tell(STRUCK, rule, seat, seat=seat, order=order, path=place, why=why)


def go_on(work: Work, edition: Edition, *, ends: bool) -> None:
    """Pass the turn on after its last action; the game may have ended."""
    if work.ended is None and work.awaiting is None and (ends or not work.actions_left):
        _pass_on(work, edition)
    if work.ended is not None:
        edition.finish(work)


def _pass_on(work: Work, edition: Edition) -> None:
    remaining = work.actions_left
    work.tell("turn-ended", edition.limit, seat=work.active, turn=work.turn, left=remaining)
    edition.after_turn(work)
    if work.ended is not None:
        return
    work.active = list_seats_after(work.seats, work.active)[0]
    work.actions_left = ACTIONS
    work.turn += 1
    work.tell("turn", "JG-4", seat=work.active, turn=work.turn)
