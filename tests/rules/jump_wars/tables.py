"""Positions for the tests of the phases: written as the rulebook's state document."""

from pathlib import Path
from typing import Any

import yaml

from adjudicator.core.dice import Dice, derive_dice_key, seed_from_number
from adjudicator.core.events import NEGATED, Event
from adjudicator.rules.jump_wars.position import components
from adjudicator.rules.jump_wars.position.documents import load
from adjudicator.rules.jump_wars.position.state import State, View

BOX_FILE = Path(__file__).parents[3] / "seeds" / "jump_wars" / "components.yaml"
BOX = components.read(yaml.safe_load(BOX_FILE.read_text("utf-8")))
DICE = Dice(derive_dice_key(seed_from_number(0)), "jump")
HOMES = {"A1": {"home": "red"}, "J10": {"home": "blue"}, "A10": {"home": "green"}}


def position(*seats: str, given: str = "", **more: Any) -> State:
    """The jump step of three players far apart, but for what is given as YAML."""
    told = {"step": "jump", "seats": list(seats or ("red", "blue", "green")), "deck": []}
    told |= (
        {"hands": {"red": ["trade"], "blue": ["trade"], "green": ["trade"]}} if not seats else {}
    )
    told |= yaml.safe_load(given) or {}
    told |= more
    told["map"] = {**HOMES, **told.get("map", {})} if not seats else told["map"]
    return load(told, BOX, DICE)


def forms(text: str) -> dict[str, Any]:
    """Orders as on file, with jumps in their short form."""
    orders: dict[str, Any] = yaml.safe_load(text) or {}
    for form in orders.values():
        if "jump" in form:
            form["jump"] = [jump(short) for short in form["jump"]]
        rewrite = form.get("espionage", {}).get("rewrite")
        if rewrite:
            form["espionage"]["rewrite"] = jump(rewrite)
    return orders


def jump(short: str) -> dict[str, Any]:
    """`C4-D5 x3` as the form engine hands it over."""
    way, number = short.split()
    source, target = way.split("-")
    fleets = number if number == "all" else int(number.removeprefix("x"))
    return {"from": source, "to": target, "fleets": fleets}


def view_of(state: State, seat: str) -> View:
    """What a check is given."""
    return View(
        table=state.table,
        seat=seat,
        hand=state.hands[seat],
        kept=state.kept.get(seat),
        hand_sizes={seat: len(hand) for seat, hand in state.hands.items()},
        deck_size=len(state.deck),
    )


def negations(events: tuple[Event, ...], seat: str) -> list[str]:
    """The rules under which a seat's orders were negated."""
    return [e.rule for e in events if e.kind == NEGATED and e.data["seat"] == seat]


def named(events: tuple[Event, ...], kind: str) -> list[Any]:
    """The data of all events of a kind."""
    return [event.data for event in events if event.kind == kind]
