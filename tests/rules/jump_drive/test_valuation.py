"""What a card is worth to the program when it chooses discards (JD-31)."""

import random

import pytest

from adjudicator.rules.jump_drive.phases.valuation import Valuation, choose_least_valuable
from adjudicator.rules.jump_drive.position.components import Card
from adjudicator.rules.jump_drive.position.counting import (
    Empire,
    Measure,
    count_income,
    count_points,
    count_strength,
)
from adjudicator.rules.jump_drive.position.powers import Discount, MilitaryAgainst
from tests.games.jump_drive.play import RULES

BOX = RULES.components
CARDS = tuple(BOX.cards[name] for name in sorted(BOX.deck))


def count_gain(measure: Measure, card: Card, empire: Empire) -> int:
    """What the empire would gain a round more with the card in it, all counted anew."""
    grown = (*empire, card)
    after = sum(measure(one, grown, ()) for one in grown)
    return after - sum(measure(one, empire, ()) for one in empire)


def count_powers(card: Card) -> int:
    """2 for each card of a discount, 1 for each strength against something, 4 for any other."""
    worth = 0
    for power in card.powers:
        match power:
            case Discount(discount=cards):
                worth += 2 * cards
            case MilitaryAgainst(military_against=strength):
                worth += strength
            case _:
                worth += 4
    return worth


def count_burden(card: Card, empire: Empire) -> int:
    """3 for each card that it costs, 4 for each strength that is missing."""
    if card.defense is not None:
        return 4 * max(0, card.defense - count_strength(card, empire))
    discounts = [power for one in empire for power in one.list_powers(Discount)]
    less = sum(one.discount for one in discounts if card.fits(one.on))
    return 3 * max(0, card.cost - less)


def find_worth(card: Card, empire: Empire) -> int:
    """The rule, word by word."""
    return (
        4 * count_gain(count_points, card, empire)
        + 5 * count_gain(count_income, card, empire)
        + 2 * card.military
        + card.explore
        + card.chromosomes
        + count_powers(card)
        - count_burden(card, empire)
    )


@pytest.mark.parametrize("size", range(9))
def test_a_card_is_worth_what_the_rule_says(size: int) -> None:
    """Beside empires of every size; terms that count once are met with and without a match."""
    chance = random.Random(size)
    for _ in range(12):
        empire = tuple(chance.sample(CARDS, size))
        beside = Valuation(empire)
        assert {card.slug: beside.appraise(card) for card in CARDS} == {
            card.slug: find_worth(card, empire) for card in CARDS
        }


def test_a_card_that_matches_once_is_worth_nothing_more_the_second_time() -> None:
    """JD-17: a "with" term gives its points to an empire once, however much matches."""
    holders = [card for card in CARDS if any(t.whose == "own" for t in card.vp.once)]
    assert holders
    for holder in holders:
        matches = [
            card
            for card in CARDS
            if card is not holder
            and count_points(holder, (holder, card), ()) > count_points(holder, (holder,), ())
        ]
        for match in matches:
            first, second = (holder,), (holder, match)
            beside = (Valuation(first).appraise(match), Valuation(second).appraise(match))
            assert beside == (find_worth(match, first), find_worth(match, second))


@pytest.mark.parametrize("number", range(4))
def test_as_many_cards_are_chosen_as_are_wanted(number: int) -> None:
    hand = ("trade-pact", "military-convoy", "gem-world")
    assert len(choose_least_valuable(hand, number, (), BOX)) == number


def test_of_cards_worth_the_same_the_first_by_name_goes_first() -> None:
    hand = tuple(BOX.deck)
    worths = {name: find_worth(BOX.cards[name], ()) for name in hand}
    chosen = choose_least_valuable(hand[::-1], len(hand), (), BOX)
    assert list(chosen) == sorted(hand, key=lambda name: (worths[name], name))
