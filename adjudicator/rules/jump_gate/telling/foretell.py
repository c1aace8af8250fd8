"""What a list of actions will discard where it names no card, for its receipt (JG-6)."""

from collections.abc import Iterator, Sequence

from adjudicator.core.document import Document, Seat
from adjudicator.core.events import Event, format_list
from adjudicator.rules.jump_gate.phases.editions import find_edition
from adjudicator.rules.jump_gate.phases.turn import play_actions
from adjudicator.rules.jump_gate.phases.working_copy import Work
from adjudicator.rules.jump_gate.position.components import Card, Components
from adjudicator.rules.jump_gate.position.order_forms import Action, parse_actions
from adjudicator.rules.jump_gate.position.resources import UNKNOWN
from adjudicator.rules.jump_gate.position.state import View


def foretell(view: View, seat: Seat, orders: Document, components: Components) -> Sequence[str]:
    """Describe each action whose card the program picks, as far as the seat can see."""
    if view.table.awaiting is not None or seat != view.table.active:
        return ()
    actions = parse_actions(orders)
    work = _play_actions(view, actions, components)
    if work.asked is not None:  # what comes after a choice is asked for again (JG-15)
        work = _play_actions(view, actions[: work.asked + 1], components)
    named = {card for action in actions for card in _list_named(action)}
    return tuple(_tell_picked(work.events, named))


def _play_actions(view: View, actions: Sequence[Action], components: Components) -> Work:
    work = Work.from_view(view, components)
    play_actions(work, {"actions": actions}, find_edition(components))
    return work


def _list_named(action: Action) -> Sequence[Card]:
    one = action.get("card")
    return [*([one] if one else []), *action.get("cards", ()), *action.get("discard", ())]


def _tell_picked(events: Sequence[Event], named: set[Card]) -> Iterator[str]:
    for event in events:
        picked = [card for card in event.data.get("cards", ()) if card not in named]
        what = _name_action(event)
        if what and picked and UNKNOWN not in picked:
            yield f"{what} names no card, so it will discard {format_list(picked)} (JG-6)."


def _name_action(event: Event) -> str | None:
    facts = event.data
    if event.kind == "jumped":
        return f"The jump to {facts['to']}"
    names = {"scanned": "scan of", "landed": "landing on", "collected": "harvest at"}
    return f"The {names[event.kind]} {facts['at']}" if event.kind in names else None
