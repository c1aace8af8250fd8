"""The options that the GM chooses when a game is made."""

from collections.abc import Sequence
from typing import Any, Final

from adjudicator.core import state_reader
from adjudicator.core.document import Document, Impossible, Seat
from adjudicator.rules.jump_drive.position.components import Components
from adjudicator.rules.jump_drive.position.state import Options

FEWEST: Final = 2
MOST: Final = 4
_KEYS: Final = ("first_game", "dealer")


def seats_of(value: Any) -> tuple[Seat, ...]:
    """The seats of a game (JD-1)."""
    return state_reader.read_seats(value, FEWEST, MOST, "JD-1")


def read(
    document: Document, seats: Sequence[Seat], components: Components, path: str = ""
) -> Options:
    """The options as values; raises Impossible with a path that begins with `path`."""
    found = state_reader.read_keyed(document, _KEYS, path)
    before = f"{path}." if path else ""
    first = state_reader.read_flag(found.get("first_game", False), f"{before}first_game")
    dealer = found.get("dealer")
    if first and len(components.presets) < len(seats):
        raise Impossible(f"{before}first_game", f"there are {len(components.presets)} hands (JD-2)")
    return Options(
        first_game=first,
        dealer=state_reader.read_name(dealer, seats, "seat", f"{before}dealer") if dealer else None,
    )


def dump(options: Options) -> dict[str, Any]:
    """The options as a document, all of them named."""
    return {"first_game": options.first_game, "dealer": options.dealer}
