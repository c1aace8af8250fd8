"""What lies in the box, and boxes that a GM may put in its place."""

from typing import Any

import pytest

from adjudicator.core.document import Impossible
from adjudicator.rules.jump_gate.game import JumpGate
from adjudicator.rules.jump_gate.position.components import read
from tests.rules.jump_gate.games import FIRST, LIBRARY, SECOND

BOX = LIBRARY.kind("jump-gate").components()


@pytest.mark.parametrize("game", [FIRST, SECOND], ids=lambda game: game.kind)
def test_48_cards_of_either_kind(game: JumpGate) -> None:
    assert len(game.components.cards) == 48
    assert sum(game.components.resource_cards.values()) == 48
    assert len(game.components.worlds) == 12


def test_pictures_of_fame_make_no_difference() -> None:
    cards = FIRST.components.resource_cards
    assert (cards["fame"], cards["fame!"], cards["gem-red"], cards["gem-red!"]) == (3, 3, 2, 2)
    assert "nothing" not in SECOND.components.resource_cards
    assert "sand" not in cards


def test_a_wildcard_counts_within_its_kind() -> None:
    card = SECOND.components.cards["n12"]  # jump 4, land any
    assert [card.fits("land", number) for number in (1, 4)] == [True, True]
    assert [card.fits("jump", 4), card.fits("jump", 3), card.fits("scan", 1)] == [
        True,
        False,
        False,
    ]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"planets": BOX["planets"][:8]}, "planets: 5 players need 9 planets"),
        ({"planets": [*BOX["planets"], BOX["planets"][0]]}, "planets: anno appears twice"),
        ({"navcomp": [*BOX["navcomp"], BOX["navcomp"][0]]}, "navcomp: n01 appears twice"),
        ({"resources": BOX["resources"][:4]}, "resources: 2 players need 30 resource cards"),
        (
            {"resources": [*BOX["resources"][:-1], {**BOX["resources"][-1], "black_hole": 7}]},
            r"resources\[8\]: 7 black hole icons on 6 cards",
        ),
        (
            {"planets": [*BOX["planets"][:-1], {**BOX["planets"][-1], "slug": "gate"}]},
            "planets: gate means something else already",
        ),
    ],
)
def test_a_box_that_cannot_be(change: dict[str, Any], words: str) -> None:
    with pytest.raises(Impossible, match=words):
        read({**BOX, **change})
