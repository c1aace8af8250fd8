"""Reading what a GM wrote: names in any spelling, and the path of whatever cannot be."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from adjudicator.core.document import Impossible, Seat
from adjudicator.core.names import fold, match, suggest
from adjudicator.rules.jump_gate.components import Card, Components, Planet
from adjudicator.rules.jump_gate.resources import Resource
from adjudicator.rules.jump_gate.state import NONE, Preferences


def whole(value: Any, path: str, *, least: int = 0, most: int | None = None) -> int:
    """A whole number within bounds."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise Impossible(path, f"expected a whole number, got {value!r}")
    if value < least:
        raise Impossible(path, f"expected at least {least}, got {value}")
    if most is not None and value > most:
        raise Impossible(path, f"expected at most {most}, got {value}")
    return value


def flag(value: Any, path: str) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise Impossible(path, f"expected true or false, got {value!r}")
    return value


def mapping(value: Any, path: str) -> Mapping[Any, Any]:
    """A mapping; nothing is an empty one."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise Impossible(path, f"expected `name: value` pairs, got {value!r}")
    return value


def sequence(value: Any, path: str) -> Sequence[Any]:
    """A list; nothing is an empty one."""
    if value is None:
        return ()
    if isinstance(value, str | Mapping) or not isinstance(value, Sequence):
        raise Impossible(path, f"expected a list, got {value!r}")
    return value


def below(path: str, key: object) -> str:
    """The path of what stands under a key."""
    return f"{path}.{key}" if path else str(key)


class Reader:
    """Names as one game knows them; exact spellings are found without searching."""

    def __init__(self, seats: Sequence[Seat], components: Components) -> None:
        self.seats = tuple(seats)
        self.components = components
        self._resources = components.resource_cards

    def _name(self, value: Any, names: Sequence[str], what: str, path: str) -> str:
        found = match(value, names) if isinstance(value, str) else None
        if found is None:
            meant = suggest(value, names) if isinstance(value, str) else None
            hint = f"; did you mean {meant}?" if meant else f"; there are {', '.join(names)}"
            raise Impossible(path, f"{value!r} is no {what}{hint}")
        return found

    def seat(self, value: Any, path: str) -> Seat:
        """One of the seats."""
        if isinstance(value, str) and value in self.seats:
            return value
        return self._name(value, self.seats, "seat of this game", path)

    def planet(self, value: Any, path: str) -> Planet:
        """A planet of the box."""
        if isinstance(value, str) and value in self.components.worlds:
            return value
        return self._name(value, tuple(self.components.worlds), "planet", path)

    def card(self, value: Any, path: str) -> Card:
        """A NavComp card."""
        if isinstance(value, str) and value in self.components.cards:
            return value
        return self._name(value, tuple(self.components.cards), "NavComp card", path)

    def resource(self, value: Any, path: str) -> Resource:
        """A resource card."""
        if isinstance(value, str) and value in self._resources:
            return value
        return self._name(value, tuple(self._resources), "resource card", path)

    def cards(self, value: Any, path: str) -> tuple[Card, ...]:
        """A list of NavComp cards."""
        listed = enumerate(sequence(value, path), 1)
        return tuple(self.card(name, f"{path}[{place}]") for place, name in listed)

    def resources(self, value: Any, path: str) -> tuple[Resource, ...]:
        """A list of resource cards."""
        listed = enumerate(sequence(value, path), 1)
        return tuple(self.resource(name, f"{path}[{place}]") for place, name in listed)

    def seats_in(self, value: Any, path: str) -> tuple[Seat, ...]:
        """A list of seats, none of them twice."""
        found: list[Seat] = []
        for place, name in enumerate(sequence(value, path), 1):
            seat = self.seat(name, f"{path}[{place}]")
            if seat in found:
                raise Impossible(f"{path}[{place}]", f"{seat} stands there twice")
            found.append(seat)
        return tuple(found)

    def wishes(self, value: Any, path: str) -> Preferences:
        """One kind or a list of preferences; NONE may end it (JG-14)."""
        names = (*self._resources, NONE)
        listed = [value] if isinstance(value, str) else sequence(value, path)
        return tuple(
            self._name(name, names, "resource", f"{path}[{place}]")
            for place, name in enumerate(listed, 1)
        )

    def by_seat(self, value: Any, path: str) -> Iterator[tuple[Seat, Any, str]]:
        """Seat, value and path of what a mapping says of each seat."""
        seen: set[Seat] = set()
        for name, what in mapping(value, path).items():
            seat = self.seat(name, below(path, name))
            if seat in seen:
                raise Impossible(below(path, name), f"{seat} stands there twice")
            seen.add(seat)
            if what is not None:
                yield seat, what, below(path, name)

    def numbers(self, value: Any, path: str) -> dict[Seat, int]:
        """A number per seat; every seat is named, in seat order."""
        given = {seat: whole(number, at) for seat, number, at in self.by_seat(value, path)}
        return {seat: given.get(seat, 0) for seat in self.seats}

    def keyed(
        self, given: Mapping[Any, Any], keys: Sequence[str], path: str
    ) -> Iterator[tuple[str, Any]]:
        """The pairs of a mapping whose keys are known, each under its own spelling."""
        folded = {fold(name): name for name in keys}
        for key, value in mapping(given, path).items():
            found = key if key in keys else folded.get(fold(str(key)))
            if found is None:
                hint = suggest(str(key), keys)
                known = f"did you mean {hint}?" if hint else f"there are {', '.join(keys)}"
                raise Impossible(below(path, key), f"no such key; {known}")
            yield found, value
