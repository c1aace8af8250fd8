"""The options that the GM chooses when a game is made."""

from collections.abc import Mapping, Sequence
from typing import Any

from adjudicator.core.document import Impossible, Seat
from adjudicator.core.names import fold, match
from adjudicator.core.state_reader import StateReader, read_seats
from adjudicator.rules.jump_wars.position.components import Components
from adjudicator.rules.jump_wars.position.space import PLACE, Space
from adjudicator.rules.jump_wars.position.state import EMPIRE, Options

_FEWEST, _MOST = 2, 8  # JW-1
_HOMEWORLDS = ("spread", "choose")


def list_seats(value: Any) -> tuple[Seat, ...]:
    """The seats of a game (JW-1)."""
    seats = read_seats(value, _FEWEST, _MOST, "JW-1")
    if EMPIRE in map(fold, seats):
        raise Impossible("seats", f"{EMPIRE} is the old empire's name; call the seat otherwise")
    return seats


def read_options(
    value: Any, seats: Sequence[Seat], components: Components, path: str = ""
) -> Options:
    """The options as values; raises Impossible with a path that begins with `path`."""

    def read_homeworlds(value: Any) -> str | Mapping[Seat, Space]:
        if isinstance(value, str) and (word := match(value, _HOMEWORLDS)):
            return word
        if not isinstance(value, Mapping):
            raise Impossible("", "expected spread, choose, or a space for every seat")
        homes = reader.read(dict[Seat, Space], value)
        for seat in seats:
            if seat not in homes:
                raise Impossible("", f"{seat} has no homeworld; name a space for every seat")
            if homes[seat] in [homes.get(other) for other in seats[: seats.index(seat)]]:
                raise Impossible(seat, f"{homes[seat]} has a homeworld already")
        return homes

    reader = StateReader({"seat": seats, "space": read_space, "homeworlds": read_homeworlds})
    options = reader.read(Options, value, path)
    if options.old_empire and not isinstance(options.homeworlds, str):
        for seat, space in options.homeworlds.items():
            if space == components.map.empire:
                why = f"{space} belongs to the old empire (JW-61)"
                raise Impossible(f"homeworlds.{seat}", why).within(path)
    return options


def read_space(value: Any) -> Space:
    """A space on the map; raises Impossible."""
    if isinstance(value, str):
        space = value if value in PLACE else value.strip().upper()
        if space in PLACE:
            return space
    raise Impossible("", f"{value!r} is not on the map; spaces go from A1 to J10")
