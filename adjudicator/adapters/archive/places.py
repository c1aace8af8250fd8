"""Where everything lies in an archive: games/<kind>/<id>/."""

import re
from pathlib import Path

from adjudicator.core.document import Seat
from adjudicator.desk.values import Game, Step

GAME = "game.yaml"
PRIVATE = "private.yaml"
HISTORY = "history.jsonl"
PRESS = "press.jsonl"
CHAIN = "chain.txt"
STEPS = "steps"
STEP = "step.yaml"

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
"""Of games, kinds, seats and phases, since folders are named after them."""


def folder(home: Path, game: Game) -> Path:
    """The archive of a game in the home."""
    return home / game.kind.replace("-", "_") / game.id


def step_folder(step: Step) -> str:
    """steps/003-jump: padded, so that folders stand in the order of play."""
    return f"{STEPS}/{step.number:03}-{step.phase}"


def orders_of(step: str, seat: Seat) -> str:
    """Orders as executed."""
    return f"{step}/{seat}/orders.json"


def events_of(step: str) -> str:
    """All events, one a line."""
    return f"{step}/events.jsonl"


def state_of(step: str) -> str:
    """The state after the step."""
    return f"{step}/state.json"


def report_of(step: str, seat: Seat | None) -> str:
    """The report document of a seat, or the public's."""
    return f"{step}/{seat}/report.json" if seat else f"{step}/report.json"


def file_of(step: str, part: str) -> str:
    """The file that holds a part of a step, as the chain names parts: `orders/red`, `state`."""
    name, _, seat = part.partition("/")
    if name == "orders":
        return orders_of(step, seat)
    if name == "report":
        return report_of(step, seat or None)
    if name == "events":
        return events_of(step)
    return state_of(step) if name == "state" else CHAIN
