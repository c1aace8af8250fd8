"""What became of the reader's own orders, each in a few words: the first block of a report."""

from collections.abc import Callable, Mapping
from typing import Final

from adjudicator.core.document import Document, Seat
from adjudicator.core.events import NEGATED, Event, Facts, format_count
from adjudicator.core.finding import path_text
from adjudicator.rules.jump_drive.telling.sentences import Reader, describe_price


def find_writer(event: Event) -> Seat | None:
    """Whose order the event is the outcome of; None when it is nobody's."""
    seat: Seat | None = None
    if event.kind == NEGATED or event.kind in _ORDERS:
        seat = event.data["seat"]
    return seat


def describe_outcome(number: int, event: Event, reader: Reader) -> Document:
    """The entry under `orders` of a report; the number is that of the event."""
    facts = event.data
    told = {"n": number, "rule": event.rule}
    if event.kind == NEGATED:
        path = path_text(tuple(facts["path"]))
        text, why = facts["order"], facts["why"]
        return {**told, "text": text, "outcome": "negated", "why": why, "path": path}
    text = _ORDERS[event.kind](facts, reader)
    return {**told, "text": text, "outcome": "done", "why": None}


def _developed(facts: Facts, reader: Reader) -> str:
    return f"{reader.card(facts['card'])} {describe_price(facts['cost'])}{_paid(facts, reader)}"


def _paid(facts: Facts, reader: Reader) -> str:
    if facts.get("both"):
        return f"; for both {reader.cards(facts['named'])}"
    return f": {reader.cards(facts['named'])}" if facts.get("named") else ""


def _settled(facts: Facts, reader: Reader) -> str:
    card = reader.card(facts["card"])
    by = f" by {reader.card(facts['by'])}" if facts.get("by") else ""
    if facts["cost"] is None:
        left = "left" if by else "in all"
        strength = f"conquered, strength {facts['strength']} {left}"
        paid = _paid(facts, reader).replace(": ", "; discarded ", 1)
        return f"{card}{by}, {strength}{paid}"
    return f"{card}{by} {describe_price(facts['cost'])}{_paid(facts, reader)}"


def _passed(_: Facts, __: Reader) -> str:
    return "no second world"


def _explored(facts: Facts, reader: Reader) -> str:
    drawn = f", {format_count(facts['number'], 'card')} drawn"
    return f"explore{drawn}{_paid(facts, reader)}"


def _discarded(facts: Facts, reader: Reader) -> str:
    return f"discard {format_count(facts['number'], 'card')}{_paid(facts, reader)}"


_ORDERS: Final[Mapping[str, Callable[[Facts, Reader], str]]] = {
    "developed": _developed,
    "settled": _settled,
    "settled-second": _settled,
    "passed": _passed,
    "explored": _explored,
    "discarded": _discarded,
}
