"""The jump step: raises, then all lists are revealed (JW-11, JW-13, JW-28)."""

from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from adjudicator.core.dice import Dice
from adjudicator.core.document import Document, Orders, Seat
from adjudicator.core.events import Event, make_event
from adjudicator.core.finding import Finding, Grade, Path, make_finding
from adjudicator.core.tabletop import remove_cards
from adjudicator.rules.jump_wars.phases.jump import execution, reveal
from adjudicator.rules.jump_wars.phases.jump.faults import Verdict, serve_list
from adjudicator.rules.jump_wars.phases.jump.fight_phase import (
    find_bomb_fault,
    find_contested_spaces,
    make_combatant,
)
from adjudicator.rules.jump_wars.phases.jump.fight_rounds import fight_out
from adjudicator.rules.jump_wars.phases.plan import tech
from adjudicator.rules.jump_wars.position.components import Components
from adjudicator.rules.jump_wars.position.order_forms import (
    Entry,
    Move,
    describe_order,
    list_entries,
    parse_private,
    parse_revealed,
)
from adjudicator.rules.jump_wars.position.space import NEIGHBOURS, Space
from adjudicator.rules.jump_wars.position.state import (
    NO_PRIVATE_ORDERS,
    NOTHING,
    PrivateOrders,
    RevealedOrders,
    State,
    Table,
    View,
    find_leader,
)


def adjudicate_jump(
    state: State, orders: Orders, _dice: Dice, components: Components
) -> tuple[State, tuple[Event, ...]]:
    """Reveal the lists; stop if somebody may answer, else go on to the end of the turn."""
    state, events = tech.adjudicate_raises(state, orders, components)
    state = _lay_open(state, orders)
    if not reveal.list_seats_to_ask(state):
        state, more = execution.execute_lists(state, reveal.find_lists(state.table), components)
        return state, events + more
    state = replace(state, table=replace(state.table, step="reveal"))
    return state, (*events, _report_lists(state.table))


def _lay_open(state: State, orders: Orders) -> State:
    """Reveal every list that holds an order, without what stays private for now."""
    public: dict[Seat, RevealedOrders] = {}
    private: dict[Seat, PrivateOrders] = {}
    for seat in state.table.seats:
        if seat not in orders:
            continue
        visible, rest = parse_revealed(orders[seat]), parse_private(orders[seat])
        if visible.lists_anything:
            public[seat] = visible
        if rest != NO_PRIVATE_ORDERS:
            private[seat] = rest
    return replace(state, table=replace(state.table, written=public), kept=private)


def _report_lists(table: Table) -> Event:
    lists = {
        seat: [
            {"number": entry.number, "order": describe_order(entry.order)}
            for entry in entries
            if entry.order is not None
        ]
        for seat, entries in reveal.find_lists(table).items()
    }
    return make_event("revealed", "JW-28", orders=lists)


def check_jump(
    view: View, seat: Seat, orders: Document, components: Components
) -> tuple[Finding, ...]:
    """Check what the seat can see of how its jump form will fare; raises in the form count."""
    table, findings = tech.foresee_raises(view, seat, orders, components)
    entries = list_entries(parse_revealed(orders))
    verdicts = serve_list(table, seat, entries)
    private = parse_private(orders)
    standing = orders.get("standing") or view.standing
    spy = standing.get("reveal") != "pass" and find_leader(table.players, reveal.ESPIONAGE) == seat
    return (
        *findings,
        *_check_verdicts(table, seat, verdicts, spy=spy),
        *(_check_bombs(table, seat, entries, private) if private.fight.nova_bombs else ()),
        *(_check_discards(view, orders, private) if private.final.discard else ()),
    )


def _check_verdicts(
    table: Table, seat: Seat, verdicts: Iterable[Verdict], *, spy: bool
) -> Iterable[Finding]:
    for verdict in verdicts:
        path = verdict.entry.path
        if verdict.fault:
            fleets = reveal.count_fleets_at_start(table, seat, verdict)
            yield reveal.make_order_finding(table, verdict, fleets=fleets, spy=spy)
        elif isinstance(verdict.order, Move) and _may_clash(table, seat, verdict.order.target):
            why = f"Another homeworld may enter {verdict.order.target} too; then neither moves."
            yield make_finding(Grade.DOUBTFUL, "JW-35", why, path)


def _may_clash(table: Table, seat: Seat, target: Space) -> bool:
    beside = NEIGHBOURS[table.options.grid][target]
    return any(
        "planet-jump" in player.specials and table.homes.get(other) in beside
        for other, player in table.players.items()
        if other != seat
    )


def _check_bombs(
    table: Table, seat: Seat, entries: Sequence[Entry], private: PrivateOrders
) -> Iterable[Finding]:
    """Check bombs as things stand: if nobody else orders anything."""
    after, _ = execution.move_fleets(table, {seat: entries})
    own = Counter(after.fleets.get(seat, NOTHING))
    bombed = _count_bombed(after, seat, private)
    for place, bombs in enumerate(private.fight.nova_bombs):
        path: Path = ("fight", "nova_bombs", place)
        why = find_bomb_fault(table, seat, bombs)
        if why:
            yield make_finding(Grade.DOOMED, "JW-56", why, path)
            continue
        if own[bombs.at] < 1:
            why = (
                f"None of your fleets will stand at {bombs.at} "
                "that is not to be sacrificed already."
            )
            yield make_finding(Grade.DOUBTFUL, "JW-56", why, path)
        elif bombs.at not in bombed:
            why = f"There is no enemy at {bombs.at} yet; without a fight no bomb goes off."
            yield make_finding(Grade.DOUBTFUL, "JW-56", why, path)
        elif bombed[bombs.at] < 1:
            why = f"As things stand, the fight at {bombs.at} is over before your ships act."
            yield make_finding(Grade.DOUBTFUL, "JW-56", why, path)
        own[bombs.at] -= bombs.ships
        bombed[bombs.at] -= bombs.ships


def _count_bombed(table: Table, seat: Seat, private: PrivateOrders) -> Counter[Space]:
    """Count the seat's ships that go off in each of its fights, with these private orders."""
    state = State(table=table, hands={}, deck=(), kept={seat: private})
    spaces = {bombs.at for bombs in private.fight.nova_bombs}
    fights = {
        space: fight_out([make_combatant(state, space, side) for side in sides])
        for space, sides in find_contested_spaces(table).items()
        if space in spaces and seat in sides
    }
    return Counter({space: one.bombed_ships.get(seat, 0) for space, one in fights.items()})


def _check_discards(view: View, orders: Document, private: PrivateOrders) -> Iterable[Finding]:
    """Check the preferences of JW-59, which are no orders: missing cards are ignored."""
    hand = list(remove_cards(view.hand, orders.get("cutting_edge") or ()))
    for place, card in enumerate(private.final.discard):
        if card in hand:
            hand.remove(card)
        else:
            why = f"You will hold no {card} card by then; it will be passed over."
            yield make_finding(Grade.DOUBTFUL, "JW-59", why, ("final", "discard", place))
