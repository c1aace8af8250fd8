"""The whole report/1 document: the desk's facts around the game's part (core/report.py)."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from adjudicator.core.document import Document, Seat
from adjudicator.core.report import VERSION
from adjudicator.desk.deadlines import local_text
from adjudicator.desk.ports import Kind
from adjudicator.desk.values import Game, Player, Step


def due_facts(
    step: Step, form: str, deadline: datetime | None, zone: str, *, waiting: bool
) -> Document:
    """The desk's part of `due`: the step, the form and the deadline as the reader's clock shows."""
    return {
        "step": step.name,
        "form": form,
        "deadline": local_text(deadline, zone) if deadline else None,
        "zone": zone,
        "waiting": waiting,
    }


def envelope(game: str, step: Step, after: int) -> Document:
    """The head of an order block; the key is the sender's to fill in and never archived."""
    return {"game": game, "step": step.name, "key": None, "after": after}


def form_facts(game: str, step: Step, after: int, orders: Document | None) -> Document:
    """The desk's part of `form`: the envelope, and the orders that stand (or are offered)."""
    return {"envelope": envelope(game, step, after), "orders": orders}


def names(game: Game, kind: Kind) -> dict[str, str]:
    """How every document names its game."""
    return {"id": game.id, "kind": game.kind, "title": kind.title}


def facts(
    *,
    kind: Kind,
    game: Game,
    seat: Seat | None,
    player: Player | None,
    number: int,
    step: str,
    due: Document | None,
    orders: Document | None,
    form: Document | None,
    press: Sequence[Document] = (),
) -> Document:
    """Everything in a report that the desk knows and the game does not."""
    return {
        "report": VERSION,
        "game": names(game, kind),
        "seat": seat,
        "player": player.name if player else None,
        "number": number,
        "step": step,
        "due": due,
        "orders": orders,
        "form": form,
        "press": list(press),
    }


def completed(part: Document, known: Document) -> Document:
    """The document made of the game's part and the desk's facts."""
    made = {**part, **known}
    made["over"] = part.get("over")
    made["due"] = _due(part, known["due"])
    made["orders"] = _orders(part.get("orders"), known["orders"])
    made["form"] = _form(part.get("form"), known["form"])
    if made["over"] and not made.get("events"):  # ended by votes or by the GM
        made["headline"] = made["over"]["text"]
    return made


def known_facts(document: Document) -> Document:
    """The desk's facts out of a finished document; with the game's part they make it again."""
    due, orders, form = (document.get(key) for key in ("due", "orders", "form"))
    return {
        **{key: document.get(key) for key in ("report", "game", "seat", "player", "number")},
        "step": document.get("step"),
        "due": _only(due, ("step", "form", "deadline", "zone", "waiting")),
        "orders": _only(orders, ("receipt", "digest")),
        "form": _only(form, ("envelope", "orders")),
        "press": document.get("press"),
    }


def _only(value: Any, keys: Sequence[str]) -> Any:
    return None if value is None else {key: value.get(key) for key in keys}


def _due(part: Document, known: Document | None) -> Document | None:
    if known is None:
        return None
    told = part.get("due")
    what = told.get("what") if isinstance(told, Mapping) else told
    return {**known, "what": what or f"{known['form']} orders"}


def _orders(part: Any, known: Document | None) -> Document | None:
    if known is None:
        return None
    entries = part.get("entries") if isinstance(part, Mapping) else part
    return {**known, "entries": list(entries or ())}


def _form(part: Any, known: Document | None) -> Document | None:
    if known is None:
        return None
    told = part if isinstance(part, Mapping) else {}
    return {
        "comments": list(told.get("comments") or ()),
        "example": dict(told.get("example") or {}),
        **known,
    }
