"""What the codes of a NavComp card match, and which card goes where none is named (JG-6)."""

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations

from adjudicator.rules.jump_gate.position.components import Card, Components, NavComp, Planet, World

Fits = Callable[[NavComp], bool]


def count_matches(card: Card, ring: Sequence[Planet], components: Components) -> int:
    """How many planets in play its codes match, both codes added up (JG-6)."""
    worlds = [components.worlds[planet] for planet in ring]
    return sum(
        1
        for code in components.cards[card].codes
        for world in worlds
        if any(code.fits(code.action, number) for number in world.numbers(code.action))
    )


def least_card(cards: Iterable[Card], ring: Sequence[Planet], components: Components) -> Card:
    """The card that is worth least; ties by number (JG-6)."""
    return min(cards, key=lambda card: (count_matches(card, ring, components), card))


def least_pair(
    pairs: Iterable[tuple[Card, Card]], ring: Sequence[Planet], components: Components
) -> tuple[Card, Card]:
    """The pair with the smallest sum; ties by the lower card, then the other (JG-6)."""

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


def landing_pairs(
    cards: Iterable[Card], world: World, components: Components
) -> list[tuple[Card, Card]]:
    """Every pair of these cards that lands, the lower card first."""
    known = components.cards
    return [
        (one, other)
        for one, other in combinations(sorted(cards), 2)
        if can_land(known[one], known[other], world)
    ]
