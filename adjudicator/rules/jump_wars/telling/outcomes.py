"""What became of the reader's own orders, each in a few words: the first block of a report."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from adjudicator.core.document import Document, Seat
from adjudicator.core.events import NEGATED, Event, Facts, format_count, format_list
from adjudicator.core.finding import path_text


def find_writer(event: Event) -> Seat | None:
    """Whose order the event is the outcome of; None when it is nobody's."""
    known = _ORDERS.get(event.kind)
    if known is None and event.kind != NEGATED:
        return None
    seat: Seat = event.data[known[0] if known else "seat"]
    return seat


def describe_outcome(number: int, event: Event) -> Document:
    """The entry under `orders` of a report; the number is that of the event."""
    facts = event.data
    told: dict[str, Any] = {"n": number, "text": _text(event), "rule": event.rule}
    if event.kind == NEGATED:
        # A time jump that comes to nothing breaks JW-49 too, but only jump orders have a number.
        outcome = "struck" if event.rule == "JW-49" and "number" in facts else "negated"
        path = path_text(tuple(facts["path"]))
        return {**told, "outcome": outcome, "why": facts["why"], "path": path}
    if event.kind == "built" and facts["asked"] != "max" and facts["asked"] > facts["fleets"]:
        why = f"{facts['asked']} were asked for; a fleet costs {facts['price']} RT."
        return {**told, "outcome": "part", "why": why}
    return {**told, "outcome": "done", "why": None}


def _text(event: Event) -> str:
    facts = event.data
    if event.kind == NEGATED:
        order: str = facts["order"]
        return _numbered(facts, order)
    return _ORDERS[event.kind][1](facts)


def _numbered(facts: Facts, order: str) -> str:
    """Jump orders with the number by which a reveal step names them (JW-46)."""
    return f"order {facts['number']}: {order}" if facts.get("number") else order


def _jumped(facts: Facts) -> str:
    return _numbered(facts, facts["order"])


def _homeworld_moved(facts: Facts) -> str:
    return f"homeworld from {facts['from']} to {facts['to']}"


def _raised(facts: Facts) -> str:
    how = "leadership" if facts["card"] is None else "cutting edge"
    return f"{how}: {facts['tech']} {facts['level']} until the turn ends"


def _advanced(facts: Facts) -> str:
    how = "pair" if facts["cards"] == 2 else "advance"
    return f"{how} {facts['tech']}: now {facts['level']}"


def _gained(facts: Facts) -> str:
    return f"advance {facts['special']}: the ability is yours"


def _traded(facts: Facts) -> str:
    goods = [f"{facts['rt']} RT"] if facts["rt"] else []
    return f"{'gift' if facts['gift'] else 'trade'} to {facts['to']}: {_given(facts, goods)}"


def _given(facts: Facts, goods: Sequence[str]) -> str:
    cards = facts.get("named") or ([format_count(facts["cards"], "card")] if facts["cards"] else [])
    return format_list([*goods, *cards])


def _stolen(facts: Facts) -> str:
    return f"steal from {facts['victim']}: {format_list(facts.get('named', ['a card']))}"


def _allied(facts: Facts) -> str:
    return f"ally this turn: {facts['who']}"


def _melted(facts: Facts) -> str:
    return f"mine with {format_list(facts['cards'])}"


def _built(facts: Facts) -> str:
    fleets = format_count(facts["fleets"], "fleet")
    return f"build at {facts['at']}: {fleets} for {facts['paid']} RT"


def _sabotaged(facts: Facts) -> str:
    return f"sabotage with {facts['card']}: 1 fleet of {facts['side']} at {facts['at']}"


def _ruins(_: Facts) -> str:
    return "progenitor ruins discarded for more cards"


def _brains(facts: Facts) -> str:
    return f"positronic brains: {facts['paid']} RT for a card"


def _espionage(facts: Facts) -> str:
    instead = f", {facts['rewritten']} instead" if facts["rewritten"] else ""
    return f"cancel order {facts['number']}, {facts['cancelled']}{instead}"


def _time_jump(facts: Facts) -> str:
    order = f"{facts['player']}'s order {facts['number']}, {facts['order']}"
    return f"time jump with {facts['discard']}: {order}"


_ORDERS: Final[Mapping[str, tuple[str, Callable[[Facts], str]]]] = {
    "jumped": ("seat", _jumped),
    "homeworld-moved": ("seat", _homeworld_moved),
    "raised": ("seat", _raised),
    "advanced": ("seat", _advanced),
    "gained": ("seat", _gained),
    "traded": ("by", _traded),
    "stolen": ("thief", _stolen),
    "allied": ("of", _allied),
    "melted": ("seat", _melted),
    "built": ("seat", _built),
    "sabotaged": ("seat", _sabotaged),
    "ruins": ("seat", _ruins),
    "brains": ("seat", _brains),
    "espionage": ("seat", _espionage),
    "time-jump": ("seat", _time_jump),
}
"""Per kind of event, which of its facts names the seat that gave the order, and the words."""
