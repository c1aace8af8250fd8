"""Whether what lies in the box can be played; the words of it are the schema's business."""

from collections import Counter
from collections.abc import Iterator, Sequence

from adjudicator.core.document import Document, Impossible
from adjudicator.rules.jump_drive.components import DEVELOPMENT, Card, Components, Name, Term
from adjudicator.rules.jump_drive.powers import Discount, FromSupply, MilitaryAgainst, Requires


def check(document: Document, components: Components) -> None:
    """Raises Impossible for cards that contradict each other or are too few."""
    _each_once([said["slug"] for said in (*document["supply"], *document["cards"])])
    _one_team(components)
    for card in components.cards.values():
        _one_thing_counted(card)
        for name in _named(card):
            if name not in components.cards:
                raise Impossible(f"cards.{card.slug}", f"it names {name}, which is no card")
    _enough(document, components)
    _presets(components)


def _each_once(names: Sequence[Name]) -> None:
    for name, number in Counter(names).items():
        if number > 1:
            raise Impossible("cards", f"{name} stands there twice; say how many by its copies")


def _one_team(components: Components) -> None:
    """JD-9: one card is taken from the table, a development."""
    teams = [card for card in components.cards.values() if card.of(FromSupply)]
    if len(teams) != 1 or teams[0].kind != DEVELOPMENT:
        raise Impossible("supply", "one development, and no other card, says from_supply: true")


def _one_thing_counted(card: Card) -> None:
    """JD-17: a term counts one thing."""
    for term in _terms(card):
        things = (term.world, term.military_world, term.icon, term.kind, term.card, term.strength)
        if sum(map(bool, things)) != 1:
            raise Impossible(f"cards.{card.slug}", "every term of vp and income counts one thing")


def _terms(card: Card) -> tuple[Term, ...]:
    return (*card.vp.per, *card.vp.once, *card.income.per, *card.income.once)


def _named(card: Card) -> Iterator[Name]:
    """The cards that this one speaks of."""
    yield from (term.card for term in _terms(card) if term.card)
    targets = [power.on for power in card.of(Discount)]
    targets += [power.on for power in card.of(MilitaryAgainst)]
    yield from (target.card for target in targets if target.card)
    yield from (power.requires.or_card for power in card.of(Requires))


def _enough(document: Document, components: Components) -> None:
    """JD-1, JD-2: every player is dealt a hand, and can have a survey team."""
    there, constants = sum(components.deck.values()), components.constants
    said = document.get("deck_size", there)
    if said != there:
        raise Impossible("deck_size", f"it says {said}, but the copies are {there} in all")
    largest = document["players"]["largest"]
    if largest * constants.dealt > there:
        raise Impossible("cards", f"{largest} players need {constants.dealt} cards each")
    if components.cards[components.team].copies < largest:
        raise Impossible("supply", f"{largest} players need a {components.team} each")
    if constants.hand > constants.dealt:
        raise Impossible("constants", f"{constants.hand} cards cannot be kept of fewer")


def _presets(components: Components) -> None:
    """JD-2: a hand for a first game has as many cards as any hand at the start."""
    wanted = components.constants.hand
    for letter, cards in components.presets.items():
        if len(cards) != wanted:
            raise Impossible("cards", f"hand {letter} has {len(cards)} cards, not {wanted}")
