"""Orders that were fine and came to nothing, of which no event tells."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, Final

from adjudicator.core.document import Document, Seat
from adjudicator.core.events import Event, format_list, report_nothing
from adjudicator.rules.jump_gate.position.components import Components
from adjudicator.rules.jump_gate.position.order_forms import Action
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
    vain_orders = [*_list_end(orders, own, second=second), *_list_marks(orders, own)]
    vain_orders += _list_takes(orders, own, components, waits=_is_wanted(view.take))
    if _is_wanted(before.take) and not _is_wanted(view.take) and not _is_served(own, _LANDING):
        vain_orders.append(
            report_nothing("JGB-6", f"take {_name(before.take)}: none taken", _NO_CARD)
        )
    return vain_orders


def _list_end(orders: Document, own: Sequence[Event], *, second: bool) -> Iterator[Document]:
    """List the end of a turn that had ended with its last action."""
    endings = [event for event in own if event.kind == "turn-ended"]
    if orders.get("end") and endings and not endings[-1].data["left"]:
        yield report_nothing(
            "JGB-4" if second else "JGA-4", "end the turn: it was over", _TURN_OVER
        )


def _list_marks(orders: Document, own: Sequence[Event]) -> Iterator[Document]:
    """List the marks wanted with scans, or when asked, of which none was placed."""
    if _is_wanted(orders.get("mark")) and not _find(own, "marked"):
        yield report_nothing("JGB-5", f"mark {_name(orders['mark'])}: none placed", _NO_MARK)
    actions = [one for one in orders.get("actions") or () if one["do"] == "scan"]
    for action, after in zip(actions, _split_at(own, "scanned"), strict=False):
        if _is_wanted(action.get("mark")) and not _find(after[1:], "marked"):
            at = after[0].data["at"]
            yield report_nothing(
                "JGB-5", f"mark {_name(action['mark'])} at {at}: none placed", _NO_MARK
            )


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


def _find(own: Sequence[Event], kind: str) -> bool:
    return any(event.kind == kind for event in own)


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
