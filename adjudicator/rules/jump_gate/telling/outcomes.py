"""What became of the reader's own actions, each in a few words: the first block of a report."""

from collections.abc import Callable, Mapping
from typing import Final

from adjudicator.core.document import Document, Seat
from adjudicator.core.events import NEGATED, Event, Facts, format_list
from adjudicator.core.finding import path_text
from adjudicator.rules.jump_gate.telling.sentences import NOT_TRIED, describe_place

_STRUCK: Final = "not-tried"
_SPECIAL: Final = "JGA-9"
"""What a special action did is told as a happening; the action itself is the order."""


def find_writer(event: Event) -> Seat | None:
    """Whose action the event is the outcome of; None when it is nobody's, or what an action did."""
    own = event.kind in (NEGATED, _STRUCK) or event.kind in _ACTIONS
    if event.kind == "collected":
        own = event.data["how"] == "harvest"
    elif event.kind in ("scanned", "landed"):
        own = event.rule != _SPECIAL
    seat: Seat | None = event.data["seat"] if own else None
    return seat


def describe_outcome(number: int, event: Event) -> Document:
    """The entry under `orders` of a report; the number is that of the event."""
    facts = event.data
    told = {"n": number, "rule": event.rule}
    if event.kind == NEGATED:
        path = path_text(tuple(facts["path"]))
        text, why = facts["order"], facts["why"]
        return {**told, "text": text, "outcome": "negated", "why": why, "path": path}
    if event.kind == _STRUCK:
        path, why = path_text(tuple(facts["path"])), f"Not tried: {NOT_TRIED[facts['why']]}."
        return {**told, "text": facts["order"], "outcome": "struck", "why": why, "path": path}
    return {**told, "text": _ACTIONS[event.kind](facts), "outcome": "done", "why": None}


def _flew(facts: Facts) -> str:
    return f"fly from {facts['origin']} to {facts['to']}"


def _jumped(facts: Facts) -> str:
    return f"jump from {describe_place(facts['origin'])} to {facts['to']}{_with(facts)}"


def _with(facts: Facts) -> str:
    return f" with {format_list(facts['cards'])}" if facts.get("cards") else ""


def _special(facts: Facts) -> str:
    return f"{facts['special']}{_with(facts)}"


def _scanned(facts: Facts) -> str:
    return f"scan {facts['at']}{_with(facts)}: {facts['turned']}"


def _marked(facts: Facts) -> str:
    return f"mark {facts['resource']} at {facts['at']}"


def _landed(facts: Facts) -> str:
    return f"land on {facts['at']}{_with(facts)}"


def _collected(facts: Facts) -> str:
    return f"harvest {facts['resource']} at {facts['at']}{_with(facts)}"


def _researched(facts: Facts) -> str:
    thrown = format_list(facts["cards"])
    return f"research, discarding {thrown}" if thrown else "research"


def _returned(facts: Facts) -> str:
    return f"return to orbit at {facts['at']}"


_ACTIONS: Final[Mapping[str, Callable[[Facts], str]]] = {
    "flew": _flew,
    "jumped": _jumped,
    "special": _special,
    "scanned": _scanned,
    "marked": _marked,
    "landed": _landed,
    "collected": _collected,
    "researched": _researched,
    "returned": _returned,
}
