"""The reveal step: who may answer the revealed lists, and what it does to them (JW-46 to JW-49)."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec.structs import replace

from adjudicator.core.dice import Dice
from adjudicator.core.document import Document, Orders, Seat
from adjudicator.core.events import Event, EventLog
from adjudicator.core.finding import Finding, Grade, make_finding
from adjudicator.core.tabletop import remove_cards
from adjudicator.rules.jump_wars.phases.jump import execution
from adjudicator.rules.jump_wars.phases.jump.faults import Verdict, serve_list
from adjudicator.rules.jump_wars.position.components import Card, Components
from adjudicator.rules.jump_wars.position.order_forms import (
    Entry,
    Move,
    describe_order,
    list_entries,
    parse_jump,
)
from adjudicator.rules.jump_wars.position.state import State, Table, View, find_leader, order_seats

ESPIONAGE: Final = "espionage"
TIME_JUMP: Final = "time_jump"

OpenLists = dict[Seat, tuple[Entry, ...]]
RevealOrder = Mapping[str, Any]


def find_lists(table: Table) -> OpenLists:
    """Find the revealed lists; a seat that wrote no order has none."""
    revealed_orders = table.written or {}
    lists: OpenLists = {}
    for seat in order_seats(table):
        entries = list_entries(revealed_orders[seat]) if seat in revealed_orders else ()
        if entries:
            lists[seat] = entries
    return lists


def list_seats_to_ask(state: State) -> tuple[Seat, ...]:
    """List the seats to ask: those with rights that no standing order waives (JW-11)."""
    standing = state.standing
    return tuple(
        seat
        for seat in list_rights(state.table, state.hands)
        if standing.get(seat, {}).get("reveal") != "pass"
    )


def list_rights(table: Table, hands: Mapping[Seat, Sequence[Card]]) -> list[Seat]:
    """List who may answer the lists on the table (JW-11)."""
    revealed_orders = table.written or {}
    lists = {seat for seat, one in revealed_orders.items() if one.lists_anything}
    if not lists:
        return []
    spy = find_leader(table.players, ESPIONAGE)
    return [
        seat
        for seat in table.seats
        if (seat == spy and seat in lists)
        or (hands.get(seat) and _find_ability_fault(table, seat) is None)
    ]


def adjudicate_reveal(
    state: State, orders: Orders, _dice: Dice, components: Components
) -> tuple[State, tuple[Event, ...]]:
    """Serve the espionage, then all time jumps in seat order, then the lists (JW-47)."""
    state, lists, events = answer_lists(state, orders)
    state, more = execution.execute_lists(state, lists, components)
    return state, (*events, *more)


def answer_lists(state: State, orders: Orders) -> tuple[State, OpenLists, Sequence[Event]]:
    """Change the lists as the reveal forms say: first the espionage, then all time jumps."""
    lists, log = find_lists(state.table), EventLog()
    seats = [seat for seat in order_seats(state.table) if seat in orders]
    for seat in seats:
        wish = orders[seat].get(ESPIONAGE)
        if wish is not None:
            lists = _spy(state.table, seat, wish, lists, log)
    for seat in seats:
        wish = orders[seat].get(TIME_JUMP)
        if wish is not None:
            state, lists = _jump_in_time(state, seat, wish, lists, log)
    return state, lists, log.events


def check_reveal(view: View, seat: Seat, orders: Document) -> tuple[Finding, ...]:
    """Check what the seat can see of how its reveal form will fare."""
    table, lists = view.table, find_lists(view.table)
    findings: list[Finding] = []
    wish = orders.get(ESPIONAGE)
    if wish is not None:
        why = find_espionage_fault(table, seat, wish, lists)
        if why:
            findings.append(make_finding(Grade.DOOMED, "JW-46", why, (ESPIONAGE,)))
        else:
            before, lists = lists, rewrite_order(lists, seat, wish)
            findings += _list_findings(table, seat, before[seat], lists[seat])
    wish = orders.get(TIME_JUMP)
    if wish is not None:
        why = find_time_jump_fault(table, seat, wish, lists, view.hand)
        if why:
            findings.append(make_finding(Grade.DOOMED, "JW-49", why, (TIME_JUMP,)))
    return tuple(findings)


def find_espionage_fault(
    table: Table, seat: Seat, wish: RevealOrder, lists: OpenLists
) -> str | None:
    """Say why an order of the espionage key comes to nothing (JW-46)."""
    if find_leader(table.players, ESPIONAGE) != seat:
        return f"The espionage level of {seat} is not higher than everybody else's."
    number = wish.get("cancel")
    if number is None:
        return "It names no order to cancel."
    if _find_entry(lists, seat, number) is None:
        return f"{seat} has written no order number {number}."
    return None


def rewrite_order(lists: OpenLists, seat: Seat, wish: RevealOrder) -> OpenLists:
    """Replace an order with the new one, in its number and place (JW-46)."""
    new = wish.get("rewrite")
    order = parse_jump(new) if new is not None else None
    return _change_entry(
        lists, seat, wish["cancel"], {"order": order, "is_rewritten": new is not None}
    )


def find_time_jump_fault(
    table: Table, seat: Seat, wish: RevealOrder, lists: OpenLists, hand: Sequence[Card]
) -> str | None:
    """Say why a time jump comes to nothing (JW-49)."""
    why = _find_ability_fault(table, seat)
    if why:
        return why
    card, victim, number = wish.get("discard"), wish.get("player"), wish.get("order")
    if card not in hand:
        return f"There is no {card} card in hand." if card else "It names no card to discard."
    if victim is None or number is None:
        return "It names no order of a player."
    # An order that another time jump cancelled would have failed: it may be named.
    if _find_entry(lists, victim, number) is None:
        return f"{victim} has no order number {number}."
    return None


def _find_ability_fault(table: Table, seat: Seat) -> str | None:
    player = table.players[seat]
    if "time-jump" not in player.specials:
        return "It needs the ability time-jump."
    if "time-jump" in player.used:
        return "The time jump of this turn has been used."
    return None


def make_order_finding(
    table: Table, verdict: Verdict, *, fleets: int, spy: bool = False
) -> Finding:
    """Make the finding for an order that fails as things stand.

    `fleets` were there when the phase began; a `spy` may yet change the list (JW-46).
    """
    fault, path = verdict.fault, verdict.entry.path
    if fault is None:
        raise ValueError(f"order {verdict.entry.number} does not fail")
    if not _may_be_saved(table, verdict, fleets=fleets, spy=spy):
        return make_finding(Grade.DOOMED, fault.rule, fault.why, path)
    message = f"As things stand it will fail: {fault.why}"
    return make_finding(Grade.DOUBTFUL, fault.rule, message, path)


def _may_be_saved(table: Table, verdict: Verdict, *, fleets: int, spy: bool) -> bool:
    """Whether the order may yet hold once one before it is cancelled, leaving it fleets (JW-47)."""
    fault, order = verdict.fault, verdict.order
    if fault is None or isinstance(order, Move):
        return False
    if fault.rule == "JW-31":
        # `all` becomes fewer fleets only if an order before it is rewritten.
        return spy and order.fleets == "all"
    enough = order.fleets == "all" or order.fleets <= fleets
    jumper = any(_find_ability_fault(table, seat) is None for seat in table.seats)
    return fault.rule == "JW-32" and enough and (spy or jumper)


def count_fleets_at_start(table: Table, seat: Seat, verdict: Verdict) -> int:
    """Count the seat's fleets, when the phase began, where an order starts."""
    order = verdict.order
    return 0 if isinstance(order, Move) else table.fleets.get(seat, {}).get(order.source, 0)


def _list_findings(
    table: Table, seat: Seat, before: Sequence[Entry], after: Sequence[Entry]
) -> list[Finding]:
    """List the rewritten order's fault, and what it does to the orders after it."""
    failed = {one.entry.number for one in serve_list(table, seat, before) if one.fault}
    findings = []
    for verdict in serve_list(table, seat, after):
        entry, fault = verdict.entry, verdict.fault
        if fault is None:
            continue
        if entry.is_rewritten:
            findings.append(
                make_order_finding(
                    table, verdict, fleets=count_fleets_at_start(table, seat, verdict)
                )
            )
        elif entry.number not in failed:
            text = describe_order(verdict.order)
            why = f"Your order {entry.number}, {text}, will then fail: {fault.why}"
            findings.append(make_finding(Grade.DOUBTFUL, fault.rule, why, (ESPIONAGE, "rewrite")))
    return findings


def _spy(table: Table, seat: Seat, wish: RevealOrder, lists: OpenLists, log: EventLog) -> OpenLists:
    number, new = wish.get("cancel"), wish.get("rewrite")
    why = find_espionage_fault(table, seat, wish, lists)
    if why:
        log.negate(seat, "JW-46", f"espionage: cancel {number}", why, (ESPIONAGE,))
        return lists
    log.tell(
        "espionage",
        "JW-46",
        seat=seat,
        number=number,
        cancelled=_describe_entry(_find_entry(lists, seat, number)),
        rewritten=describe_order(parse_jump(new)) if new is not None else None,
    )
    return rewrite_order(lists, seat, wish)


def _jump_in_time(
    state: State, seat: Seat, wish: RevealOrder, lists: OpenLists, log: EventLog
) -> tuple[State, OpenLists]:
    card, victim, number = wish.get("discard"), wish.get("player"), wish.get("order")
    why = find_time_jump_fault(state.table, seat, wish, lists, state.hands[seat])
    if why:
        text = f"time_jump: discard {card}, {victim}'s order {number}"
        log.negate(seat, "JW-49", text, why, (TIME_JUMP,))
        return state, lists
    order = _describe_entry(_find_entry(lists, str(victim), number))
    log.tell(
        "time-jump", "JW-49", seat=seat, discard=card, player=victim, number=number, order=order
    )
    # the order stays in its place and is negated there (JW-47)
    lists = _change_entry(lists, str(victim), wish["order"], {"struck_by": seat})
    return _discard_card(state, seat, str(card)), lists


def _discard_card(state: State, seat: Seat, card: Card) -> State:
    return replace(
        state,
        hands={**state.hands, seat: remove_cards(state.hands[seat], (card,))},
        table=replace(state.table, discard=(*state.table.discard, card)),
    )


def _find_entry(lists: OpenLists, seat: Seat, number: int | None) -> Entry | None:
    """Find the order of this number that still stands on the list, cancelled or not."""
    for entry in lists.get(seat, ()):
        if entry.number == number and entry.order is not None:
            return entry
    return None


def _describe_entry(entry: Entry | None) -> str | None:
    return describe_order(entry.order) if entry and entry.order else None


def _change_entry(
    lists: OpenLists, seat: Seat, number: int, facts: Mapping[str, object]
) -> OpenLists:
    entries = (
        replace(entry, **facts) if entry.number == number else entry for entry in lists[seat]
    )
    return {**lists, seat: tuple(entries)}
