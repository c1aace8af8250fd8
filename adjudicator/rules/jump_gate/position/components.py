"""The components of an edition: planets, NavComp cards, resources, values (JG-2, JG-3)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import combinations
from typing import Annotated, Final

import msgspec
from msgspec import Struct

from adjudicator.core.document import Document, Impossible
from adjudicator.rules.jump_gate.position.resources import Resource, add_icon, find_kind, sort_cards

Planet = Annotated[str, "planet"]
Card = Annotated[str, "NavComp card"]

WILD: Final = "~"
"""A code that stands for every code of its kind (JG-2)."""

SECOND: Final = "jump-gate"
"""The kind of the second edition; the other is jump-gate-2010."""

_PLACES: Final = ("gate", "jump-gate", "black-hole", "none")
"""Words of orders and positions that a planet's name would be confused with."""


class Code(Struct, frozen=True):
    """One of the two codes of a NavComp card."""

    action: str
    """jump, scan, or land."""
    code: int | str
    """A number, or WILD."""

    def fits(self, action: str, number: int) -> bool:
        """Whether it counts as this code; a wildcard counts within its kind (JG-2)."""
        return self.action == action and self.code in (number, WILD)


class NavComp(Struct, frozen=True):
    """A card; only the 2010 edition has specials."""

    id: Card
    codes: tuple[Code, Code]
    special: str | None = None

    def fits(self, action: str, number: int) -> bool:
        """Whether one of its codes counts as this one."""
        one, other = self.codes
        return one.fits(action, number) or other.fits(action, number)


class World(Struct, frozen=True):
    """A planet and its four codes (JG-2)."""

    slug: Planet
    name: str
    jump: int
    scan: int
    land: tuple[int, int]

    def list_numbers(self, action: str) -> tuple[int, ...]:
        """List the planet's codes of this kind."""
        if action == "land":
            return self.land
        return (self.jump if action == "jump" else self.scan,)


class Lot(Struct, frozen=True):
    """Resource cards of one picture; so many of them carry the black hole icon (JG-3)."""

    resource: str
    count: int
    black_hole: int
    variant: str | None = None


class Scale(Struct, frozen=True):
    """How something scores; which values there are depends on the rule."""

    rule: str
    points: tuple[int, ...] = ()
    pair: int = 0
    single: int = 0
    value: int = 0


class Size(Struct, frozen=True):
    """A number of cards."""

    size: int


class Markers(Struct, frozen=True):
    """A number of markers."""

    markers: int


class Piles(Struct, frozen=True):
    """How many resources a planet is dealt."""

    face_down: int
    face_up: int


class Players(Struct, frozen=True):
    """How many can play."""

    smallest: int
    largest: int


class Constants(Struct, frozen=True, kw_only=True):
    """Numbers of the edition; those by number of players are keyed "2", "3" and so on."""

    planets_in_play: Mapping[str, object]
    hand: Size
    black_hole_end: Markers
    black_hole_loss: Mapping[str, object] = {}
    """2010: how many resources are lost (JGA-11)."""
    hidden_resources: Mapping[str, object] = {}
    """Second edition (JGB-2)."""
    resources_per_planet: Piles | None = None
    """Second edition; in the 2010 edition all cards are dealt (JGA-2)."""


class Components(Struct, frozen=True, dict=True):
    """seeds/jump_gate/jump_gate.yaml or jump_gate_2010.yaml."""

    kind: str
    title: str
    players: Players
    seats: tuple[str, ...]
    planets: tuple[World, ...]
    navcomp: tuple[NavComp, ...]
    resources: tuple[Lot, ...]
    scoring: Mapping[str, Scale]
    constants: Constants

    @cached_property
    def is_second(self) -> bool:
        """Whether this is the second edition."""
        return self.kind == SECOND

    @cached_property
    def worlds(self) -> Mapping[Planet, World]:
        """Every planet by its name in orders."""
        return {world.slug: world for world in self.planets}

    @cached_property
    def cards(self) -> Mapping[Card, NavComp]:
        """Every NavComp card by its number."""
        return {card.id: card for card in self.navcomp}

    @cached_property
    def resource_cards(self) -> Mapping[Resource, int]:
        """The number of each resource card, in the order of JG-3."""
        counts: dict[Resource, int] = {}
        for lot in self.resources:
            kind = find_kind(lot.resource, lot.variant)
            counts[kind] = counts.get(kind, 0) + lot.count - lot.black_hole
            counts[add_icon(kind)] = counts.get(add_icon(kind), 0) + lot.black_hole
        return {card: counts[card] for card in sort_cards(counts)}

    def find_by_players(self, table: Mapping[str, object], players: int) -> int:
        """Find a number that depends on the number of players; beyond the table its last one."""
        numbers = [int(key) for key in table if key.isdigit()]
        value = table[str(min(max(players, min(numbers)), max(numbers)))]
        assert isinstance(value, int)
        return value


def read(document: Document) -> Components:
    """Read the components; raises Impossible if the box is too small for its players."""
    box = msgspec.convert(document, Components)
    _check_each_once("planets", [world.slug for world in box.planets])
    _check_each_once("navcomp", [card.id for card in box.navcomp])
    _check_not_places([world.slug for world in box.planets])
    _check_icons(box.resources)
    for players in range(box.players.smallest, box.players.largest + 1):
        _check_enough(box, players)
    return box


def _check_each_once(path: str, names: Sequence[str]) -> None:
    twice = [name for place, name in enumerate(names) if name in names[:place]]
    if twice:
        raise Impossible(path, f"{twice[0]} appears twice")


def _check_not_places(planets: Sequence[Planet]) -> None:
    """Check that no planet can be mistaken for something else in orders (JG-6a)."""
    for planet in planets:
        if planet in _PLACES:
            raise Impossible("planets", f"{planet} means something else already")


def _check_icons(lots: Iterable[Lot]) -> None:
    """Check that no more cards carry the icon than there are (JG-3)."""
    for number, lot in enumerate(lots, start=1):
        if lot.black_hole > lot.count:
            why = f"{lot.black_hole} black hole icons on {lot.count} cards"
            raise Impossible(f"resources[{number}]", why)


def _check_enough(box: Components, players: int) -> None:
    """Check that everything that the setup deals is there."""
    constants = box.constants
    planets = box.find_by_players(constants.planets_in_play, players)
    if planets > len(box.planets):
        raise Impossible("planets", f"{players} players need {planets} planets")
    if constants.hand.size * players > len(box.navcomp):
        raise Impossible("navcomp", f"{players} players need {constants.hand.size} cards each")
    piles = constants.resources_per_planet or Piles(0, 1)
    hidden = constants.hidden_resources
    number = players * (box.find_by_players(hidden, players) if hidden else 1)
    number += planets * (piles.face_down + piles.face_up)
    if number > sum(box.resource_cards.values()):
        raise Impossible("resources", f"{players} players need {number} resource cards")


Fits = Callable[[NavComp], bool]


def count_matches(card: Card, ring: Sequence[Planet], components: Components) -> int:
    """Count the planets in play that its codes match, both codes added up (JG-6)."""
    worlds = [components.worlds[planet] for planet in ring]
    return sum(
        1
        for code in components.cards[card].codes
        for world in worlds
        if any(code.fits(code.action, number) for number in world.list_numbers(code.action))
    )


def find_least_card(cards: Iterable[Card], ring: Sequence[Planet], components: Components) -> Card:
    """Find the card that is worth least; ties by number (JG-6)."""
    return min(cards, key=lambda card: (count_matches(card, ring, components), card))


def find_least_pair(
    pairs: Iterable[tuple[Card, Card]], ring: Sequence[Planet], components: Components
) -> tuple[Card, Card]:
    """Find the pair with the smallest sum; ties by the lower card, then the other (JG-6)."""

    def order(pair: tuple[Card, Card]) -> tuple[int, Card, Card]:
        return sum(count_matches(card, ring, components) for card in pair), min(pair), max(pair)

    return min(pairs, key=order)


def can_land(one: NavComp, other: NavComp, world: World) -> bool:
    """Whether two cards match the two landing codes, each using one code (JG-2)."""
    first, second = world.land
    return (one.fits("land", first) and other.fits("land", second)) or (
        one.fits("land", second) and other.fits("land", first)
    )


def matches_landing_code(card: NavComp, world: World) -> bool:
    """Whether the card matches one of the landing codes."""
    return any(card.fits("land", number) for number in world.land)


def list_landing_pairs(
    cards: Iterable[Card], world: World, components: Components
) -> list[tuple[Card, Card]]:
    """List every pair of these cards that lands, the lower card first."""
    all_cards = components.cards
    return [
        (one, other)
        for one, other in combinations(sorted(cards), 2)
        if can_land(all_cards[one], all_cards[other], world)
    ]
