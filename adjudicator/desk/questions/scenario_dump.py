"""Write a step of a real game as a scenario: position, orders, outcome."""

from collections.abc import Mapping
from typing import Any

from adjudicator.core.document import Document, decode
from adjudicator.core.events import NEGATED
from adjudicator.desk.model.context import Context
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.lineage import find_step
from adjudicator.desk.model.ports import Books, Library
from adjudicator.desk.model.values import Step


def dump_scenario(books: Books, library: Library, game: str, step: str) -> Document:
    """Write the scenario of a closed step; it holds all of its secrets."""
    context = Context(books, library, game)
    closed_step = _find_closed(context, step)
    assert closed_step.predecessor is not None
    assert closed_step.state is not None
    before = decode(books.step(game, closed_step.predecessor).state or b"{}")
    position, after = _dump_position(before), _dump_position(decode(closed_step.state))
    events = decode(closed_step.events)
    return {
        "scenario": f"{game}-{closed_step.name}",
        "title": f"What happened in {game}, step {closed_step.name}",
        "rules": list(dict.fromkeys(event["rule"] for event in events)),
        "game": context.game.kind,
        "seed": 0,
        "options": before.get("options", {}),
        "seats": list(context.game.seats),
        "given": position,
        "orders": {
            own.seat: decode(own.orders)
            for own in books.orders(game, closed_step.number)
            if own.executed
        },
        "expect": {
            "negated": {seat: _list_negated(events, seat) for seat in context.game.seats},
            "state": _find_changes(position, after),
        },
    }


def _find_closed(context: Context, name: str) -> Step:
    step = find_step(context.books, context.id, name)
    if not step.is_played:
        raise Refused(f"{context.id}: {step.name} was not played by orders; name another step")
    if step.state is None:
        raise Refused(f"{context.id}: {step.name} is still open; name a step that is closed")
    return step


def _dump_position(state: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in state.items() if key not in ("options", "seats")}


def _list_negated(events: list[dict[str, Any]], seat: str) -> list[str]:
    return [e["rule"] for e in events if e["kind"] == NEGATED and e["data"]["seat"] == seat]


def _find_changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """Find the changed parts; null for those removed."""
    changes: dict[str, Any] = {}
    for key in dict.fromkeys((*before, *after)):
        one, other = before.get(key), after.get(key)
        if one == other:
            continue
        if isinstance(one, Mapping) and isinstance(other, Mapping):
            changes[key] = _find_changes(one, other)
        else:
            changes[key] = other or None
    return changes
