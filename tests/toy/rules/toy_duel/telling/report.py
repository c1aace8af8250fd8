"""The report of Toy Duel, from what its reader may know."""

from collections.abc import Sequence
from typing import Any

from adjudicator.core.events import NEGATED, Event
from adjudicator.rules.toy_duel.position.view import View
from adjudicator.rules.toy_duel.telling.sentences import describe

DUE = {"pick": "a card for round {}", "prize": "whose card to take in round {}"}


def report(view: View, events: Sequence[Event]) -> dict[str, Any]:
    """The game's part of report/1."""
    texts = [describe(event, view.seat) for event in events]
    return {
        "turn": f"round {view.round}",
        "headline": next((t for e, t in zip(events, texts, strict=True) if _big(e)), "It begins."),
        "due": None if view.winners is not None else {"what": DUE[view.step].format(view.round)},
        "over": _over(view),
        "orders": [_entry(n, e) for n, e in enumerate(_own(view, events), 1)],
        "events": [
            _event(n, e, t, view) for n, (e, t) in enumerate(zip(events, texts, strict=True), 1)
        ],
        "position": {"scores": dict(view.scores)},
        "sections": [_table(view), *_hand(view)],
        "form": _form(view),
    }


def _big(event: Event) -> bool:
    return event.kind in ("over", "scored", "tied", "took")


def _over(view: View) -> dict[str, Any] | None:
    if view.winners is None:
        return None
    return {"winners": list(view.winners), "text": f"{' and '.join(view.winners)} won."}


def _own(view: View, events: Sequence[Event]) -> list[Event]:
    acts = ("played", "took", NEGATED)
    return [e for e in events if e.kind in acts and e.data["seat"] == view.seat]


def _entry(n: int, event: Event) -> dict[str, Any]:
    if event.kind == NEGATED:
        why = {"outcome": "negated", "rule": event.rule, "why": event.data["why"]}
        return {"n": n, "text": event.data["order"], **why}
    order = f"play {event.data['card']}" if event.kind == "played" else f"from {event.data['from']}"
    return {"n": n, "text": order, "outcome": "done", "rule": event.rule, "why": None}


def _event(n: int, event: Event, words: str, view: View) -> dict[str, Any]:
    mine = view.seat in (event.data.get("seat"), event.data.get("from"))
    about = "you" if mine and view.seat else "others"
    told = {"kind": event.kind, "rule": event.rule, "about": about, "text": words}
    return {"n": n, **told, "details": [], "data": dict(event.data)}


def _table(view: View) -> dict[str, Any]:
    rows = [[s, str(view.scores[s]), str(view.hand_sizes[s])] for s in view.seats]
    words = [f"{seat}: {score} points, {cards} cards" for seat, score, cards in rows]
    columns = ["", "points", "cards"]
    return {"title": "Standings", "columns": columns, "rows": rows, "words": words}


def _hand(view: View) -> list[dict[str, Any]]:
    if view.seat is None:
        return []
    return [{"title": "Your hand", "lines": [", ".join(view.hand) or "empty"]}]


def _form(view: View) -> dict[str, Any]:
    if view.winners is not None or view.seat is None or view.scorer not in (None, view.seat):
        return {"comments": [], "example": {}}
    if view.step == "prize":
        victims = ", ".join(view.victims)
        return {
            "comments": [f"{victims} hold cards.", "`pass: yes` takes none."],
            "example": {"from": next(iter(view.victims), "")},
        }
    comments = ["Play one card.", "`pass: yes` plays your weakest card."]
    return {"comments": comments, "example": {"play": next(iter(view.hand), "")}}
