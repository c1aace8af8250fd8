"""The options that the GM chooses when a game is made."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from adjudicator.core.document import Document, Impossible, Seat
from adjudicator.core.names import fold
from adjudicator.core.state_reader import read_whole_number
from adjudicator.rules.jump_wars.position.components import Components
from adjudicator.rules.jump_wars.position.space import Space
from adjudicator.rules.jump_wars.position.spelling import Reader
from adjudicator.rules.jump_wars.position.state import EMPIRE, Options

FEWEST, MOST = 2, 8  # JW-1
_GRIDS = ("square", "hex")
_HOMEWORLDS = ("spread", "choose")


def seats_of(given: Any) -> tuple[Seat, ...]:
    """The seats of a game (JW-1)."""
    if isinstance(given, str) or not isinstance(given, Sequence):
        raise Impossible("seats", "expected the list of seats, in seat order")
    seats = tuple(given)
    for seat in seats:
        if not isinstance(seat, str) or not fold(seat):
            raise Impossible("seats", f"expected names of seats, got {seat!r}")
    if not FEWEST <= len(seats) <= MOST:
        raise Impossible("seats", f"expected {FEWEST} to {MOST} seats, got {len(seats)} (JW-1)")
    folded = [fold(seat) for seat in seats]
    for seat in seats:
        if folded.count(fold(seat)) > 1:
            raise Impossible("seats", f"{seat} stands there twice")
    if fold(EMPIRE) in folded:
        raise Impossible("seats", f"{EMPIRE} is the old empire's name; call the seat otherwise")
    return seats


def read(given: Document, seats: Sequence[Seat], components: Components, path: str = "") -> Options:
    """The options as values; raises Impossible with a path that begins with `path`."""
    reader = Reader(seats, components)
    facts: dict[str, Any] = {}
    for key, value in reader.keyed(given, tuple(_READ), path):
        if value is not None:
            facts[key] = _READ[key](reader, value, f"{path}.{key}" if path else key)
    made = Options(**facts)
    _no_home_on_the_empire(made, components, f"{path}.homeworlds" if path else "homeworlds")
    return made


def dump(options: Options) -> dict[str, Any]:
    """The options as a document, all of them named."""
    homes = options.homeworlds
    return {
        "grid": options.grid,
        "homeworlds": homes if isinstance(homes, str) else dict(homes),
        "spacing": options.spacing,
        "connected": options.connected,
        "start_player": options.start_player,
        "old_empire": options.old_empire,
        "turn_limit": options.turn_limit,
    }


def _grid(_reader: Reader, value: Any, path: str) -> str:
    return _one_of(value, _GRIDS, path)


def _homeworlds(reader: Reader, value: Any, path: str) -> str | Mapping[Seat, Space]:
    if isinstance(value, str):
        return _one_of(value, _HOMEWORLDS, path)
    if not isinstance(value, Mapping):
        raise Impossible(path, "expected spread, choose, or a space for every seat")
    found: dict[Seat, Space] = {}
    for name, space in value.items():
        seat = reader.seat(name, f"{path}.{name}")
        if seat in found:
            raise Impossible(f"{path}.{name}", f"{seat} stands there twice")
        found[seat] = reader.space(space, f"{path}.{name}")
        if list(found.values()).count(found[seat]) > 1:
            raise Impossible(f"{path}.{name}", f"{found[seat]} has a homeworld already")
    for seat in reader.seats:
        if seat not in found:
            raise Impossible(path, f"{seat} has no homeworld; name a space for every seat")
    return {seat: found[seat] for seat in reader.seats}


def _spacing(_reader: Reader, value: Any, path: str) -> int:
    return read_whole_number(value, path)


def _flag(_reader: Reader, value: Any, path: str) -> bool:
    if not isinstance(value, bool):
        raise Impossible(path, f"expected true or false, got {value!r}")
    return value


def _start_player(reader: Reader, value: Any, path: str) -> Seat:
    return reader.seat(value, path)


def _turn_limit(_reader: Reader, value: Any, path: str) -> int:
    return read_whole_number(value, path, least=1)


_READ: Mapping[str, Callable[[Reader, Any, str], Any]] = {
    "grid": _grid,
    "homeworlds": _homeworlds,
    "spacing": _spacing,
    "connected": _flag,
    "start_player": _start_player,
    "old_empire": _flag,
    "turn_limit": _turn_limit,
}


def _one_of(value: Any, names: Sequence[str], path: str) -> str:
    if value in names:
        return str(value)
    found = [name for name in names if isinstance(value, str) and fold(value) == fold(name)]
    if not found:
        raise Impossible(path, f"expected {' or '.join(names)}, got {value!r}")
    return found[0]


def _no_home_on_the_empire(options: Options, components: Components, path: str) -> None:
    """The old empire's space is taken first (JW-61)."""
    if isinstance(options.homeworlds, str) or not options.old_empire:
        return
    for seat, space in options.homeworlds.items():
        if space == components.map.empire:
            raise Impossible(f"{path}.{seat}", f"{space} belongs to the old empire (JW-61)")
