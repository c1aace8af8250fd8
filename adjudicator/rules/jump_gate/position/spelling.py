"""Names as a GM may spell them in options and state documents."""

from collections.abc import Iterator, Sequence
from typing import Any

from adjudicator.core.document import Impossible, Seat
from adjudicator.core.state_reader import read_by_name, read_each, read_name, read_whole_number
from adjudicator.rules.jump_gate.position.components import Card, Components, Planet
from adjudicator.rules.jump_gate.position.resources import Resource
from adjudicator.rules.jump_gate.position.state import NONE, Preferences


class Reader:
    """The names of one game."""

    def __init__(self, seats: Sequence[Seat], components: Components) -> None:
        self.seats = tuple(seats)
        self.components = components
        self._planets = tuple(components.worlds)
        self._cards = tuple(components.cards)
        self._resources = tuple(components.resource_cards)

    def seat(self, value: Any, path: str) -> Seat:
        """One of the seats."""
        return read_name(value, self.seats, "seat of this game", path)

    def planet(self, value: Any, path: str) -> Planet:
        """A planet of the box."""
        return read_name(value, self._planets, "planet", path)

    def resource(self, value: Any, path: str) -> Resource:
        """A resource card."""
        return read_name(value, self._resources, "resource card", path)

    def cards(self, value: Any, path: str) -> tuple[Card, ...]:
        """A list of NavComp cards."""
        return read_each(
            value, path, lambda one, at: read_name(one, self._cards, "NavComp card", at)
        )

    def resources(self, value: Any, path: str) -> tuple[Resource, ...]:
        """A list of resource cards."""
        return read_each(value, path, self.resource)

    def seats_in(self, value: Any, path: str) -> tuple[Seat, ...]:
        """A list of seats, none of them twice."""
        found = read_each(value, path, self.seat)
        for place, seat in enumerate(found):
            if seat in found[:place]:
                raise Impossible(f"{path}[{place + 1}]", f"{seat} stands there twice")
        return found

    def wishes(self, value: Any, path: str) -> Preferences:
        """One kind or a list of preferences; NONE may end it (JG-14)."""
        known = (*self._resources, NONE)
        listed = [value] if isinstance(value, str) else value
        return read_each(listed, path, lambda one, at: read_name(one, known, "resource", at))

    def by_seat(self, value: Any, path: str) -> Iterator[tuple[Seat, Any, str]]:
        """Seat, value and path of what a mapping says of each seat."""
        yield from read_by_name(value, self.seats, "seat of this game", path)

    def numbers(self, value: Any, path: str) -> dict[Seat, int]:
        """A number per seat; every seat is named, in seat order."""
        given = {
            seat: read_whole_number(number, at) for seat, number, at in self.by_seat(value, path)
        }
        return {seat: given.get(seat, 0) for seat in self.seats}
