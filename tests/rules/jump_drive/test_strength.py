"""What strength an empire has against a world, and what is told of it (JD-7)."""

import random

import pytest

from adjudicator.rules.jump_drive.phases.costs import explain_shortfall, explain_strength
from adjudicator.rules.jump_drive.position.counting import count_strength
from tests.games.jump_drive.play import RULES

BOX = RULES.components
CARDS = tuple(BOX.cards[name] for name in sorted(BOX.deck))
WORLDS = tuple(card for card in CARDS if card.defense is not None)


@pytest.mark.parametrize("number", range(30))
def test_the_parts_that_are_told_make_up_the_strength_that_counts(number: int) -> None:
    """JD-7: what cards have, what they hire, and what they have against this sort of world."""
    luck = random.Random(number)
    empire = tuple(luck.sample(CARDS, 10))
    for world in WORLDS:
        told = explain_strength(world, empire)
        parts = [int(part.rpartition(" ")[2]) for part in told.split(", ") if part]
        assert sum(parts) == count_strength(world, empire)
        assert 0 not in parts
        if told:
            assert f"you have {sum(parts)}: {told}." in explain_shortfall(world, empire)
