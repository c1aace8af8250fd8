"""The whole report/1 document: the desk's facts around the game's part (core/report.py)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from adjudicator.core.document import Document, Seat
from adjudicator.core.events import Event
from adjudicator.core.game import AnyRules, Due
from adjudicator.core.report import REPORT_VERSION
from adjudicator.desk.model.context import game_names
from adjudicator.desk.model.deadlines import format_local
from adjudicator.desk.model.ports import Kind
from adjudicator.desk.model.values import Game, OrderSet, Player, Step

LETTER_KEYS = ("welcome", "plans", "forecast", "alone", "subject", "notices")
"""What stands in a letter's report and not in the archive's: the opening of the first one, what
became of plans, how a forecast was made, that there is only the position, what the subject says,
and notices."""
_EVENTS: msgspec.json.Decoder[tuple[Event, ...]] = msgspec.json.Decoder(tuple[Event, ...])


def due_facts(
    step: Step | None, due: Mapping[Seat, Due], seat: Seat | None, zone: str
) -> Document | None:
    """Make the desk's part of `due`: the step, the form and the deadline by the reader's clock."""
    if step is None:
        return None
    own_due = due.get(seat) if seat else None
    return {
        "step": step.name,
        "form": own_due.form if own_due else step.phase,
        "deadline": format_local(step.deadline, zone) if step.deadline else None,
        "zone": zone,
        "waiting": own_due is not None,
    }


def report_facts(
    *,
    kind: Kind,
    game: Game,
    seat: Seat | None,
    player: Player | None,
    step: str,
    number: int = 0,
    due: Document | None = None,
    orders: Document | None = None,
    form: Document | None = None,
    press: Sequence[Document] = (),
    since: Sequence[Document] = (),
) -> Document:
    """Collect everything in a report that the desk knows and the game does not.

    What is shown as a report, but was never one, has no number.
    """
    return {
        **({"since": list(since)} if since else {}),
        "report": REPORT_VERSION,
        "game": game_names(game, kind),
        "seat": seat,
        "player": player.name if player else None,
        "number": number,
        "step": step,
        "due": due,
        "orders": orders,
        "form": form,
        "press": list(press),
    }


class ReportedStep(Struct, frozen=True, kw_only=True):
    """A step that a report tells of, as far as its reader may know."""

    before: Any
    """The view when it opened; None where no orders were executed: a deal, or an end by vote."""
    after: Any
    orders: Document | None
    events: tuple[Event, ...]


def make_game_part(
    rules: AnyRules, view: Any, seat: Seat | None, steps: Sequence[ReportedStep]
) -> Document:
    """Make the game's part, with the reader's executed orders of which no event tells.

    Numbers count as all of it is shown: own orders, what happened to the reader, then the rest.
    """
    events: list[Event] = []
    for one in steps:
        events += one.events
    part = rules.report(view, tuple(events))
    own = [*_list_entries(part), *_list_vain_orders(rules, seat, steps)]
    own_events: list[Document] = []
    others: list[Document] = []
    for event in part["events"]:
        (own_events if event.get("about") == "you" else others).append(event)
    numbered = [{**one, "n": n} for n, one in enumerate((*own, *own_events, *others), start=1)]
    entries, events_part = numbered[: len(own)], numbered[len(own) :]
    return {**part, "events": events_part, "orders": {"entries": entries}}


def _list_vain_orders(
    rules: AnyRules, seat: Seat | None, steps: Sequence[ReportedStep]
) -> Iterator[Document]:
    """List the orders of each step that neither happened nor failed."""
    finder = getattr(rules, "list_vain_orders", None)
    for one in steps if finder and seat else ():
        if finder and one.before is not None:
            yield from finder(one.before, one.after, seat, one.orders or {}, one.events)


def _list_entries(part: Document) -> Sequence[Document]:
    """List the outcomes of the reader's orders, which a game gives alone or under `entries`."""
    orders = part.get("orders") or ()
    return orders["entries"] if isinstance(orders, Mapping) else orders


def complete_report(part: Document, facts: Document) -> Document:
    """Make the document from the game's part and the desk's facts."""
    document = {**part, **facts}
    document["over"] = part.get("over")
    document["due"] = describe_due(part, facts["due"])
    entries = list(_list_entries(part))
    if facts["orders"] is not None or (entries and facts["seat"]):
        document["orders"] = {**(facts["orders"] or set_facts(None)), "entries": entries}
    if facts["form"] is not None:
        form = part.get("form") or {}
        document["form"] = {
            "comments": list(form.get("comments") or ()),
            "example": dict(form.get("example") or {}),
            **({"choices": dict(form["choices"])} if form.get("choices") else {}),
            **facts["form"],
        }
    if document["over"] and _by_hand(document):
        document["headline"] = document["over"]["text"]
    return document


def _by_hand(document: Document) -> bool:
    """Whether votes or the GM ended the game: no rule did, so the game's headline is older."""
    return not document.get("events") or str(document["step"]).endswith("-end")


def known_facts(document: Document) -> Document:
    """Extract the desk's facts from a finished document; with the game's part they rebuild it."""
    due, orders, form = (document.get(key) for key in ("due", "orders", "form"))
    return {
        **{key: document.get(key) for key in ("report", "game", "seat", "player", "number")},
        "step": document.get("step"),
        "due": _keep_only(due, ("step", "form", "deadline", "zone", "waiting")),
        "orders": _keep_only(orders, ("receipt", "digest")),
        "form": _keep_only(form, ("envelope", "orders")),
        "press": document.get("press"),
        **({"since": document["since"]} if document.get("since") else {}),
    }


def _keep_only(value: Any, keys: Sequence[str]) -> Any:
    return None if value is None else {key: value.get(key) for key in keys}


def describe_due(part: Document, facts: Document | None) -> Document | None:
    """Describe what is due, in the game's own words."""
    if facts is None:
        return None
    due = part.get("due")
    what = due.get("what") if isinstance(due, Mapping) else due
    return {**facts, "what": what or f"{facts['form']} orders"}


def decode_events(steps: Iterable[Step]) -> tuple[Event, ...]:
    """Decode the recorded events of closed steps."""
    return tuple(event for step in steps for event in _EVENTS.decode(step.events))


def since_facts(
    steps: Sequence[Step],
    labels: Sequence[str | None],
    orders: Sequence[OrderSet],
    seat: Seat | None,
) -> list[Document]:
    """Describe the steps that a report also covers, with the reader's set executed in each.

    Reports that were recorded before steps had labels have none.
    """
    own = {one.step: one for one in orders if one.seat == seat and one.executed}
    return [
        {
            "step": step.name,
            **({"label": label} if label else {}),
            **set_facts(own.get(step.number)),
        }
        for step, label in zip(steps, labels, strict=True)
    ]


def set_facts(own: OrderSet | None) -> Document:
    """Describe the reader's set that was executed, by its receipt and digest."""
    if own is None:
        return {"receipt": None, "digest": None}
    return {"receipt": own.number or None, "digest": own.digest}
