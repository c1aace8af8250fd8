"""The options that the GM chooses when a game is made."""

from collections.abc import Sequence
from typing import Any

from adjudicator.core.document import Seat, to_plain
from adjudicator.core.state_reader import StateReader, read_seats
from adjudicator.rules.jump_gate.position.components import Components
from adjudicator.rules.jump_gate.position.state import Options

_VARIANTS = ("sun_dial", "explorers_club", "orbital_burn")
"""Of the 2010 edition (JGA-15)."""


def list_seats(value: Any, components: Components) -> tuple[Seat, ...]:
    """The seats of a game, in seat order."""
    players = components.players
    rule = "JGB-1" if components.second else "JGA-1"
    return read_seats(value, players.smallest, players.largest, rule)


def read_options(
    value: Any, seats: Sequence[Seat], components: Components, path: str = ""
) -> Options:
    """The options as values; raises Impossible with a path that begins with `path`."""
    return StateReader({"seat": seats}, _absent(components)).read(Options, value, path)


def dump_options(options: Options, components: Components) -> dict[str, Any]:
    """The options as a document, all of them named."""
    absent = _absent(components)
    return {key: value for key, value in to_plain(options).items() if key not in absent}


def _absent(components: Components) -> Sequence[str]:
    return _VARIANTS if components.second else ()
