"""The game's part of a report; orders/jump_gate/report.yaml describes its data.

What `position` and the data of events hold is described in orders/jump_gate/report.yaml.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec.structs import replace

from adjudicator.core.document import Document, Seat, to_stored
from adjudicator.core.events import (
    NEGATED,
    STRUCK,
    Event,
    Reader,
    Template,
    fold_companions,
    format_count,
    format_list,
    format_rank,
    has_part,
    report_done,
    report_event,
    report_negation,
    report_scores,
    split_by_writer,
)
from adjudicator.core.memo import Latest
from adjudicator.rules.jump_gate.orders import prefill
from adjudicator.rules.jump_gate.phases.scoring import (
    find_most_markers,
    score_parts,
    score_seats,
)
from adjudicator.rules.jump_gate.phases.specials import JUMP_GATE
from adjudicator.rules.jump_gate.position.components import Components, World
from adjudicator.rules.jump_gate.position.resources import NOTHING, Resource
from adjudicator.rules.jump_gate.position.state import Table, View
from adjudicator.rules.jump_gate.telling import tables
from adjudicator.rules.jump_gate.telling.headline import PARTIES, choose_headline
from adjudicator.rules.jump_gate.telling.sentences import (
    GATE,
    NOT_TRIED,
    WORTHLESS,
    tell,
)

COMPANIONS: Final = {"drew-cards": ("drew",)}
"""Private events that name the cards of the public one before them."""

_TIES: Final = {
    False: (
        "claims, then scan markers, Jump Gate markers, fewest Black Hole markers and resources "
        "(JGA-13)"
    ),
    True: "claims, then resources and fewest Black Hole markers (JGB-11)",
}
"""What breaks a tie, by whether it is the second edition."""


def report(view: View, events: Sequence[Event], components: Components) -> Document:
    """Make the game's part of a report/1 document."""
    merged = fold_companions([one for one in events if not _is_plain(one)], COMPANIONS)
    own, rest = split_by_writer(merged, view.seat, find_writer)
    reader, over = Reader(view.seat), view.table.over
    return {
        **(
            {"standing": _describe_standing(view, view.seat, events, components)}
            if view.seat
            else {}
        ),
        "turn": f"turn {_find_turn(view, events)}",
        "headline": choose_headline(view, merged),
        "due": {"what": prefill.describe_due(view, components)},
        "over": over
        and report_scores(
            over.winners, over.scores, "with {best:point}", _TIES[components.is_second]
        ),
        "orders": {"entries": [describe_outcome(n, event) for n, event in own]},
        "events": [
            report_event(n, one, tell(one, reader), concerns=has_part(one, view.seat, PARTIES))
            for n, one in rest
        ],
        "position": _report_position(view, components),
        "sections": tables.make_sections(view, components),
        "form": prefill.offer_form(view, components),
    }


def _is_plain(event: Event) -> bool:
    """Whether a turn only begins, or ends with nothing given up: what is due says as much."""
    return event.kind == "turn" or (event.kind == "turn-ended" and not event.data["left"])


def _describe_standing(
    view: View, seat: Seat, events: Sequence[Event], components: Components
) -> str:
    """Sum up how the reader stands: `8 points, 3rd of 5; 13 with your hidden resources; 3 cards`.

    The rank is by what all can see, since nobody knows what others hide.
    """
    table, hidden_shown = view.table, view.hidden_shown
    scores = score_seats(table, components, hidden_shown)
    points = {one: sum(parts.values()) for one, parts in scores.items()}
    parts_of_sentence = [f"{format_count(points[seat], 'point')}, {format_rank(points, seat)}"]
    if view.hidden and table.over is None:
        whole = sum(score_parts(table, seat, components, view.hidden).values())
        parts_of_sentence = [
            f"{parts_of_sentence[0]} by what all can see",
            f"{whole} with your hidden resources",
        ]
    parts_of_sentence.append(format_count(view.hand_sizes[seat], "card"))
    return "; ".join([*parts_of_sentence, *_explain_fall(table, seat, events)])


def _explain_fall(table: Table, seat: Seat, events: Sequence[Event]) -> Iterator[str]:
    """Explain points that the reader has lost without having done anything."""
    before = Counter(table.jump_gate)
    for event in events:
        facts = event.data
        if event.kind == "jumped" and facts["marker"]:
            before[facts["seat"]] -= 1
        elif event.kind == "records-lost" and facts["origin"] == JUMP_GATE:
            before[facts["player"]] += 1
        elif (event.kind, facts.get("player")) == ("records-lost", seat):
            sentence = f"your points fell by a scan marker at {facts['origin']} (JGA-9)"
            yield from [sentence] if facts["origin"] in table.planets else []
    now = find_most_markers(table.jump_gate)
    if seat in find_most_markers(before) and seat not in now:
        most = format_list(list(now)) or "nobody"
        yield f"your points fell, as {most} has most markers on {GATE} now (JGA-12)"


def _find_turn(view: View, events: Sequence[Event]) -> int:
    """Find the turn to report: the one that ended, when a new one has just begun."""
    turns = [event.data["turn"] for event in events if event.kind == "turn-ended"]
    return turns[-1] if turns else view.table.turn


def _report_position(view: View, components: Components) -> Document:
    sizes = view.hand_sizes, view.hidden_sizes
    public = _report_public(view.table, *sizes, view.hidden_shown, view.deck_size, components)
    if view.seat is None:
        return public
    below = to_stored(view.face_down)
    return {**public, "hand": list(view.hand), "hidden": list(view.hidden), "below": below}


@Latest
def _report_public(
    table: Table,
    hand_sizes: Mapping[Seat, int],
    hidden_sizes: Mapping[Seat, int],
    hidden_shown: Mapping[Seat, Sequence[Resource]],
    deck: int,
    components: Components,
) -> Document:
    """Report the public position (the same for every reader)."""
    return {
        "edition": components.kind,
        "turn": table.turn,
        "step": table.step,
        "active": table.active,
        "actions_left": table.actions_left,
        "ring": list(table.ring),
        "planets": {
            planet: {
                **to_stored(table.planets[planet]),
                "codes": _report_codes(components.worlds[planet]),
            }
            for planet in table.ring
        },
        "ships": {
            seat: {"at": ship.at or "gate", "landed": ship.landed}
            for seat, ship in table.ships.items()
        },
        "collected": to_stored(table.collected),
        "black_hole": dict(table.black_hole),
        "jump_gate": dict(table.jump_gate),
        "hand_sizes": dict(hand_sizes),
        "hidden_sizes": dict(hidden_sizes),
        "hand": None,
        "hidden": None,
        "below": {},
        "hidden_shown": to_stored(hidden_shown),
        "deck": deck,
        "discard": list(table.discard),
        "final_turns": list(table.final_turns),
        "awaiting": to_stored(table.awaiting),
        "scores": score_seats(table, components, hidden_shown),
        "black_hole_end": components.constants.black_hole_end.markers,
        "moves": [
            {"seat": one.seat, "from": one.origin or "gate", "to": one.to or "gate"}
            for one in table.moves
        ],
    }


def _report_codes(world: World) -> Mapping[str, Any]:
    return {"jump": world.jump, "scan": world.scan, "land": list(world.land)}


_SPECIAL: Final = "JGA-9"
"""The effect of a special action is an event; the action itself is the order."""


def find_writer(event: Event) -> Seat | None:
    """Find the seat whose action the event is the outcome of; None for what an action caused."""
    own = event.kind in (NEGATED, STRUCK) or event.kind in _ACTIONS
    if event.kind == "collected":
        own = event.data["how"] == "harvest"
    elif event.kind in ("scanned", "landed"):
        own = event.rule != _SPECIAL
    seat: Seat | None = event.data["seat"] if own else None
    return seat


def describe_outcome(number: int, event: Event) -> Document:
    """Make the entry under `orders` of a report; the number is that of the event."""
    if event.kind == NEGATED:
        return report_negation(number, event)
    if event.kind == STRUCK:
        why = f"Not tried: {NOT_TRIED[event.data['why']]}."
        return {**report_negation(number, event, "struck"), "why": why}
    if event.data.get("turned") == NOTHING:
        event = replace(event, data={**event.data, "turned": WORTHLESS})
    return report_done(number, event, _ACTIONS[event.kind], Reader(None))


_ACTIONS: Final[Mapping[str, Template]] = {
    "flew": "fly from {origin} to {to}",
    "jumped": ("jump from {origin:|the Jump Gate} to {to}", " with {cards:and}"),
    "special": ("{special}", " with {cards:and}"),
    "scanned": ("scan {at}", " with {cards:and}", ": turned up {turned}"),
    "marked": "mark {resource} at {at}",
    "landed": ("land on {at}", " with {cards:and}"),
    "collected": ("harvest {resource} at {at}", " with {cards:and}"),
    "researched": ("research", ", discarding {cards:and}"),
    "returned": "return to orbit at {at}",
}
