"""The game's part of a report; orders/jump_drive/report.yaml describes its data.

What `position` and the data of events hold is described in orders/jump_drive/report.yaml.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

from msgspec.structs import replace

from adjudicator.core.document import Document, Seat, to_plain
from adjudicator.core.events import (
    NEGATED,
    Event,
    Facts,
    Teller,
    fold_companions,
    format_count,
    format_rank,
    has_part,
    report_done,
    report_event,
    report_negation,
    report_scores,
    split_by_writer,
)
from adjudicator.rules.jump_drive.orders import prefill
from adjudicator.rules.jump_drive.position.components import Components
from adjudicator.rules.jump_drive.position.counting import (
    Earning,
    list_earnings,
    sum_earnings,
)
from adjudicator.rules.jump_drive.position.state import View
from adjudicator.rules.jump_drive.telling import tables
from adjudicator.rules.jump_drive.telling.headline import PARTIES, choose_headline
from adjudicator.rules.jump_drive.telling.order_page import list_form_choices
from adjudicator.rules.jump_drive.telling.sentences import (
    Reader,
    describe_price,
    tell,
)

COMPANIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "drew-cards": ("drew", "explored"),
    "discarded-cards": ("discarded",),
    "paid": ("developed", "settled", "settled-second"),
}
"""Private events that name the cards of the public one before them."""

_TIES: Final = "cards in hand and to be drawn (JD-16)"


def report(view: View, events: Sequence[Event], components: Components) -> Document:
    """Make the game's part of a report/1 document."""
    merged = _mark_shared_payments(fold_companions(events, COMPANIONS))
    own, rest = split_by_writer(merged, view.seat, find_writer)
    reader, over = Reader(view.seat, components), view.table.over
    return {
        **({"standing": _describe_standing(view, view.seat, events)} if view.seat else {}),
        "turn": f"round {_find_round(view, events)}",
        "headline": choose_headline(view, merged, reader),
        "due": {"what": prefill.describe_due(view)},
        "over": over and report_scores(over.winners, over.scores, "with {best} VP", _TIES),
        "orders": {"entries": [describe_outcome(n, event, reader) for n, event in own]},
        "events": [
            report_event(n, one, tell(one, reader), concerns=has_part(one, view.seat, PARTIES))
            for n, one in rest
        ],
        "position": _report_position(view, components),
        "sections": tables.make_sections(view, components),
        "form": {**prefill.offer_form(view, components), **_offer_choices(view, components)},
    }


def _offer_choices(view: View, components: Components) -> Document:
    choices = list_form_choices(view, components)
    return {"choices": choices} if choices else {}


def _describe_standing(view: View, seat: Seat, events: Sequence[Event]) -> str:
    """Sum up how the reader stands: `9 VP (+6), 2nd of 3 by VP; 11 cards`."""
    table = view.table
    gained = [one.data for one in events if one.kind == "scored" and one.data["seat"] == seat]
    change = f" ({gained[-1]['gained']:+d})" if gained and gained[-1]["gained"] else ""
    cards = format_count(view.hand_sizes[seat], "card")
    return f"{table.vp[seat]} VP{change}, {format_rank(table.vp, seat)} by VP; {cards}"


def _mark_shared_payments(events: Sequence[Event]) -> Sequence[Event]:
    """Mark the cards of a world that paid for the development before it, too."""
    result = list(events)
    for place, (before, world) in enumerate(pairwise(events), start=1):
        follows = before.kind == "developed" and world.kind == "settled"
        if not follows or before.data["seat"] != world.data["seat"]:
            continue
        if before.data["cost"] and "named" in world.data:  # JD-6
            result[place] = replace(world, data={**world.data, "both": True})
    return result


def _find_round(view: View, events: Sequence[Event]) -> int:
    """Find the round to report: the one that ended, when a new one has just begun."""
    begins = any(event.kind == "round" for event in events)
    return view.table.round - 1 if begins else view.table.round


def _report_position(view: View, components: Components) -> Document:
    table = view.table
    own = view.seat is not None
    earnings = list_earnings(table.empires, components)
    sums = {seat: sum_earnings(earned) for seat, earned in earnings.items()}
    return {
        "round": table.round,
        "step": table.step,
        "dealer": table.dealer,
        "empires": to_plain(table.empires),
        "vp": dict(table.vp),
        "explores": dict(table.explores),
        "surveyed": list(table.surveyed),
        "idle": table.idle,
        "placed": to_plain(table.placed),
        "asked": list(table.asked),
        "hand_sizes": dict(view.hand_sizes),
        "hand": list(view.hand) if own else None,
        "drawn": list(view.drawn) if own else None,
        "deck": view.deck_size,
        "discard": view.discard_size,
        "goal": components.constants.goal,
        "cards": {seat: list(map(_report_card, earned)) for seat, earned in earnings.items()},
        "gains": {seat: {"vp": sums[seat][0], "income": sums[seat][1]} for seat in table.seats},
    }


def _report_card(earning: Earning) -> Document:
    card = earning.card
    return {
        "name": card.name,
        "type": "military" if card.is_military else card.kind,
        "cost": card.cost if card.defense is None else card.defense,
        "vp": earning.points,
        "income": earning.income,
    }


def find_writer(event: Event) -> Seat | None:
    """Find the seat whose order the event is the outcome of; None when it is nobody's."""
    seat: Seat | None = None
    if event.kind == NEGATED or event.kind in _ORDERS:
        seat = event.data["seat"]
    return seat


def describe_outcome(number: int, event: Event, reader: Reader) -> Document:
    """Make the entry under `orders` of a report; the number is that of the event."""
    if event.kind == NEGATED:
        return report_negation(number, event)
    return report_done(number, event, _ORDERS[event.kind], reader)


def _describe_payment(facts: Facts, reader: Reader) -> str:
    if facts.get("both"):
        return f"; for both {reader.name_cards(facts['named'])}"
    return f": {reader.name_cards(facts['named'])}" if facts.get("named") else ""


def _describe_settled(facts: Facts, reader: Reader) -> str:
    card = reader.name_card(facts["card"])
    by = f" by {reader.name_card(facts['by'])}" if facts.get("by") else ""
    if facts["cost"] is None:
        remark = "left" if by else "in all"
        strength = f"conquered, strength {facts['strength']} {remark}"
        payment = _describe_payment(facts, reader).replace(": ", "; discarded ", 1)
        return f"{card}{by}, {strength}{payment}"
    return f"{card}{by} {describe_price(facts['cost'])}{_describe_payment(facts, reader)}"


_ORDERS: Final[Mapping[str, Teller[Reader]]] = {
    "developed": ("{card:name} {cost:price}", ": {named:names}"),
    "settled": _describe_settled,
    "settled-second": _describe_settled,
    "passed": "no second world",
    "explored": ("explore, {number:card} drawn", ": {named:names}"),
    "discarded": ("discard {number:card}", ": {named:names}"),
}
