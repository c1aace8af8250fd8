"""What a hand card is worth to its player: the program's choice of discards (JD-31).

A card is worth what it would bring in the rounds that are probably left, less what it costs:

  4 for each victory point that the empire would gain a round with the card in it,
  5 for each card of income that it would gain a round,
  2 for each military icon, 1 for each explore icon and each chromosome,
  2 for each card of a discount, 1 for each strength against something, 4 for any other power,
  less 3 for each card that it costs, discounts included; for a military world that is still too
  strong, 4 for each strength that is missing.

The empires of the others are not looked at. Of cards worth the same the first by name goes first.
"""

from collections.abc import Sequence

from adjudicator.rules.jump_drive import counting
from adjudicator.rules.jump_drive.components import Card, Components, Name
from adjudicator.rules.jump_drive.powers import Discount, MilitaryAgainst


def worth(card: Card, empire: Sequence[Card]) -> int:
    """What the card is worth beside this empire."""
    return _brings(card, empire) + _can(card) - _burden(card, empire)


def least(
    hand: Sequence[Name], number: int, empire: Sequence[Name], components: Components
) -> tuple[Name, ...]:
    """So many cards of the hand, those worth least first; all of it where it has fewer."""
    own = components.named(empire)
    ranks = {name: (worth(components.cards[name], own), name) for name in hand}
    return tuple(sorted(hand, key=ranks.__getitem__)[: max(0, number)])


def _brings(card: Card, empire: Sequence[Card]) -> int:
    grown = (*empire, card)
    gained = _sum(grown, counting.points) - _sum(empire, counting.points)
    drawn = _sum(grown, counting.income) - _sum(empire, counting.income)
    return 4 * gained + 5 * drawn


def _sum(empire: Sequence[Card], what: counting.Measure) -> int:
    return sum(what(card, empire, ()) for card in empire)


def _can(card: Card) -> int:
    value = 2 * card.military + card.explore + card.chromosomes
    for power in card.powers:
        if isinstance(power, Discount):
            value += 2 * power.discount
        elif isinstance(power, MilitaryAgainst):
            value += power.military_against
        else:
            value += 4
    return value


def _burden(card: Card, empire: Sequence[Card]) -> int:
    if card.defense is not None:
        return 4 * max(0, card.defense - counting.strength(card, empire))
    less = sum(
        power.discount for one in empire for power in one.of(Discount) if card.fits(power.on)
    )
    return 3 * max(0, card.cost - less)
