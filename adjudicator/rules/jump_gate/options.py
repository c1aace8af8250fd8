"""What the GM chooses when a game is made, read and checked."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from adjudicator.core.document import Document, Impossible, Seat
from adjudicator.core.names import fold
from adjudicator.rules.jump_gate.components import Components
from adjudicator.rules.jump_gate.given import Reader, below, flag
from adjudicator.rules.jump_gate.state import Options

_INTERRUPTS = ("policy", "ask")
VARIANTS = ("sun_dial", "explorers_club", "orbital_burn")
"""Of the 2010 edition (JGA-15)."""


def seats_of(given: Any, components: Components) -> tuple[Seat, ...]:
    """The seats of a game, in seat order."""
    if isinstance(given, str) or not isinstance(given, Sequence):
        raise Impossible("seats", "expected the list of seats, in seat order")
    seats = tuple(given)
    for seat in seats:
        if not isinstance(seat, str) or not fold(seat):
            raise Impossible("seats", f"expected names of seats, got {seat!r}")
    few, many = components.players.smallest, components.players.largest
    if not few <= len(seats) <= many:
        raise Impossible("seats", f"expected {few} to {many} seats, got {len(seats)}")
    folded = [fold(seat) for seat in seats]
    for seat in seats:
        if folded.count(fold(seat)) > 1:
            raise Impossible("seats", f"{seat} stands there twice")
    return seats


def read(given: Document, seats: Sequence[Seat], components: Components, path: str = "") -> Options:
    """The options as values; raises Impossible with a path that begins with `path`."""
    reader = Reader(seats, components)
    facts: dict[str, Any] = {}
    for key, value in reader.keyed(given, _known(components), path):
        if value is not None:
            facts[key] = _READ[key](reader, value, below(path, key))
    return Options(**facts)


def dump(options: Options, components: Components) -> dict[str, Any]:
    """The options as a document, all of them named."""
    return {key: getattr(options, key) for key in _known(components)}


def _known(components: Components) -> tuple[str, ...]:
    variants = () if components.second else VARIANTS
    return ("start_player", "interrupts", *variants)


def _start_player(reader: Reader, value: Any, path: str) -> Seat:
    return reader.seat(value, path)


def _interrupts(_reader: Reader, value: Any, path: str) -> str:
    found = [name for name in _INTERRUPTS if isinstance(value, str) and fold(value) == name]
    if not found:
        raise Impossible(path, f"expected {' or '.join(_INTERRUPTS)}, got {value!r}")
    return found[0]


def _variant(_reader: Reader, value: Any, path: str) -> bool:
    return flag(value, path)


_READ: Mapping[str, Callable[[Reader, Any, str], Any]] = {
    "start_player": _start_player,
    "interrupts": _interrupts,
    **dict.fromkeys(VARIANTS, _variant),
}
