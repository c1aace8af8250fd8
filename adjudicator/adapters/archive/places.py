"""The paths inside an archive, and the error that names a faulty file."""

import re
from pathlib import Path

from adjudicator.core.document import Seat
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.values import Game, Step


class ArchiveTrouble(Refused):
    """A file of the archive is faulty; the message says why."""

    def __init__(self, file: str, message: str) -> None:
        super().__init__(f"{file}: {message}")
        self.file = file
        self.message = message


GAME_FILE = "game.yaml"
ORDERS_FILE = "orders.yaml"
RESULT_FILE = "result.yaml"
PRIVATE_FILE = "private.yaml"
HISTORY_FILE = "history.jsonl"
PRESS_FILE = "press.jsonl"
CHAIN_FILE = "chain.txt"
STEPS_FOLDER = "steps"
STEP_FILE = "step.yaml"
"""In every step's folder of an archive/1, where archive/2 has orders.yaml."""
PART_FILES = {
    "orders": "orders.json",
    "events": "events.jsonl",
    "state": "state.json",
    "report": "report.json",
}
"""By part of a step, as the chain calls it: orders as executed, all events one a line, the state
after the step, and the report document of a seat or, in the step's own folder, the public's."""
SAMPLE_FOLDER = "sample"
"""Beside a record: one step rendered, no part of the archive."""

Files = dict[str, bytes]
"""Path in the archive to content."""

NAME_PATTERN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
"""Of games, kinds, seats and phases, since folders are named after them."""


def archive_folder(home: Path, game: Game) -> Path:
    """Return the folder of a game's archive in the home."""
    return home / game.kind.replace("-", "_") / game.id


def step_folder(step: Step) -> str:
    """Name a step's folder: steps/003-jump, padded so that folders sort in the order of play."""
    return f"{STEPS_FOLDER}/{step.number:03}-{step.phase}"


def part_path(step: Step, part: str, seat: Seat | None = None) -> str:
    """Return the path of a part of a step; a seat's own parts have their own folder."""
    own = f"/{seat}" if seat else ""
    return f"{step_folder(step)}{own}/{PART_FILES[part]}"
