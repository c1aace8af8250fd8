"""The game's part of a report; orders/jump_drive/report.yaml describes its data.

What `position` and the data of events hold is described in orders/jump_drive/report.yaml.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from msgspec.structs import replace

from adjudicator.core.document import Document, Seat, to_plain
from adjudicator.core.events import Event, report_event
from adjudicator.rules.jump_drive.orders import prefill
from adjudicator.rules.jump_drive.position.components import Components
from adjudicator.rules.jump_drive.position.counting import income, others_of, points, totals
from adjudicator.rules.jump_drive.position.state import Placed, View
from adjudicator.rules.jump_drive.telling import tables
from adjudicator.rules.jump_drive.telling.outcomes import describe_outcome, find_writer
from adjudicator.rules.jump_drive.telling.sentences import Reader, describe_victory, tell

COMPANIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "drew-cards": ("drew", "explored"),
    "discarded-cards": ("discarded",),
    "paid": ("developed", "settled", "settled-second"),
}
"""Private events that name the cards of the public one before them."""

_PARTIES: Final = ("seat", "origin", "to", "dealer")


def report(view: View, events: Sequence[Event], components: Components) -> Document:
    """The game's part of a report/1 document."""
    told = list(enumerate(_merged(events), start=1))
    reader = Reader(view.seat, components)
    own = [(n, event) for n, event in told if view.seat and find_writer(event) == view.seat]
    rest = [(n, event) for n, event in told if not view.seat or find_writer(event) != view.seat]
    return {
        "turn": f"round {_round(view, events)}",
        "headline": _headline(view, [event for _, event in told], reader),
        "due": {"what": prefill.describe_due(view.table)},
        "over": _over(view, reader),
        "orders": {"entries": [describe_outcome(n, event, reader) for n, event in own]},
        "events": [_happening(n, event, reader) for n, event in rest],
        "position": _position(view, components),
        "sections": tables.make_sections(view, components),
        "form": prefill.offer_form(view, components),
    }


def _merged(events: Iterable[Event]) -> Sequence[Event]:
    """The events, the names of cards folded into the event that they belong to."""
    merged: list[Event] = []
    for event in events:
        if merged and merged[-1].kind in COMPANIONS.get(event.kind, ()):
            named: dict[str, object] = {"named": list(event.data["cards"])}
            if event.kind == "paid" and _follows_costs(merged):
                named["both"] = True
            merged[-1] = replace(merged[-1], data={**merged[-1].data, **named})
        else:
            merged.append(event)
    return merged


def _follows_costs(events: Sequence[Event]) -> bool:
    """Whether the last is a world beside a development that cost cards, too (JD-6)."""
    if len(events) < 2 or events[-1].kind != "settled" or events[-2].kind != "developed":
        return False
    before, world = events[-2].data, events[-1].data
    return bool(before["seat"] == world["seat"] and before["cost"])


def _happening(number: int, event: Event, reader: Reader) -> Document:
    concerns = _concerns(event, reader.seat)
    return report_event(number, event, tell(event, reader), concerns=concerns)


def _concerns(event: Event, seat: Seat | None) -> bool:
    if seat is None:
        return False
    return seat in event.data.get("winners", ()) or seat in map(event.data.get, _PARTIES)


def _round(view: View, events: Sequence[Event]) -> int:
    """The round that is told: the one that ended, when a new one has just begun."""
    begun = any(event.kind == "round" for event in events)
    return view.table.round - 1 if begun else view.table.round


_WEIGHTS: Final = (
    "won",
    "moved",
    "scored",
    "settled-second",
    "settled",
    "developed",
    "explored",
    "discarded",
    "passed",
)
"""What is told in the headline: the first of these that there is, the reader's own before all."""


def _headline(view: View, events: Sequence[Event], reader: Reader) -> str:
    for kind in _WEIGHTS:
        found = [event for event in events if event.kind == kind]
        if kind == "scored" and found:
            return _race(found)
        for event in sorted(found, key=lambda one: not _concerns(one, view.seat)):
            return tell(event, reader).text
    if view.table.step == "opening":
        return "The first hands are dealt; which cards do you keep?"
    return f"Round {view.table.round} begins."


def _race(scored: Sequence[Event]) -> str:
    """Who leads after a scoring."""
    totals_ = {event.data["seat"]: event.data["total"] for event in scored}
    ranked = sorted(totals_, key=lambda seat: -totals_[seat])
    return ", ".join(f"{seat} {totals_[seat]}" for seat in ranked) + " VP after this round."


def _over(view: View, reader: Reader) -> Document | None:
    over = view.table.over
    if over is None:
        return None
    winners = list(over.winners)
    text = (
        describe_victory(winners, replace(reader, seat=None)) if winners else "The game is drawn."
    )
    if winners and any(
        over.scores.values()
    ):  # nothing is scored where a game ends before its rules end it
        text = f"{text[:-1]} with {max(over.scores.values())} VP."
    return {"winners": winners, "text": text}


def _position(view: View, components: Components) -> Document:
    table = view.table
    own = view.seat is not None
    gained = totals(table.empires, components, points)
    drawn = totals(table.empires, components, income)
    return {
        "round": table.round,
        "step": table.step,
        "dealer": table.dealer,
        "empires": to_plain(table.empires),
        "vp": dict(table.vp),
        "explores": dict(table.explores),
        "surveyed": list(table.surveyed),
        "idle": table.idle,
        "placed": {seat: _placed(placed) for seat, placed in table.placed.items()},
        "asked": list(table.asked),
        "hand_sizes": dict(view.hand_sizes),
        "hand": list(view.hand) if own else None,
        "drawn": list(view.drawn) if own else None,
        "deck": view.deck_size,
        "discard": view.discard_size,
        "goal": components.constants.goal,
        "cards": _cards(table.empires, components),
        "gains": {seat: {"vp": gained[seat], "income": drawn[seat]} for seat in table.seats},
    }


def _cards(empires: Mapping[Seat, Sequence[str]], components: Components) -> Document:
    named = {seat: components.named(empire) for seat, empire in empires.items()}
    return {
        seat: [
            {
                "name": card.name,
                "vp": points(card, empire, others_of(named, seat)),
                "income": income(card, empire, others_of(named, seat)),
            }
            for card in empire
        ]
        for seat, empire in named.items()
    }


def _placed(placed: Placed) -> dict[str, Any]:
    return {key: value for key, value in to_plain(placed).items() if value}
