"""Write the state document of the rulebook; load.py reads it back."""

from collections.abc import Mapping
from typing import Any

from adjudicator.core.document import Seat, to_plain
from adjudicator.rules.jump_drive.position.components import Name
from adjudicator.rules.jump_drive.position.state import State


def dump(state: State) -> dict[str, Any]:
    """The state document; what only some steps have is left out of the others."""
    table, over = state.table, state.table.over
    made: dict[str, Any] = {
        "options": to_plain(table.options),
        "seats": list(table.seats),
        "round": table.round,
        "step": table.step,
        "dealer": table.dealer,
        "hands": _lists(state.hands),
        "empires": _lists(table.empires),
        "surveyed": list(table.surveyed),
        "vp": dict(table.vp),
        "explores": dict(table.explores),
        "deck": list(state.deck),
        "discard": list(state.discard),
        "idle": table.idle,
        "asked": list(table.asked) if table.step == "second" else None,
        "placed": to_plain(table.placed) or None,
        "trims": _lists(state.trims) or None,
        "drawn": _lists(state.drawn) or None,
        "over": {"winners": list(over.winners), "scores": dict(over.scores)} if over else None,
    }
    return {key: value for key, value in made.items() if value is not None}


def _lists(cards: Mapping[Seat, tuple[Name, ...]]) -> dict[Seat, list[Name]]:
    return {seat: list(names) for seat, names in cards.items()}
