"""Report documents with positions: of the games as played, and one as full as can be."""

from collections.abc import Iterator
from typing import Any

from adjudicator.core.document import decode, encode
from tests.adapters.test_render import DOCUMENT
from tests.played import list_reports


def played(game: str) -> Iterator[dict[str, Any]]:
    """What everybody could read after each step of the games of this folder."""
    reports = list(list_reports("steps/*/report.json", game.replace("_", "-")))
    assert len(reports) > 5
    yield from reports


SEATS = ("red", "blue", "green", "yellow", "purple", "orange", "white", "black")
TERRAIN = ("star-field", "cluster", "black-hole", "nebula", "void")
SPACES = [f"{column}{row}" for row in range(1, 11) for column in "ABCDEFGHIJ"]


def crowded(grid: str) -> dict[str, Any]:
    """Eight seats and the old empire, with stacks, jumps and fights all over the map."""
    homes = {SPACES[place * 12]: {"home": seat} for place, seat in enumerate((*SEATS, "empire"))}
    terrain = {space: TERRAIN[place % 5] for place, space in enumerate(SPACES) if place % 5 != 4}
    stacks: dict[str, dict[str, int]] = {side: {} for side in (*SEATS, "empire")}
    for place, space in enumerate(SPACES[::2]):
        stacks[(*SEATS, "empire")[place % 9]][space] = 1 + place
    ways = [(n, SPACES[n * 3], SPACES[(n * 7 + 31) % 100]) for n in range(1, 33)]
    changes = {
        "jumps": [
            {"seat": SEATS[n % 8], "from": start, "to": end, "fleets": n} for n, start, end in ways
        ],
        "fights": [
            {"at": space, "left": {"red": 2}, "lost": {"red": 3, "blue": 12}}
            for space in SPACES[4::18]
        ],
        "gained": [{"seat": "red", "at": "C4", "fleets": 12}],
        "lost": [{"seat": "blue", "at": "D8", "fleets": 1}],
        "revealed": [{"seat": "red", "from": "A1", "to": "C3", "fleets": "all"}],
        "homeworlds": [{"seat": "green", "from": "A4", "to": "A5"}],
    }  # fmt: skip
    document = {
        **DOCUMENT,
        "position": {
            "grid": grid,
            "map": terrain | homes,
            "fleets": stacks,
            "levels": {seat: {} for seat in SEATS},
            "changes": changes,
            "past": [
                {
                    "turn": turn,
                    "fleets": {seat: turn * (n + 1) % 37 for n, seat in enumerate(SEATS)},
                    "mine": {seat: turn * (n + 2) % 61 for n, seat in enumerate(SEATS)},
                }
                for turn in range(8, 32)
            ],
        },
    }
    made: dict[str, Any] = decode(encode(document))  # as it is stored
    return made


def empires(cards: int) -> dict[str, Any]:
    """Four empires of Jump Drive with so many cards each."""
    seats = SEATS[:4]
    types = ("development", "world", "military")
    worth = [
        {"name": f"Old World {n}", "type": types[n % 3], "cost": 40 + n, "vp": n, "income": n % 4}
        for n in range(cards)
    ]
    document = {
        **DOCUMENT,
        "position": {
            "goal": 50,
            "vp": {seat: 17 * n for n, seat in enumerate(seats)},
            "gains": {seat: {"vp": 8, "income": 5} for seat in seats},
            "hand_sizes": dict.fromkeys(seats, 3),
            "cards": dict.fromkeys(seats, worth),
        },
    }
    made: dict[str, Any] = decode(encode(document))
    return made
