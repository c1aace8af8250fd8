"""What an empire counts: icons, strength, points, income (JD-7, JD-11, JD-17, JD-18)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct

from adjudicator.core.document import Seat
from adjudicator.core.memo import Latest
from adjudicator.rules.jump_drive.position.components import (
    ANY,
    Card,
    Components,
    Name,
    Term,
    Value,
)
from adjudicator.rules.jump_drive.position.powers import MilitaryAgainst, MilitaryPer

Empire = Sequence[Card]
Measure = Callable[[Card, Empire, Sequence[Empire]], int]
"""`count_points` or `count_income`."""


def count_icons(empire: Iterable[Card], icon: str) -> int:
    """Count the icons printed on the cards."""
    return sum(card.count_icons(icon) for card in empire)


def count_general(empire: Empire) -> int:
    """Count general strength: military icons, and what mercenaries bring (JD-7)."""
    hired = sum(
        power.military_per.value * count_icons(empire, power.military_per.icon)
        for card in empire
        for power in card.list_powers(MilitaryPer)
    )
    return count_icons(empire, "military") + hired


def count_special(world: Card, empire: Empire) -> int:
    """Count specialised strength that applies to this world (JD-7)."""
    return sum(
        power.military_against
        for card in empire
        for power in card.list_powers(MilitaryAgainst)
        if world.fits(power.on)
    )


def count_strength(world: Card, empire: Empire) -> int:
    """Count what can be brought against this world (JD-7)."""
    return count_general(empire) + count_special(world, empire)


def count_points(card: Card, own: Empire, others: Sequence[Empire]) -> int:
    """Count what a card of this empire scores now."""
    return _count_value(card.vp, own, others)


def count_income(card: Card, own: Empire, others: Sequence[Empire]) -> int:
    """Count what a card of this empire draws now."""
    return _count_value(card.income, own, others)


def count_totals(
    empires: Mapping[Seat, Sequence[Name]], components: Components, what: Measure
) -> dict[Seat, int]:
    """Sum points or income over every empire's cards."""
    cards = {seat: components.find_cards(empire) for seat, empire in empires.items()}
    totals = {}
    for seat, own in cards.items():
        others = list_others(cards, seat)
        totals[seat] = sum([what(card, own, others) for card in own])
    return totals


class Earning(Struct, frozen=True):
    """A card of an empire, and what it scores and draws there now."""

    card: Card
    points: int
    income: int


@Latest
def list_earnings(
    empires: Mapping[Seat, Sequence[Name]], components: Components
) -> Mapping[Seat, Sequence[Earning]]:
    """List what every empire's cards bring, the same for every reader of a report."""
    cards = {seat: components.find_cards(empire) for seat, empire in empires.items()}
    earnings = {}
    for seat, own in cards.items():
        others = list_others(cards, seat)
        earnings[seat] = [
            Earning(card, count_points(card, own, others), count_income(card, own, others))
            for card in own
        ]
    return earnings


def sum_earnings(earnings: Iterable[Earning]) -> tuple[int, int]:
    """Sum up the points and the income of an empire."""
    return sum([one.points for one in earnings]), sum([one.income for one in earnings])


def list_others(empires: Mapping[Seat, Empire], seat: Seat) -> tuple[Empire, ...]:
    """List the empires of the other players."""
    return tuple(empire for other, empire in empires.items() if other != seat)


def _count_value(value: Value, own: Empire, others: Sequence[Empire]) -> int:
    if not value.depends_on_empires:
        return value.base
    per = sum(count_per_term(term, _count_times(term, own, others)) for term in value.per)
    once = sum(term.value for term in value.once if _count_times(term, own, others))
    return value.base + per + once


def count_per_term(term: Term, times: int) -> int:
    """Count what a "per" term gives for this many things (JD-17)."""
    return times // term.each * term.value


def _count_times(term: Term, own: Empire, others: Sequence[Empire]) -> int:
    """Count how often it is there: here, or in the one other empire with the most (JD-17)."""
    if term.whose == "own":
        return count_term(term, own)
    return max((count_term(term, empire) for empire in others), default=0)


def count_term(term: Term, empire: Empire) -> int:
    """Count how often the thing that a term counts is in an empire."""
    if term.strength is not None:
        return count_general(empire)
    if term.icon is not None:
        return count_icons(empire, term.icon)
    return sum(1 for card in empire if _matches(term, card))


def _matches(term: Term, card: Card) -> bool:
    if term.card is not None:
        return card.slug == term.card
    if term.kind is not None:
        return card.kind == term.kind
    if term.military_world:
        return card.is_military
    return card.kind == "world" and term.world in (ANY, card.colour)


KEPT: Final = 2
"""Cards that an explorer wins in the end."""
_MORE: Final = 3
"""Cards that every explorer looks at beside those of icons."""


def count_cards_seen(empire: Sequence[Name], components: Components) -> int:
    """Count how many cards the explorer draws."""
    return KEPT + count_icons(components.find_cards(empire), "explore") + _MORE


def count_discards(draws: int) -> int:
    """Count how many are discarded; if there were fewer to draw, as many fewer."""
    return max(0, draws - KEPT)
