"""The components: developments, worlds and survey teams (JD-1, JD-2)."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Annotated, Any, Final, Literal, TypeVar

import msgspec
from msgspec import Struct

from adjudicator.core.document import Document, Impossible
from adjudicator.rules.jump_drive.position.powers import (
    Discount,
    FromSupply,
    MilitaryAgainst,
    Power,
    Requires,
    Target,
    read_power,
)

Name = Annotated[str, "card"]
"""A card, by its name in orders."""

DeckCard = Annotated[str, "card of the deck"]
"""Any but a survey team: those lie in the centre of the table."""

P = TypeVar("P", bound=Struct)

DEVELOPMENT: Final = "development"
WORLD: Final = "world"
ANY: Final = "any"


class Term(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something counted in an empire, and what it is worth (JD-17)."""

    whose: Literal["own", "other"]
    value: int
    world: str | None = None
    military_world: bool = False
    icon: str | None = None
    kind: str | None = None
    card: str | None = None
    strength: Literal["general"] | None = None
    each: int = 1
    round: Literal["down"] = "down"


class Value(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Victory points or income of a card: a number, and terms."""

    base: int
    per: tuple[Term, ...] = ()
    once: tuple[Term, ...] = msgspec.field(default=(), name="with")

    @property
    def depends_on_empires(self) -> bool:
        """Whether it depends on what lies in empires."""
        return bool(self.per or self.once)


class Printed(Struct, frozen=True, kw_only=True):
    """What a card says, but for what it can do."""

    slug: Name
    name: str
    copies: int
    kind: str
    colour: str
    tags: tuple[str, ...]
    explore: int
    military: int
    chromosomes: int
    vp: Value
    income: Value
    cost: int = 0
    defense: int | None = None
    hand: str | None = None
    """The preset hand that holds one copy (JD-2)."""


class Card(Printed, frozen=True, kw_only=True, dict=True):
    """A card of the game, or a survey team."""

    powers: tuple[Power, ...]

    @property
    def is_military(self) -> bool:
        """Whether it is a world with a defense, however it is placed (JD-17)."""
        return self.defense is not None

    def count_icons(self, icon: str) -> int:
        """Count how many of these icons are printed on it."""
        if icon == "explore":
            return self.explore
        return self.military if icon == "military" else self.chromosomes

    def list_powers(self, kind: type[P]) -> tuple[P, ...]:
        """List the card's powers of this kind."""
        powers: tuple[P, ...] = self._powers_by_kind.get(kind, ())
        return powers

    @cached_property
    def _powers_by_kind(self) -> Mapping[type, tuple[Any, ...]]:
        kinds = dict.fromkeys(map(type, self.powers))
        return {kind: tuple([one for one in self.powers if type(one) is kind]) for kind in kinds}

    def fits(self, target: Target) -> bool:
        """Whether a power applies to this card (JD-6, JD-7)."""
        if target.card is not None:
            return target.card == self.slug
        if target.kind is not None:
            return target.kind == self.kind
        if target.tag is not None:
            return self.kind == WORLD and target.tag in self.tags
        return self.kind == WORLD and target.world in (ANY, self.colour)


class Constants(Struct, frozen=True):
    """Numbers of the rulebook."""

    hand: int
    """Cards kept at the start (JD-2)."""
    dealt: int
    limit: int
    """Of the hand, after income (JD-15)."""
    goal: int
    """Victory points that end the game (JD-13)."""
    idle: int
    """Idle rounds in a row that end it (JD-28)."""


class Components(Struct, frozen=True, dict=True):
    """seeds/jump_drive/components.yaml; the order of its cards settles nothing."""

    kind: str
    title: str
    seats: tuple[str, ...]
    cards: Mapping[Name, Card]
    """Every card by its name, the survey team among them."""
    constants: Constants

    @cached_property
    def deck(self) -> Mapping[Name, int]:
        """The number of each card that is dealt, by name."""
        return {name: self.cards[name].copies for name in sorted(self.cards) if name != self.team}

    @cached_property
    def team(self) -> Name:
        """The card that is taken from the centre of the table (JD-9)."""
        return next(name for name, card in self.cards.items() if card.list_powers(FromSupply))

    @cached_property
    def presets(self) -> Mapping[str, tuple[Name, ...]]:
        """The hands for a first game (JD-2)."""
        letters = sorted({card.hand for card in self.cards.values() if card.hand})
        return {
            letter: tuple(sorted(name for name, c in self.cards.items() if c.hand == letter))
            for letter in letters
        }

    def find_cards(self, cards: Iterable[Name]) -> tuple[Card, ...]:
        """Find the cards of these names."""
        return tuple(map(self.cards.__getitem__, cards))


def read(document: Document) -> Components:
    """Read the components as values; raises Impossible."""
    cards = [_read_card(entry) for entry in (*document["supply"], *document["cards"])]
    return Components(
        kind=document["kind"],
        title=document["title"],
        seats=tuple(document["seats"]),
        cards={card.slug: card for card in cards},
        constants=msgspec.convert(document["constants"], Constants),
    )


def _read_card(entry: Mapping[str, Any]) -> Card:
    printed = msgspec.structs.asdict(msgspec.convert(entry, Printed))
    return Card(**printed, powers=tuple(read_power(one, entry["slug"]) for one in entry["powers"]))


def check_box(document: Document, components: Components) -> None:
    """Raise Impossible for cards that contradict each other or are too few."""
    _check_each_once([entry["slug"] for entry in (*document["supply"], *document["cards"])])
    _check_one_team(components)
    for card in components.cards.values():
        _check_terms(card)
        for name in _list_names_on(card):
            if name not in components.cards:
                raise Impossible(f"cards.{card.slug}", f"it names {name}, which is no card")
    _check_enough(document, components)
    _check_presets(components)


def _check_each_once(names: Sequence[Name]) -> None:
    for name, number in Counter(names).items():
        if number > 1:
            raise Impossible("cards", f"{name} appears twice; say how many by its copies")


def _check_one_team(components: Components) -> None:
    """Check that one card, a development, is taken from the table (JD-9)."""
    teams = [card for card in components.cards.values() if card.list_powers(FromSupply)]
    if len(teams) != 1 or teams[0].kind != DEVELOPMENT:
        raise Impossible("supply", "one development, and no other card, says from_supply: true")


def _check_terms(card: Card) -> None:
    """Check that every term counts one thing (JD-17)."""
    for term in _list_terms(card):
        things = (term.world, term.military_world, term.icon, term.kind, term.card, term.strength)
        if sum(map(bool, things)) != 1:
            raise Impossible(f"cards.{card.slug}", "every term of vp and income counts one thing")


def _list_terms(card: Card) -> tuple[Term, ...]:
    return (*card.vp.per, *card.vp.once, *card.income.per, *card.income.once)


def _list_names_on(card: Card) -> Iterator[Name]:
    """List the cards that this one mentions."""
    yield from (term.card for term in _list_terms(card) if term.card)
    targets = [power.on for power in card.list_powers(Discount)]
    targets += [power.on for power in card.list_powers(MilitaryAgainst)]
    yield from (target.card for target in targets if target.card)
    yield from (power.requires.or_card for power in card.list_powers(Requires))


def _check_enough(document: Document, components: Components) -> None:
    """Check that every player can be dealt a hand and have a survey team (JD-1, JD-2)."""
    there, constants = sum(components.deck.values()), components.constants
    deck_size = document.get("deck_size", there)
    if deck_size != there:
        raise Impossible("deck_size", f"it says {deck_size}, but the copies are {there} in all")
    largest = document["players"]["largest"]
    if largest * constants.dealt > there:
        raise Impossible("cards", f"{largest} players need {constants.dealt} cards each")
    if components.cards[components.team].copies < largest:
        raise Impossible("supply", f"{largest} players need a {components.team} each")
    if constants.hand > constants.dealt:
        raise Impossible("constants", f"{constants.hand} cards cannot be kept of fewer")


def _check_presets(components: Components) -> None:
    """Check that a preset hand has as many cards as any hand at the start (JD-2)."""
    size = components.constants.hand
    for letter, cards in components.presets.items():
        if len(cards) != size:
            raise Impossible("cards", f"hand {letter} has {len(cards)} cards, not {size}")
