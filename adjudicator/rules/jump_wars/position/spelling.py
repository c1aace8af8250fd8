"""Names as a GM may spell them in options and state documents."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from adjudicator.core.document import Impossible, Seat
from adjudicator.core.names import fold, match, suggest
from adjudicator.core.state_reader import read_mapping, read_sequence, read_whole_number
from adjudicator.rules.jump_wars.position.components import Card, Components, Tech
from adjudicator.rules.jump_wars.position.space import PLACE, Space
from adjudicator.rules.jump_wars.position.state import EMPIRE, Jump, Side

_SPACE = re.compile(r"[A-Z][0-9]+")
_JUMP = re.compile(
    r"\s*([A-Za-z][0-9]+)\s*-\s*([A-Za-z][0-9]+)(?:\s+x?|x)\s*([0-9]+|all)\s*", re.IGNORECASE
)
_OFF_THE_MAP = "is not on the map; spaces go from A1 to J10"


class Reader:
    """Names as one game knows them; exact spellings are found without searching."""

    def __init__(self, seats: Sequence[Seat], components: Components) -> None:
        self.seats = tuple(seats)
        self.components = components
        self._cards = components.cards
        self._sides = (*self.seats, EMPIRE)

    def _name(self, value: Any, names: Sequence[str], what: str, path: str) -> str:
        found = match(value, names) if isinstance(value, str) else None
        if found is None:
            meant = suggest(value, names) if isinstance(value, str) else None
            hint = f"; did you mean {meant}?" if meant else f"; there are {', '.join(names)}"
            raise Impossible(path, f"{value!r} is no {what}{hint}")
        return found

    def seat(self, value: Any, path: str) -> Seat:
        """One of the seats."""
        if value in self.seats:
            return str(value)
        return self._name(value, self.seats, "seat of this game", path)

    def side(self, value: Any, path: str) -> Side:
        """A seat or the old empire."""
        if value in self._sides:
            return str(value)
        return self._name(value, self._sides, "side in this game", path)

    def card(self, value: Any, path: str) -> Card:
        """A card of the deck."""
        if isinstance(value, str) and value in self._cards:
            return value
        return self._name(value, tuple(self._cards), "card", path)

    def tech(self, value: Any, path: str) -> Tech:
        """A basic technology."""
        if isinstance(value, str) and value in self.components.technologies:
            return value
        return self._name(value, tuple(self.components.technologies), "technology", path)

    def special(self, value: Any, path: str) -> Card:
        """A special."""
        if isinstance(value, str) and value in self.components.specials:
            return value
        return self._name(value, tuple(self.components.specials), "special", path)

    def terrain(self, value: Any, path: str) -> str:
        """A kind of system counter."""
        if isinstance(value, str) and value in self.components.counters:
            return value
        return self._name(value, tuple(self.components.counters), "kind of space", path)

    def space(self, value: Any, path: str) -> Space:
        """A space on the map."""
        if isinstance(value, str):
            if value in PLACE:
                return value
            upper = value.strip().upper()
            if upper in PLACE:
                return upper
        raise Impossible(path, f"{value!r} {_OFF_THE_MAP}")

    def cards(self, value: Any, path: str) -> tuple[Card, ...]:
        """A list of cards."""
        known = self._cards
        if isinstance(value, list) and all(type(name) is str and name in known for name in value):
            return tuple(value)
        return tuple(
            self.card(name, f"{path}[{place}]")
            for place, name in enumerate(read_sequence(value, path), 1)
        )

    def by_seat(self, value: Any, path: str) -> Iterator[tuple[Seat, Any, str]]:
        """Seat, value and path of what a mapping says of each seat; nothing is left out."""
        yield from self._by(value, path, self.seats, self.seat)

    def by_side(self, value: Any, path: str) -> Iterator[tuple[Side, Any, str]]:
        """The same of sides."""
        yield from self._by(value, path, self._sides, self.side)

    def _by(self, value: Any, path: str, names: Sequence[str], read: Any) -> Any:
        seen: set[str] = set()
        for name, what in read_mapping(value, path).items():
            below = f"{path}.{name}"
            found = name if name in names else read(name, below)
            if found in seen:
                raise Impossible(below, f"{found} stands there twice")
            seen.add(found)
            if what is not None:
                yield found, what, below

    def keyed(
        self, given: Mapping[Any, Any], keys: Sequence[str], path: str
    ) -> Iterator[tuple[str, Any]]:
        """The pairs of a mapping whose keys are known, each under its own spelling."""
        for key, value in read_mapping(given, path).items():
            if key in keys:
                yield key, value
                continue
            folded = {fold(name): name for name in keys}
            found = folded.get(fold(str(key)))
            if found is None:
                hint = suggest(str(key), keys)
                known = f"did you mean {hint}?" if hint else f"there are {', '.join(keys)}"
                raise Impossible(f"{path}.{key}" if path else str(key), f"no such key; {known}")
            yield found, value


def parse_space(value: Any, path: str) -> Space:
    """A letter and a number, on the map or not: an order may name it (JW-34)."""
    if isinstance(value, str) and _SPACE.fullmatch(value.strip().upper()):
        return value.strip().upper()
    raise Impossible(path, f"expected a letter and a number, got {value!r}")


def parse_jump(value: Any, path: str) -> Jump:
    """A jump order, long or short (JW-28)."""
    if isinstance(value, str):
        found = _JUMP.fullmatch(value)
        if not found:
            raise Impossible(path, f"expected a jump like C4-D5 x3, got {value!r}")
        number = found[3].lower()
        return Jump(found[1].upper(), found[2].upper(), "all" if number == "all" else int(number))
    given = read_mapping(value, path)
    for key in ("from", "to", "fleets"):
        if key not in given:
            raise Impossible(path, f"expected from, to and fleets; {key} is missing")
    source, target = (parse_space(given[key], f"{path}.{key}") for key in ("from", "to"))
    return Jump(source, target, parse_amount(given["fleets"], f"{path}.fleets"))


def parse_amount(value: Any, path: str) -> int | Literal["all"]:
    """A number of fleets, or all of them."""
    if isinstance(value, str) and fold(value) == "all":
        return "all"
    return read_whole_number(value, path)


def shorten_jump(order: Jump) -> str:
    """A jump order in its short form."""
    number = "all" if order.fleets == "all" else f"x{order.fleets}"
    return f"{order.source}-{order.target} {number}"
