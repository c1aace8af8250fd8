"""The options that the GM chooses when a game is made."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from adjudicator.core import state_reader
from adjudicator.core.document import Document, Seat
from adjudicator.rules.jump_gate.position.components import Components
from adjudicator.rules.jump_gate.position.spelling import Reader
from adjudicator.rules.jump_gate.position.state import Options

_INTERRUPTS = ("policy", "ask")
VARIANTS = ("sun_dial", "explorers_club", "orbital_burn")
"""Of the 2010 edition (JGA-15)."""


def seats_of(value: Any, components: Components) -> tuple[Seat, ...]:
    """The seats of a game, in seat order."""
    players = components.players
    rule = "JGB-1" if components.second else "JGA-1"
    return state_reader.read_seats(value, players.smallest, players.largest, rule)


def read(
    document: Document, seats: Sequence[Seat], components: Components, path: str = ""
) -> Options:
    """The options as values; raises Impossible with a path that begins with `path`."""
    reader = Reader(seats, components)
    facts = state_reader.read_keyed(document, _known(components), path)
    above = f"{path}." if path else ""
    return Options(**{key: _READ[key](reader, facts[key], f"{above}{key}") for key in facts})


def dump(options: Options, components: Components) -> dict[str, Any]:
    """The options as a document, all of them named."""
    return {key: getattr(options, key) for key in _known(components)}


def _known(components: Components) -> tuple[str, ...]:
    variants = () if components.second else VARIANTS
    return ("start_player", "interrupts", *variants)


def _start_player(reader: Reader, value: Any, path: str) -> Seat:
    return reader.seat(value, path)


def _interrupts(_reader: Reader, value: Any, path: str) -> str:
    return state_reader.read_name(value, _INTERRUPTS, "way to treat interrupts", path)


def _variant(_reader: Reader, value: Any, path: str) -> bool:
    return state_reader.read_flag(value, path)


_READ: Mapping[str, Callable[[Reader, Any, str], Any]] = {
    "start_player": _start_player,
    "interrupts": _interrupts,
    **dict.fromkeys(VARIANTS, _variant),
}
