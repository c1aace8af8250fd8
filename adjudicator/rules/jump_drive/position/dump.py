"""Write the state document of the rulebook; load.py reads it back."""

from collections.abc import Mapping
from typing import Any

from adjudicator.rules.jump_drive.position import options as option
from adjudicator.rules.jump_drive.position.state import Placed, State


def dump(state: State) -> dict[str, Any]:
    """The state document; what only some steps have is left out of the others."""
    table = state.table
    made: dict[str, Any] = {
        "options": option.dump(table.options),
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
    }
    if table.placed:
        made["placed"] = {seat: _placed(placed) for seat, placed in table.placed.items()}
    if table.step == "second":
        made["asked"] = list(table.asked)
    if state.trims:
        made["trims"] = _lists(state.trims)
    if state.drawn:
        made["drawn"] = _lists(state.drawn)
    if table.over:
        made["over"] = {"winners": list(table.over.winners), "scores": dict(table.over.scores)}
    return made


def _placed(placed: Placed) -> dict[str, Any]:
    said = {
        "development": placed.development,
        "world": placed.world,
        "contact_specialist": placed.contact_specialist,
        "second": placed.second,
    }
    return {key: value for key, value in said.items() if value}


def _lists(cards: Mapping[str, tuple[str, ...]]) -> dict[str, list[str]]:
    return {seat: list(names) for seat, names in cards.items()}
