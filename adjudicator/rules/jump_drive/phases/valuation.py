"""What a card is worth to a player, and which cards the program discards (JD-31).

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

from adjudicator.core.tabletop import has_cards, remove_cards
from adjudicator.rules.jump_drive.position import counting
from adjudicator.rules.jump_drive.position.components import Card, Components, Name
from adjudicator.rules.jump_drive.position.powers import Discount, MilitaryAgainst

_POINT: Final = 4
_INCOME: Final = 5


def choose_cards(
    hand: Sequence[Name],
    preference: Sequence[Name],
    number: int,
    empire: Sequence[Name],
    components: Components,
) -> tuple[Name, ...]:
    """Choose this many cards of the hand: first those wanted, in order, then the program's choice.

    Names that are not in hand are passed over, names beyond the number ignored (JD-4a, JD-31).
    """
    choice: list[Name] = []
    for card in preference:
        if len(choice) < number and has_cards(hand, (*choice, card)):
            choice.append(card)
    rest = remove_cards(hand, choice)
    missing = max(0, number - len(choice))
    return (*choice, *choose_least_valuable(rest, missing, empire, components))


def choose_least_valuable(
    hand: Sequence[Name], number: int, empire: Sequence[Name], components: Components
) -> tuple[Name, ...]:
    """Choose this many cards of the hand, the least valuable first; all of a smaller hand."""
    if not number:
        return ()
    beside = Valuation(components.find_cards(empire))
    ranks = {name: (beside.appraise(components.cards[name]), name) for name in dict.fromkeys(hand)}
    return tuple(sorted(hand, key=ranks.__getitem__)[:number])


class Valuation:
    """An empire beside which cards are valued; what a card cannot change is counted once."""

    def __init__(self, empire: Sequence[Card]) -> None:
        self._empire = empire
        self._terms = [
            (term, counting.count_term(term, empire), weight, term in value.once)
            for card in empire
            for value, weight in ((card.vp, _POINT), (card.income, _INCOME))
            if value.depends_on_empires
            for term in (*value.per, *value.once)
            if term.whose == "own"
        ]
        self._strength = counting.count_general(empire)
        self._discounts = [power for card in empire for power in card.list_powers(Discount)]
        self._against = [power for card in empire for power in card.list_powers(MilitaryAgainst)]

    def appraise(self, card: Card) -> int:
        """Appraise the card beside this empire."""
        return (
            self._count_gain(card)
            + self._count_help(card)
            + _value_powers(card)
            - self._count_burden(card)
        )

    def _count_gain(self, card: Card) -> int:
        """Count what the card itself would gain a round."""
        empire = (*self._empire, card)
        points, income = (
            counting.count_points(card, empire, ()),
            counting.count_income(card, empire, ()),
        )
        return _POINT * points + _INCOME * income

    def _count_help(self, card: Card) -> int:
        """Count what the present cards would gain more with this one beside them."""
        more = 0
        for term, times, weight, once in self._terms:
            if term.strength is None:
                increase = counting.count_term(term, (card,))
            else:
                increase = counting.count_term(term, (*self._empire, card)) - times
            if increase and once:
                more += 0 if times else weight * term.value
            elif increase:
                gives = counting.count_per_term(term, times + increase) - counting.count_per_term(
                    term, times
                )
                more += weight * gives
        return more

    def _count_burden(self, card: Card) -> int:
        if card.defense is not None:
            special = sum(one.military_against for one in self._against if card.fits(one.on))
            return 4 * max(0, card.defense - self._strength - special)
        less = sum(one.discount for one in self._discounts if card.fits(one.on))
        return 3 * max(0, card.cost - less)


def _value_powers(card: Card) -> int:
    value = 2 * card.military + card.explore + card.chromosomes
    for power in card.powers:
        if isinstance(power, Discount):
            value += 2 * power.discount
        elif isinstance(power, MilitaryAgainst):
            value += power.military_against
        else:
            value += 4
    return value
