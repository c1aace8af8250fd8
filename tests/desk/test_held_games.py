"""Random games with questions in mid-turn and people who want few letters (held_model.py)."""

from pathlib import Path
from typing import Any

import pytest

from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.store.opening import open_store
from tests.desk.conftest import Desk
from tests.desk.held_model import Model

ASK: dict[str, Any] = {"interrupts": "ask"}
GAMES: list[tuple[str, int, dict[str, Any]]] = [
    ("jump-gate", 3, ASK),
    ("jump-gate-2010", 4, {**ASK, "orbital_burn": True}),
    ("jump-wars", 3, {"turn_limit": 6}),
    ("jump-drive", 3, {}),
    ("jump-gate-2010", 6, ASK),
    ("jump-wars", 5, {}),
    ("jump-gate", 2, ASK),
    ("jump-drive", 4, {}),
    ("jump-wars", 2, {}),
]


def played(path: Path, number: int, rounds: int) -> None:
    kind, seats, options = GAMES[number % len(GAMES)]
    library = FolderLibrary()
    with open_store(path / "one.db") as store, open_store(path / "other.db") as other:
        model = Model(Desk(store, library), number, kind, seats, **options)
        model.rounds(rounds - 4)
        model.move(Desk(other, library))
        model.rounds(4)
        model.finish()


@pytest.mark.parametrize("number", [0, 1, 5, 7, 21, 24, 26])
def test_every_step_is_told_to_everybody_once(tmp_path: Path, number: int) -> None:
    played(tmp_path, number, rounds=14)


@pytest.mark.soak
@pytest.mark.parametrize("number", range(1000, 1300))
def test_every_step_is_told_to_everybody_once_in_many_games(tmp_path: Path, number: int) -> None:
    played(tmp_path, number, rounds=30)
