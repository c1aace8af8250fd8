"""The lists are served and the turn runs to its end (JW-28, JW-35, JW-47).

Events, seen by everybody:
jumped           JW-28  seat, number, order, from, to, fleets, length
homeworld-moved  JW-35  seat, number (0), order, from, to
negated          JW-29 … JW-49  as in core.event, and number
"""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from adjudicator.core.document import Seat
from adjudicator.core.event import Event, negated
from adjudicator.rules.jump_wars import fight, final, victory
from adjudicator.rules.jump_wars.components import Components
from adjudicator.rules.jump_wars.serve import Fault, Verdict, serve
from adjudicator.rules.jump_wars.space import Space
from adjudicator.rules.jump_wars.state import NOTHING, Side, State, Table
from adjudicator.rules.jump_wars.written import Entry, Move, text_of

Lists = Mapping[Seat, Sequence[Entry]]
"""What every seat's list has become when it is served, in seat order."""


def adjudicate(
    state: State, lists: Lists, components: Components
) -> tuple[State, tuple[Event, ...]]:
    """Jump, fight, final phase, end of the turn."""
    table, events = jump(state.table, lists)
    state = replace(state, table=table)
    for phase in (fight.adjudicate, final.adjudicate, victory.adjudicate):
        state, more = phase(state, components)
        events += more
    return state, events


def jump(table: Table, lists: Lists) -> tuple[Table, tuple[Event, ...]]:
    """All fleets jump and all homeworlds move at the same time."""
    served = _apart({seat: serve(table, seat, entries) for seat, entries in lists.items()})
    fleets: dict[Side, dict[Space, int]] = {}
    homes = dict(table.homes)
    events = []
    for seat, verdicts in served.items():
        stacks = dict(table.fleets.get(seat, NOTHING))
        for verdict in verdicts:
            if verdict.fault is None:
                _carry_out(seat, verdict, stacks, homes)
            events.append(_told(table, seat, verdict))
        fleets[seat] = {space: number for space, number in stacks.items() if number}
    return replace(table, fleets={**table.fleets, **fleets}, homes=homes), tuple(events)


def _apart(served: Mapping[Seat, Sequence[Verdict]]) -> Mapping[Seat, Sequence[Verdict]]:
    """JW-35: where two homeworlds would enter one space, neither moves."""
    entered = [
        verdict.order.target
        for verdicts in served.values()
        for verdict in verdicts
        if isinstance(verdict.order, Move) and verdict.fault is None
    ]
    if len(entered) == len(set(entered)):
        return served
    return {
        seat: tuple(_blocked(verdict, entered) for verdict in verdicts)
        for seat, verdicts in served.items()
    }


def _blocked(verdict: Verdict, entered: Sequence[Space]) -> Verdict:
    order = verdict.order
    if not isinstance(order, Move) or verdict.fault or entered.count(order.target) == 1:
        return verdict
    why = f"Another homeworld would enter {order.target} too, so neither moves."
    return replace(verdict, fault=Fault("JW-35", why))


def _carry_out(
    seat: Seat, verdict: Verdict, stacks: dict[Space, int], homes: dict[Side, Space]
) -> None:
    order = verdict.order
    if isinstance(order, Move):
        homes[seat] = order.target
        return
    stacks[order.source] -= verdict.fleets
    stacks[order.target] = stacks.get(order.target, 0) + verdict.fleets


def _told(table: Table, seat: Seat, verdict: Verdict) -> Event:
    entry, order, fault = verdict.entry, verdict.order, verdict.fault
    text = text_of(order)
    if fault:
        event = negated(seat, fault.rule, text, fault.why, seen_by=None, path=entry.path)
        return replace(event, data={**event.data, "number": entry.number})
    data: dict[str, object] = {
        "seat": seat,
        "number": entry.number,
        "order": text,
        "from": table.homes[seat] if isinstance(order, Move) else order.source,
        "to": order.target,
    }
    if isinstance(order, Move):
        return Event(kind="homeworld-moved", rule="JW-35", seen_by=None, data=data)
    data["fleets"], data["length"] = verdict.fleets, verdict.length
    return Event(kind="jumped", rule="JW-28", seen_by=None, data=data)
