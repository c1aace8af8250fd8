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
    found = _find_closed(context, step)
    assert found.predecessor is not None
    assert found.state is not None
    before = decode(books.step(game, found.predecessor).state or b"{}")
    given, after = _dump_position(before), _dump_position(decode(found.state))
    events = decode(found.events)
    return {
        "scenario": f"{game}-{found.name}",
        "title": f"What happened in {game}, step {found.name}",
        "rules": list(dict.fromkeys(event["rule"] for event in events)),
        "game": context.game.kind,
        "seed": 0,
        "options": before.get("options", {}),
        "seats": list(context.game.seats),
        "given": given,
        "orders": {
            own.seat: decode(own.orders) for own in books.orders(game, found.number) if own.executed
        },
        "expect": {
            "negated": {seat: _list_negated(events, seat) for seat in context.game.seats},
            "state": _find_changed(given, after),
        },
    }


def _find_closed(context: Context, name: str) -> Step:
    found = find_step(context.books, context.id, name)
    if not found.is_played:
        raise Refused(f"{context.id}: {found.name} was not played by orders; name another step")
    if found.state is None:
        raise Refused(f"{context.id}: {found.name} is still open; name a step that is closed")
    return found


def _dump_position(state: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in state.items() if key not in ("options", "seats")}


def _list_negated(events: list[dict[str, Any]], seat: str) -> list[str]:
    return [e["rule"] for e in events if e["kind"] == NEGATED and e["data"]["seat"] == seat]


def _find_changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """Find the changed parts; null for those removed."""
    changed: dict[str, Any] = {}
    for key in dict.fromkeys((*before, *after)):
        one, other = before.get(key), after.get(key)
        if one == other:
            continue
        if isinstance(one, Mapping) and isinstance(other, Mapping):
            changed[key] = _find_changed(one, other)
        else:
            changed[key] = other or None
    return changed
