"""What lies in the box (seeds/toy_duel/components.yaml)."""

from collections.abc import Mapping, Sequence

import msgspec
from msgspec import Struct

from adjudicator.core.dice import Dice
from adjudicator.core.document import Document
from adjudicator.core.tabletop import list_copies

Card = str


class Sort(Struct, frozen=True):
    """A sort of card."""

    value: int
    copies: int


class Box(Struct, frozen=True):
    """The components; the cards stand there from the weakest on."""

    kind: str
    title: str
    hand: int
    cards: Mapping[Card, Sort]

    @property
    def copies(self) -> Mapping[Card, int]:
        """How often each card is there."""
        return {name: sort.copies for name, sort in self.cards.items()}

    def in_order(self, cards: Sequence[Card]) -> tuple[Card, ...]:
        """The cards from the weakest on."""
        return tuple(sorted(cards, key=list(self.cards).index))

    def shuffled(self, dice: Dice) -> tuple[Card, ...]:
        """The whole deck in random order."""
        return dice.draw("deck").shuffled(list_copies(self.copies))


def read_box(given: Document) -> Box:
    """The box that the components describe."""
    return msgspec.convert(dict(given), Box)
