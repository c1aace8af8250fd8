"""The game's part of a report document."""

from collections.abc import Sequence
from typing import Any

from adjudicator.core.canonical import plain
from adjudicator.core.event import Event
from adjudicator.rules.jump_wars.components import Components
from adjudicator.rules.jump_wars.state import View


def report(view: View, events: Sequence[Event], _components: Components) -> dict[str, Any]:
    """One line per event."""
    lines = [
        {
            "n": n,
            "kind": event.kind,
            "rule": event.rule,
            "text": event.kind,
            "data": plain(event.data),
        }
        for n, event in enumerate(events, start=1)
    ]
    return {"turn": f"turn {view.table.turn}", "events": lines}
