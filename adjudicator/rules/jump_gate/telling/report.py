"""The game's part of a report; orders/jump_gate/report.yaml describes its data.

What `position` and the data of events hold is described in orders/jump_gate/report.yaml.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from msgspec.structs import replace

from adjudicator.core.document import Document, Seat
from adjudicator.core.events import Event, Reader, format_count, report_event
from adjudicator.rules.jump_gate.orders import prefill
from adjudicator.rules.jump_gate.phases.scoring import score_parts
from adjudicator.rules.jump_gate.position.components import Components, Planet
from adjudicator.rules.jump_gate.position.resources import Resource
from adjudicator.rules.jump_gate.position.state import Table, View
from adjudicator.rules.jump_gate.telling import tables
from adjudicator.rules.jump_gate.telling.outcomes import describe_outcome, find_writer
from adjudicator.rules.jump_gate.telling.sentences import describe_victory, tell

COMPANIONS: Final = {"drew-cards": "drew"}
"""Private events that name the cards of the public one before them."""

_PARTIES: Final = ("seat", "player")


def report(view: View, events: Sequence[Event], components: Components) -> Document:
    """The game's part of a report/1 document."""
    told = list(enumerate(_merged(events), start=1))
    reader = Reader(view.seat)
    own = [(n, event) for n, event in told if view.seat and find_writer(event) == view.seat]
    rest = [(n, event) for n, event in told if not view.seat or find_writer(event) != view.seat]
    happened = [_happening(n, event, reader) for n, event in rest]
    return {
        "turn": f"turn {_turn(view, events)}",
        "headline": _headline(view, told, reader),
        "due": {"what": prefill.describe_due(view.table)},
        "over": _over(view),
        "orders": {"entries": [describe_outcome(n, event) for n, event in own]},
        "events": happened,
        "position": _position(view, components),
        "sections": tables.make_sections(view, components),
        "form": prefill.offer_form(view, components),
    }


def _merged(events: Iterable[Event]) -> Sequence[Event]:
    """The events, the names of cards folded into the event that they belong to."""
    merged: list[Event] = []
    for event in events:
        if merged and COMPANIONS.get(event.kind) == merged[-1].kind:
            named = list(event.data["cards"])
            merged[-1] = replace(merged[-1], data={**merged[-1].data, "named": named})
        else:
            merged.append(event)
    return merged


def _happening(number: int, event: Event, reader: Reader) -> Document:
    concerns = _concerns(event, reader.seat)
    return report_event(number, event, tell(event, reader), concerns=concerns)


def _concerns(event: Event, seat: Seat | None) -> bool:
    if seat is None:
        return False
    many = event.data.get("seats") or event.data.get("winners") or ()
    return seat in many or seat in map(event.data.get, _PARTIES)


def _turn(view: View, events: Sequence[Event]) -> int:
    """The turn that is told: the one that ended, when a new one has just begun."""
    ended = [event.data["turn"] for event in events if event.kind == "turn-ended"]
    return ended[-1] if ended else view.table.turn


_WEIGHTS: Final = (
    "won",
    "claimed",
    "landed",
    "final-turns",
    "swapped",
    "collected",
    "marked",
    "scanned",
    "records-lost",
    "warped",
    "jumped",
    "flew",
    "special",
    "returned",
    "researched",
    "asked",
    "turn-ended",
)
"""What is told in the headline: the first of these that there is."""


def _headline(view: View, told: Sequence[tuple[int, Event]], reader: Reader) -> str:
    for kind in _WEIGHTS:
        for _, event in told:
            if event.kind == kind:
                return tell(event, reader).text
    if view.table.turn == 1 and not told:
        return f"The game begins; {reader.who(view.table.active)} will have the first turn."
    return f"Nothing happened in turn {view.table.turn}."


def _over(view: View) -> Document | None:
    over = view.table.over
    if over is None:
        return None
    winners = list(over.winners)
    text = describe_victory(winners, Reader(None)) if winners else "The game is drawn."
    if winners and any(
        over.scores.values()
    ):  # nothing is scored where a game ends before its rules end it
        text = f"{text[:-1]} with {format_count(max(over.scores.values()), 'point')}."
    return {"winners": winners, "text": text}


def _position(view: View, components: Components) -> Document:
    table = view.table
    own = view.seat is not None
    return {
        "edition": components.kind,
        "turn": table.turn,
        "step": table.step,
        "active": table.active,
        "actions_left": table.actions_left,
        "ring": list(table.ring),
        "planets": {planet: _site(view, planet, components) for planet in table.ring},
        "ships": {
            seat: {"at": ship.at or "gate", "landed": ship.landed}
            for seat, ship in table.ships.items()
        },
        "collected": _lists(table.collected),
        "black_hole": dict(table.black_hole),
        "jump_gate": dict(table.jump_gate),
        "hand_sizes": dict(view.hand_sizes),
        "hidden_sizes": dict(view.hidden_sizes),
        "hand": list(view.hand) if own else None,
        "hidden": list(view.hidden) if own else None,
        "below": _lists(view.face_down),
        "hidden_shown": _lists(view.hidden_shown),
        "deck": view.deck_size,
        "discard": list(table.discard),
        "final_turns": list(table.final_turns),
        "awaiting": _awaiting(table),
        "scores": {seat: dict(score_parts(table, seat, components)) for seat in table.seats},
        "black_hole_end": components.constants.black_hole_end.markers,
        "moves": [
            {"seat": one.seat, "from": one.origin or "gate", "to": one.to or "gate"}
            for one in table.moves
        ],
    }


def _lists(cards: Mapping[str, Sequence[Resource]]) -> Mapping[str, list[Resource]]:
    return {key: list(some) for key, some in cards.items()}


def _awaiting(table: Table) -> Document | None:
    """Who is asked what, and who comes next (JG-15)."""
    waits = table.awaiting
    if waits is None:
        return None
    asked, then = list(waits.asked), list(waits.then)
    return {"what": waits.what, "at": waits.at, "asked": asked, "then": then}


def _site(view: View, planet: Planet, components: Components) -> Mapping[str, Any]:
    site, world = view.table.planets[planet], components.worlds[planet]
    return {
        "face_up": list(site.face_up),
        "face_down": site.face_down,
        "claim": site.claim,
        "marks": dict(site.marks),
        "scans": dict(site.scans),
        "codes": {"jump": world.jump, "scan": world.scan, "land": list(world.land)},
    }
