"""Orders of which no event tells what became of them: they came to nothing, or were left open."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, Final

from adjudicator.core.document import Document, Seat
from adjudicator.core.events import Event, format_list, report_nothing
from adjudicator.rules.jump_gate.phases.preferences import matches_name
from adjudicator.rules.jump_gate.phases.turn import merge_standing
from adjudicator.rules.jump_gate.position.components import Components, Planet
from adjudicator.rules.jump_gate.position.order_forms import Action
from adjudicator.rules.jump_gate.position.resources import Resource
from adjudicator.rules.jump_gate.position.state import NONE, View

_TURN_OVER: Final = "No action was left to give up."
_NO_MARK: Final = "None of these lay there unmarked, so your marks stay as they are."
_NO_CARD: Final = "None was left to take."


def list_vain_orders(
    before: View,
    view: View,
    seat: Seat,
    orders: Document,
    events: Sequence[Event],
    components: Components,
) -> list[Document]:
    """List what the seat ordered that neither happened nor failed.

    What a lander wants to take may wait for the choices of others.
    """
    own = [event for event in events if event.data.get("seat") == seat]
    second = components.is_second
    entries = [*_list_marks(before, seat, orders, events)] if second else []
    entries += _list_end(orders, own, second=second)
    entries += _list_takes(orders, own, components, waits=_is_wanted(view.take))
    if _is_wanted(before.take) and not _is_wanted(view.take) and not _is_served(own, _LANDING):
        entries.append(report_nothing("JGB-6", f"take {_name(before.take)}: none taken", _NO_CARD))
    return entries


def _list_end(orders: Document, own: Sequence[Event], *, second: bool) -> Iterator[Document]:
    """List the end of a turn that had ended with its last action."""
    endings = [event for event in own if event.kind == "turn-ended"]
    if orders.get("end") and endings and not endings[-1].data["left"]:
        yield report_nothing(
            "JGB-4" if second else "JGA-4", "end the turn: it was over", _TURN_OVER
        )


def _list_marks(
    before: View, seat: Seat, orders: Document, events: Sequence[Event]
) -> Iterator[Document]:
    """List what became of marks, where no event tells it or the program chose them."""
    own = [event for event in events if event.data.get("seat") == seat]
    table, standing = before.table, merge_standing(before.standing, orders.get("standing") or {})
    marks = {planet: site.marks.get(seat) for planet, site in table.planets.items()}
    awaiting = table.awaiting
    if awaiting is not None and awaiting.what == "mark" and seat in awaiting.asked:
        preferences = orders.get("mark") or standing.mark
        yield from _describe_mark(preferences, awaiting.at, marks[awaiting.at], _find_mark(own))
        return
    scans = [one for one in orders.get("actions") or () if one["do"] == "scan"]
    parts = _split_at(own, "scanned")
    # a scan that is asked about is the last (JG-15)
    is_asked = any(event.kind == "asked" and event.data["what"] == "mark" for event in events)
    for action, after in zip(scans, parts[:-1] if is_asked else parts, strict=False):
        facts, mark = after[0].data, _find_mark(after)
        by = f" (scan with {format_list(facts['cards'])})" if len(parts) > 1 else ""
        at = facts["at"]
        earlier = own[: own.index(after[0])]
        if any((one.kind, one.data.get("at")) == ("collected", at) for one in earlier):
            marks[at] = None  # a harvest took the marked card (JGB-7)
        preferences = action.get("mark") or standing.mark
        yield from _describe_mark(preferences, at, marks[at], mark, by)
        marks[at] = mark or marks[at]


def _find_mark(own: Sequence[Event]) -> Resource | None:
    return next((event.data["resource"] for event in own if event.kind == "marked"), None)


def _describe_mark(
    preferences: Any, at: Planet, before: Resource | None, mark: Resource | None, by: str = ""
) -> Iterator[Document]:
    """Say why a mark stays, or that the program chose it (JG-14)."""
    if not preferences and mark is not None:
        yield _report_choice(f"mark at {at}{by}: you named none, so the program chose {mark}")
    elif not preferences and before is not None:
        yield _report_choice(f"mark at {at}{by}: you named none, and yours stays on {before}")
    elif _is_wanted(preferences) and mark is None:
        names = [preferences] if isinstance(preferences, str) else preferences
        if before is not None and any(matches_name(name, before) for name in names):
            yield _report_choice(
                f"mark {_name(preferences)} at {at}{by}: it stays on {before}", "JGB-5"
            )
        else:
            order = f"mark {_name(preferences)} at {at}{by}: none placed"
            yield report_nothing("JGB-5", order, _NO_MARK)


def _report_choice(text: str, rule: str = "JG-14") -> Document:
    return {"rule": rule, "text": text, "outcome": "done", "why": None}


def _list_takes(
    orders: Document, own: Sequence[Event], components: Components, *, waits: bool
) -> Iterator[Document]:
    """List the resources wanted at a landing, or when asked, of which there was none to take.

    `waits`: the last landing is not over yet.
    """
    rule = "JGB-6" if components.is_second else "JGA-7"
    if _is_wanted(orders.get("collect")) and not _is_served(own, _CHOICES):
        yield report_nothing(rule, f"collect {_name(orders['collect'])}: none taken", _NO_CARD)
    actions = [one for one in orders.get("actions") or () if _lands(one, components)]
    landings = _split_at(own, "landed")
    for action, after in zip(actions, landings[:-1] if waits else landings, strict=False):
        if _is_wanted(action.get("take")) and not _is_served(after, _LANDING):
            at = after[0].data["at"]
            yield report_nothing(
                rule, f"take {_name(action['take'])} at {at}: none taken", _NO_CARD
            )


def _lands(action: Action, components: Components) -> bool:
    if action["do"] != "special":
        return bool(action["do"] == "land")
    return components.cards[action["card"]].special == "hotshot-pilot"


def _split_at(own: Sequence[Event], kind: str) -> list[Sequence[Event]]:
    """Split the events at each one of this kind, with which every part begins."""
    starts = [place for place, event in enumerate(own) if event.kind == kind]
    return [own[start:end] for start, end in pairwise([*starts, len(own)])]


_LANDING: Final = ("landing",)
_CHOICES: Final = ("landing", "mark", "scan")
"""How a card is collected for which a player can be asked (JG-15)."""


def _is_served(own: Sequence[Event], hows: Sequence[str]) -> bool:
    """Whether the seat got a card in one of these ways, or left what there was."""
    return any(event.kind in ("collected", "left") and event.data["how"] in hows for event in own)


def _is_wanted(preferences: Any) -> bool:
    """Whether something is to be taken or marked: a kind, or a list of kinds."""
    return bool(preferences) and preferences not in (NONE, [NONE], (NONE,))


def _name(preferences: Any) -> str:
    return (
        preferences
        if isinstance(preferences, str)
        else format_list([one for one in preferences if one != NONE])
    )
