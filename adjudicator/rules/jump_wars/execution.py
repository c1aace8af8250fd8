"""The lists are served and the turn runs to its end (JW-28, JW-35, JW-47).

Events, seen by everybody:
jumped           JW-28  seat, number, order, from, to, fleets, length
homeworld-moved  JW-35  seat, number (0), order, from, to
negated          JW-29 … JW-49  as in core.event, and number
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from adjudicator.core.document import Seat
from adjudicator.core.event import Event, negated
from adjudicator.rules.jump_wars import fight, final, victory
from adjudicator.rules.jump_wars.components import Components
from adjudicator.rules.jump_wars.serve import Fault, Verdict, holes_of, serve
from adjudicator.rules.jump_wars.space import Space
from adjudicator.rules.jump_wars.state import Side, State, Table, in_turn_order
from adjudicator.rules.jump_wars.written import Entry, Move, text_of

Lists = Mapping[Seat, Sequence[Entry]]
"""What every seat's list has become when it is served."""


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
    holes = holes_of(table)
    served = _apart(
        {
            seat: serve(table, seat, lists[seat], holes)
            for seat in in_turn_order(table)
            if seat in lists
        }
    )
    fleets: dict[Side, dict[Space, int]] = {}
    homes = dict(table.homes)
    events = []
    for seat, verdicts in served.items():
        stacks = dict(table.fleets.get(seat, {}))
        for verdict in verdicts:
            if verdict.fault is None:
                _carry_out(seat, verdict, stacks, homes)
            events.append(_told(table, seat, verdict))
        fleets[seat] = {space: number for space, number in stacks.items() if number}
    return replace(table, fleets={**table.fleets, **fleets}, homes=homes), tuple(events)


def _apart(
    served: Mapping[Seat, Sequence[Verdict]],
) -> Mapping[Seat, Sequence[Verdict]]:
    """JW-35: where two homeworlds would enter one space, neither moves."""
    entered = Counter(target for verdicts in served.values() for target in _moves(verdicts))
    if not entered or max(entered.values()) == 1:
        return served
    return {
        seat: tuple(_blocked(verdict, entered) for verdict in verdicts)
        for seat, verdicts in served.items()
    }


def _moves(verdicts: Iterable[Verdict]) -> Iterable[Space]:
    for verdict in verdicts:
        if isinstance(verdict.order, Move) and verdict.fault is None:
            yield verdict.order.target


def _blocked(verdict: Verdict, entered: Mapping[Space, int]) -> Verdict:
    if not isinstance(verdict.order, Move) or verdict.fault or entered[verdict.order.target] == 1:
        return verdict
    why = f"Another homeworld would enter {verdict.order.target} too, so neither moves."
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
    entry, order, text = verdict.entry, verdict.order, text_of(verdict.order)
    if verdict.fault:
        rule, why = verdict.fault.rule, verdict.fault.why
        event = negated(seat, rule, text, why, seen_by=None, path=entry.path)
        return replace(event, data={**event.data, "number": entry.number})
    moved: dict[str, object] = {
        "seat": seat,
        "number": entry.number,
        "order": text,
        "from": table.homes[seat] if isinstance(order, Move) else order.source,
        "to": order.target,
    }
    if isinstance(order, Move):
        return Event(kind="homeworld-moved", rule="JW-35", seen_by=None, data=moved)
    jumped = {**moved, "fleets": verdict.fleets, "length": verdict.length}
    return Event(kind="jumped", rule="JW-28", seen_by=None, data=jumped)
