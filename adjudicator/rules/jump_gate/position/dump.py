"""Write the state document of the rulebook; load.py reads it back."""

from collections.abc import Mapping
from typing import Any

from adjudicator.core.document import Seat
from adjudicator.rules.jump_gate.position.components import Components
from adjudicator.rules.jump_gate.position.options import dump_options
from adjudicator.rules.jump_gate.position.state import (
    NONE,
    Move,
    Ship,
    Site,
    Standing,
    State,
    Table,
)

GATE = "gate"


def dump(state: State, components: Components) -> dict[str, Any]:
    """The state document; what holds the default is left out, but for ships."""
    table = state.table
    made: dict[str, Any] = {
        "options": dump_options(table.options, components),
        "seats": list(table.seats),
        "turn": table.turn,
        "step": table.step,
        "active": table.active,
        "actions_left": table.actions_left,
        "ring": list(table.ring),
        "planets": {
            planet: dump_site(table.planets[planet], state.face_down[planet])
            for planet in table.ring
        },
        "ships": {seat: dump_ship(table.ships[seat]) for seat in table.seats},
        "hands": {seat: list(hand) for seat, hand in state.hands.items()},
        "navcomp_deck": list(state.deck),
        "navcomp_discard": list(table.discard),
        "collected": {seat: list(cards) for seat, cards in table.collected.items()},
        "black_hole": dict(table.black_hole),
        "standing": {seat: dump_standing(orders) for seat, orders in state.standing.items()},
    }
    if components.second:
        made["hidden"] = {seat: list(cards) for seat, cards in state.hidden.items()}
        made["final_turns"] = list(table.final_turns)
    else:
        made["jump_gate"] = dict(table.jump_gate)
    _dump_flow(table, state, made)
    return made


def dump_site(facts: Site, face_down: tuple[str, ...] | None = None) -> dict[str, Any]:
    """A planet as the document writes it; face-down cards as a number where they are hidden."""
    hidden = facts.face_down if face_down is None else list(face_down)
    made: dict[str, Any] = {"face_up": list(facts.face_up), "face_down": hidden}
    if facts.claim is not None:
        made["claim"] = facts.claim
    if facts.marks:
        made["marks"] = dict(facts.marks)
    if facts.scans:
        made["scans"] = dict(facts.scans)
    return made


def dump_ship(facts: Ship) -> Any:
    """Where a ship is, as the document writes it."""
    if facts.at is None:
        return GATE
    return {"planet": facts.at, "landed": True} if facts.landed else facts.at


def dump_move(facts: Move) -> dict[str, Any]:
    """A way that a ship went."""
    origin, to = facts.origin or GATE, facts.to or GATE
    return {"turn": facts.turn, "seat": facts.seat, "from": origin, "to": to}


def dump_standing(orders: Standing) -> dict[str, Any]:
    """Standing orders as a form writes them."""
    made: dict[str, Any] = {}
    if orders.collect:
        made["collect"] = NONE if orders.collect == (NONE,) else list(orders.collect)
    made["black_hole"] = "accept" if orders.accept else "avoid"
    return made


def _dump_flow(table: Table, state: State, made: dict[str, Any]) -> None:
    if table.kept:
        made["deadline"] = "kept"
    if table.awaiting is not None:
        asked: Mapping[Seat, str] = dict.fromkeys(table.awaiting.asked, table.awaiting.at)
        made["awaiting"] = {table.awaiting.what: dict(asked), "then": list(table.awaiting.then)}
    if table.moves:
        made["moves"] = [dump_move(one) for one in table.moves]
    if state.take is not None:
        made["take"] = list(state.take)
    if table.over is not None:
        over = table.over
        made["over"] = {"winners": list(over.winners), "scores": dict(over.scores)}
