"""The options that the GM chooses when a game is made."""

from collections.abc import Sequence
from typing import Any, Final

from adjudicator.core.document import Impossible, Seat
from adjudicator.core.state_reader import StateReader, read_seats
from adjudicator.rules.jump_drive.position.components import Components
from adjudicator.rules.jump_drive.position.state import Options

FEWEST: Final = 2
MOST: Final = 4


def list_seats(value: Any) -> tuple[Seat, ...]:
    """The seats of a game (JD-1)."""
    return read_seats(value, FEWEST, MOST, "JD-1")


def read_options(
    value: Any, seats: Sequence[Seat], components: Components, path: str = ""
) -> Options:
    """The options as values; raises Impossible with a path that begins with `path`."""
    options = StateReader({"seat": seats}).read(Options, value, path)
    hands = len(components.presets)
    if options.first_game and hands < len(seats):
        raise Impossible("first_game", f"there are {hands} hands (JD-2)").within(path)
    return options
