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
from typing import Final

from adjudicator.rules.jump_drive.position import counting
from adjudicator.rules.jump_drive.position.components import Card, Components, Name
from adjudicator.rules.jump_drive.position.powers import Discount, MilitaryAgainst

_POINT: Final = 4
_INCOME: Final = 5


def choose_least_valuable(
    hand: Sequence[Name], number: int, empire: Sequence[Name], components: Components
) -> tuple[Name, ...]:
    """So many cards of the hand, those worth least first; all of it where it has fewer."""
    own = components.named(empire)
    if number <= 0:
        return ()
    beside = Valuation(own)
    ranks = {name: (beside.worth(components.cards[name]), name) for name in dict.fromkeys(hand)}
    return tuple(sorted(hand, key=ranks.__getitem__)[:number])


class Valuation:
    """An empire beside which cards are valued; what a card cannot change is counted once."""

    def __init__(self, empire: Sequence[Card]) -> None:
        self._empire = empire
        self._terms = [
            (term, counting.count(term, empire), weight, term in value.once)
            for card in empire
            for value, weight in ((card.vp, _POINT), (card.income, _INCOME))
            if value.counts
            for term in (*value.per, *value.once)
            if term.whose == "own"
        ]
        self._strength = counting.general(empire)
        self._discounts = [power for card in empire for power in card.of(Discount)]
        self._against = [power for card in empire for power in card.of(MilitaryAgainst)]

    def worth(self, card: Card) -> int:
        """What the card is worth beside this empire."""
        return self._brings(card) + self._helps(card) + _can(card) - self._burden(card)

    def _brings(self, card: Card) -> int:
        """What the card itself would gain a round."""
        grown = (*self._empire, card)
        points, income = counting.points(card, grown, ()), counting.income(card, grown, ())
        return _POINT * points + _INCOME * income

    def _helps(self, card: Card) -> int:
        """What the cards that lie there would gain more with this one beside them."""
        more = 0
        for term, times, weight, once in self._terms:
            if term.strength is None:
                added = counting.count(term, (card,))
            else:
                added = counting.count(term, (*self._empire, card)) - times
            if added and once:
                more += 0 if times else weight * term.value
            elif added:
                gives = counting.per_term(term, times + added) - counting.per_term(term, times)
                more += weight * gives
        return more

    def _burden(self, card: Card) -> int:
        if card.defense is not None:
            special = sum(one.military_against for one in self._against if card.fits(one.on))
            return 4 * max(0, card.defense - self._strength - special)
        less = sum(one.discount for one in self._discounts if card.fits(one.on))
        return 3 * max(0, card.cost - less)


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
