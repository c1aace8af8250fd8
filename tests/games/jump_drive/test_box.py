"""What lies in the box of Jump Drive, and what a GM may put into it."""

from collections.abc import Mapping
from typing import Any

import pytest

from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.desk.model.errors import Refused
from tests.games.jump_drive.play import KIND

BOX = KIND.components()


def with_card(name: str, **change: Any) -> Mapping[str, Any]:
    """The box with something else on one card; a number more or less of it is counted."""
    cards = [{**card, **(change if card["slug"] == name else {})} for card in BOX["cards"]]
    return {**BOX, "cards": cards, "deck_size": sum(card["copies"] for card in cards)}


def without(name: str) -> Mapping[str, Any]:
    """The box without a card."""
    cards = [card for card in BOX["cards"] if card["slug"] != name]
    return {**BOX, "cards": cards, "deck_size": sum(card["copies"] for card in cards)}


TEAM = BOX["supply"][0]
NAMELESS = {"base": 0, "with": [{"card": "gem-moon", "whose": "own", "value": 1}]}
BAD = {"base": -1}
TWO = {"base": 0, "per": [{"icon": "explore", "kind": "world", "whose": "own", "value": 1}]}


@pytest.mark.parametrize(
    ("box", "words"),
    [
        (without("contact-specialist"), "trade-pact: it names contact-specialist, which is no"),
        (with_card("gem-world", vp=NAMELESS), "gem-world: it names gem-moon, which is no card"),
        (with_card("galactic-advertisers", powers=[{"discount": 1, "on": {"card": "gem"}}]), "gem"),
        ({**BOX, "cards": [*BOX["cards"], BOX["cards"][0]]}, "trade-pact appears twice"),
        ({**BOX, "deck_size": 113}, "deck_size: it says 113, but the copies are 112 in all"),
        (with_card("gem-world", hand="D"), "hand A has 4 cards, not 5"),
        (with_card("gem-world", vp=TWO), "gem-world: every term of vp and income counts one thing"),
        (with_card("gem-world", vp=BAD), "minimum of 0"),
        ({**BOX, "supply": [{**TEAM, "copies": 3}]}, "supply: 4 players need a survey-team each"),
        ({**BOX, "supply": [{**TEAM, "powers": []}]}, "supply: one development"),
        (with_card("gem-world", powers=[{"from_supply": True}]), "supply: one development"),
        ({**BOX, "constants": {**BOX["constants"], "dealt": 29}}, "4 players need 29 cards each"),
        ({**BOX, "constants": {**BOX["constants"], "hand": 8}}, "8 cards cannot be kept of fewer"),
    ],
)
def test_a_box_that_cannot_be(box: Mapping[str, Any], words: str) -> None:
    with pytest.raises(Refused, match=words):
        FolderLibrary().kind("jump-drive", box)


def test_more_copies_of_a_card_can_be_played() -> None:
    kind = FolderLibrary().kind("jump-drive", with_card("gem-world", copies=9, cost=0))
    assert kind.rules.components.deck["gem-world"] == 9
