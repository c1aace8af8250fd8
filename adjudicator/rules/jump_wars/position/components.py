"""The components: counters, deck, technologies, specials (JW-1, JW-3, JW-6, JW-7)."""

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Annotated

import msgspec
from msgspec import Struct

from adjudicator.core.document import Document, Impossible

Card = Annotated[str, "card"]
Tech = Annotated[str, "technology"]


class Counter(Struct, frozen=True):
    """A kind of system counter."""

    count: int
    sign: str
    income: int = 0


class Technology(Struct, frozen=True):
    """A basic technology."""

    code: str
    copies: int


class Special(Struct, frozen=True):
    """A special technology; the cost is in levels (JW-21)."""

    copies: int
    rule: str
    does: str
    cost: Mapping[Tech, int] = {}


class Chart(Struct, frozen=True):
    """The size of the map and the old empire's space."""

    columns: int
    rows: int
    empire: str


class Start(Struct, frozen=True):
    """The starting position of every player."""

    fleets: int
    level: int
    empire_fleets: int


class Components(Struct, frozen=True, dict=True):
    """seeds/jump_wars/components.yaml; technologies, then specials are the deck-list order."""

    kind: str
    title: str
    seats: tuple[str, ...]
    map: Chart
    counters: Mapping[str, Counter]
    start: Start
    technologies: Mapping[Tech, Technology]
    specials: Mapping[Card, Special]

    @cached_property
    def cards(self) -> Mapping[Card, int]:
        """The number of copies of every card, in deck-list order."""
        basics = {name: tech.copies for name, tech in self.technologies.items()}
        return basics | {name: special.copies for name, special in self.specials.items()}

    @cached_property
    def costs(self) -> Mapping[Card, Mapping[Tech, int]]:
        """The levels that each ability costs."""
        return {name: dict(special.cost) for name, special in self.specials.items()}

    @cached_property
    def rank(self) -> Mapping[Card, int]:
        """The place of every card in deck-list order."""
        return {card: place for place, card in enumerate(self.cards)}

    def sort_cards(self, cards: Iterable[Card]) -> tuple[Card, ...]:
        """Sort the cards in deck-list order, as hands and abilities are kept."""
        return tuple(sorted(cards, key=self.rank.__getitem__))


def read(document: Document) -> Components:
    """Read the components as values; raises Impossible."""
    components = msgspec.convert(document, Components)
    for name, special in components.specials.items():
        for tech in special.cost:
            if tech not in components.technologies:  # JW-21
                raise Impossible(f"specials.{name}.cost.{tech}", "there is no such technology")
    return components
