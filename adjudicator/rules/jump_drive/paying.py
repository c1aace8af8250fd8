"""What placing costs, and with which cards it is paid (JD-5, JD-6, JD-9, JD-20, JD-22)."""

from collections import Counter
from collections.abc import Iterable, Sequence

from adjudicator.rules.jump_drive import valuation
from adjudicator.rules.jump_drive.components import Card, Components, Name
from adjudicator.rules.jump_drive.counting import Empire
from adjudicator.rules.jump_drive.powers import Discount, PayForMilitary

ALONE = 1
"""A development costs so much less when nothing else is placed (JD-5)."""


def reductions(empire: Empire, card: Card) -> tuple[tuple[Card, int], ...]:
    """The cards of the empire that make it cheaper, and by how much."""
    return tuple(
        (one, power.discount) for one in empire for power in one.of(Discount) if card.fits(power.on)
    )


def development_cost(empire: Empire, card: Card, *, alone: bool) -> int:
    """What a development costs (JD-5, JD-9)."""
    less = sum(less for _, less in reductions(empire, card))
    return max(0, card.cost - less - (ALONE if alone else 0))


def world_cost(empire: Empire, card: Card, *, convoy: int = 0) -> int:
    """What a world costs that is paid for; of a military one the specialist pays the defense."""
    less = sum(less for _, less in reductions(empire, card)) + convoy
    price = card.cost
    if card.defense is not None:
        price, less = card.defense, less + _specialist(empire)
    return max(0, price - less)


def specialist(empire: Empire) -> PayForMilitary | None:
    """The power to pay for a military world; a second one gives nothing more (JD-20)."""
    return next((power for card in empire for power in card.of(PayForMilitary)), None)


def _specialist(empire: Empire) -> int:
    power = specialist(empire)
    return power.discount if power else 0


def without(hand: Sequence[Name], cards: Iterable[Name]) -> tuple[Name, ...]:
    """The hand without these cards; a name stands for one copy."""
    left = list(hand)
    for card in cards:
        if card in left:
            left.remove(card)
    return tuple(left)


def holds(hand: Sequence[Name], cards: Iterable[Name]) -> bool:
    """Whether the hand has all of these cards, each copy counted."""
    return not Counter(cards) - Counter(hand)


def preferred(
    hand: Sequence[Name],
    wanted: Sequence[Name],
    number: int,
    empire: Sequence[Name],
    components: Components,
) -> tuple[Name, ...]:
    """So many cards of the hand: first those wanted, in order, then the program's choice.

    Names that are not in hand are passed over, names beyond the number ignored (JD-4a, JD-31).
    """
    chosen: list[Name] = []
    for card in wanted:
        if len(chosen) < number and holds(hand, (*chosen, card)):
            chosen.append(card)
    rest = without(hand, chosen)
    missing = max(0, number - len(chosen))
    return (*chosen, *valuation.least(rest, missing, empire, components))
