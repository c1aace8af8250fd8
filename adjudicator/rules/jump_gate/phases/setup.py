"""The position in which the first orders are owed (JGA-1 to JGA-3, JGB-1 to JGB-3)."""

from collections.abc import Sequence

from msgspec import Struct

from adjudicator.core.dice import Dice
from adjudicator.core.document import Document, Seat
from adjudicator.rules.jump_gate.position.components import Card, Components, Planet
from adjudicator.rules.jump_gate.position.options import list_seats, read_options
from adjudicator.rules.jump_gate.position.resources import (
    FAME,
    NOTHING,
    Resource,
    kind_of,
    sort_cards,
)
from adjudicator.rules.jump_gate.position.state import Options, Ship, Site, State, Table

_DEALT_2010 = 1  # JGA-2


class _Deal(Struct, frozen=True, kw_only=True):
    """Where the resource cards went."""

    dealt: dict[Seat, tuple[Resource, ...]]
    face_up: dict[Planet, tuple[Resource, ...]]
    face_down: dict[Planet, tuple[Resource, ...]]


def setup(given: Document, seats: Sequence[Seat], dice: Dice, components: Components) -> State:
    """A new game: everybody on the Jump Gate, with five cards in hand."""
    seats = list_seats(seats, components)
    options = read_options(given, seats, components)
    ring = _ring(options, len(seats), dice, components)
    deal = _resources(seats, ring, dice, components)
    hands, deck = _navcomp(seats, dice, components)
    nothing: dict[Seat, tuple[Resource, ...]] = dict.fromkeys(seats, ())
    table = Table(
        options=options,
        seats=seats,
        active=options.start_player or dice.draw("start player").choice(seats),
        ring=ring,
        planets={
            planet: Site(face_up=deal.face_up[planet], face_down=len(deal.face_down[planet]))
            for planet in ring
        },
        ships=dict.fromkeys(seats, Ship()),
        collected=nothing if components.second else deal.dealt,
        black_hole=dict.fromkeys(seats, 0),
        jump_gate=dict.fromkeys(seats, 0),
    )
    return State(
        table=table,
        hands=hands,
        deck=deck,
        face_down=deal.face_down,
        hidden=deal.dealt if components.second else nothing,
    )


def _ring(options: Options, players: int, dice: Dice, components: Components) -> tuple[Planet, ...]:
    """Random planets in random order (JGA-1, JGB-1)."""
    planets = dice.draw("planets").shuffled(components.worlds)
    if options.sun_dial:
        return planets
    return planets[: components.by_players(components.constants.planets_in_play, players)]


def _resources(
    seats: Sequence[Seat], ring: Sequence[Planet], dice: Dice, components: Components
) -> _Deal:
    """Cards to the players, then to the planets (JGA-2, JGB-2)."""
    box = [card for card, count in components.resource_cards.items() for _ in range(count)]
    deck = list(dice.draw("resources").shuffled(box))
    number = _DEALT_2010
    barred = {FAME, NOTHING}
    if components.second:
        number = components.by_players(components.constants.hidden_resources, len(seats))
        barred = {FAME}
    dealt: dict[Seat, tuple[Resource, ...]] = {}
    for seat in seats:
        allowed = [place for place, card in enumerate(deck) if kind_of(card) not in barred]
        places = allowed[:number]
        dealt[seat] = sort_cards(deck[place] for place in places)
        deck = [card for place, card in enumerate(deck) if place not in places]
    deck = list(dice.draw("resources", "rest").shuffled(deck))  # those replaced are among them
    piles = components.constants.resources_per_planet
    face_up: dict[Planet, tuple[Resource, ...]] = {planet: (deck.pop(0),) for planet in ring}
    rest = deck if piles is None else deck[: piles.face_down * len(ring)]
    face_down = {planet: tuple(rest[n :: len(ring)]) for n, planet in enumerate(ring)}
    return _Deal(dealt=dealt, face_up=face_up, face_down=face_down)


def _navcomp(
    seats: Sequence[Seat], dice: Dice, components: Components
) -> tuple[dict[Seat, tuple[Card, ...]], tuple[Card, ...]]:
    """Five cards each (JGA-3, JGB-3)."""
    deck = dice.draw("navcomp").shuffled(components.cards)
    size = components.constants.hand.size
    hands = {
        seat: components.sorted(deck[place * size : (place + 1) * size])
        for place, seat in enumerate(seats)
    }
    return hands, deck[size * len(seats) :]
