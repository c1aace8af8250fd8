"""Execute the lists of jumps and run the turn to its end (JW-28, JW-35, JW-47)."""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from adjudicator.core.document import Seat
from adjudicator.core.events import Event, make_event, make_negation
from adjudicator.rules.jump_wars.phases import ending
from adjudicator.rules.jump_wars.phases.jump import fight_phase
from adjudicator.rules.jump_wars.phases.jump.faults import Fault, Verdict, serve_list
from adjudicator.rules.jump_wars.position.components import Components
from adjudicator.rules.jump_wars.position.order_forms import Entry, Move, describe_order
from adjudicator.rules.jump_wars.position.space import Space
from adjudicator.rules.jump_wars.position.state import NOTHING, Jump, Side, State, Table

Lists = Mapping[Seat, Sequence[Entry]]
"""What every seat's list has become when it is served, in seat order."""


def execute_lists(
    state: State, lists: Lists, components: Components
) -> tuple[State, tuple[Event, ...]]:
    """Execute the lists: jump, fight, final phase, end of the turn."""
    table, events = move_fleets(state.table, lists)
    state = replace(state, table=table)
    for phase in (fight_phase.adjudicate_fights, ending.enforce_hand_limits, ending.close_turn):
        state, more = phase(state, components)
        events += more
    return state, events


def move_fleets(table: Table, lists: Lists) -> tuple[Table, tuple[Event, ...]]:
    """Let all fleets jump and all homeworlds move at the same time."""
    served = _keep_apart(
        {seat: serve_list(table, seat, entries) for seat, entries in lists.items()}
    )
    fleets: dict[Side, Mapping[Space, int]] = dict(table.fleets)
    homes = dict(table.homes)
    events = []
    for seat, verdicts in served.items():
        stacks = dict(table.fleets.get(seat, NOTHING))
        for verdict in verdicts:
            order = verdict.order
            if verdict.fault is not None:
                events.append(_report_failure(seat, verdict.entry, order, verdict.fault))
            elif isinstance(order, Jump):
                source, target, number = order.source, order.target, verdict.fleets
                rest = stacks[source] - number
                if rest:
                    stacks[source] = rest
                else:
                    del stacks[source]
                stacks[target] = stacks.get(target, 0) + number
                events.append(_report_jump(seat, order, verdict))
            else:
                homes[seat] = order.target
                events.append(_report_move(seat, verdict.entry.number, table.homes[seat], order))
        fleets[seat] = stacks
    return replace(table, fleets=fleets, homes=homes), tuple(events)


def _keep_apart(served: Mapping[Seat, Sequence[Verdict]]) -> Mapping[Seat, Sequence[Verdict]]:
    """Keep homeworlds that would enter one space where they are (JW-35)."""
    entered = [
        verdicts[0].order.target  # a move is served first
        for verdicts in served.values()
        if verdicts and isinstance(verdicts[0].order, Move) and verdicts[0].fault is None
    ]
    if len(entered) < 2:
        return served
    return {
        seat: tuple(_block_move(verdict, entered) for verdict in verdicts)
        for seat, verdicts in served.items()
    }


def _block_move(verdict: Verdict, entered: Sequence[Space]) -> Verdict:
    order = verdict.order
    if not isinstance(order, Move) or verdict.fault or entered.count(order.target) == 1:
        return verdict
    why = f"Another homeworld would enter {order.target} too, so neither moves."
    return replace(verdict, fault=Fault("JW-35", why))


def _report_jump(seat: Seat, order: Jump, verdict: Verdict) -> Event:
    path = {"from": order.source, "to": order.target, "length": verdict.length}
    number, text = verdict.entry.number, describe_order(order)
    return make_event(
        "jumped", "JW-28", seat=seat, number=number, order=text, fleets=verdict.fleets, **path
    )


def _report_move(seat: Seat, number: int, source: Space, order: Move) -> Event:
    path = {"from": source, "to": order.target}
    text = describe_order(order)
    return make_event("homeworld-moved", "JW-35", seat=seat, number=number, order=text, **path)


def _report_failure(seat: Seat, entry: Entry, order: Jump | Move, fault: Fault) -> Event:
    event = make_negation(
        seat, fault.rule, describe_order(order), fault.why, seen_by=None, path=entry.path
    )
    return replace(event, data={**event.data, "number": entry.number})
