"""Preferences among resources, and what the program chooses (JG-6, JG-14)."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from adjudicator.rules.jump_gate.phases.scoring import find_gain
from adjudicator.rules.jump_gate.position.components import Components
from adjudicator.rules.jump_gate.position.resources import (
    UNKNOWN,
    Kind,
    Resource,
    add_icon,
    has_icon,
    sort_key,
)
from adjudicator.rules.jump_gate.position.state import NONE, Preferences


class Chooser(Struct, frozen=True):
    """Who chooses: what they have collected, and whether black hole cards are welcome."""

    have: tuple[Resource, ...]
    """The public ones only: a choice must not tell of hidden resources (JG-13)."""
    accept: bool
    components: Components

    def appraise(self, card: Resource) -> int:
        """Appraise the card: the points by which it raises the score."""
        return find_gain(card, self.have, self.components)

    def choose(self, cards: Sequence[Resource]) -> Resource | None:
        """Make the program's choice: most points, ties by JG-3, the icon only at need (JG-6)."""
        plain = [card for card in cards if not has_icon(card)]
        offered = cards if self.accept or not plain else plain
        return min(offered, key=lambda card: (-self.appraise(card), sort_key(card)), default=None)

    def take(
        self, preferences: Preferences, cards: Sequence[Resource], *, may: bool
    ) -> Resource | None:
        """Choose for `take`: the first preference there, then the program's choice (JG-14)."""
        names, declines = split_preferences(preferences, may=may)
        choice = choose_first(names, cards)
        return choice if choice is not None or declines else self.choose(cards)

    def collect(
        self, preferences: Preferences, cards: Sequence[Resource], *, may: bool
    ) -> Resource | None:
        """Choose for `collect`: like `take`, but cards without the icon first (JG-14)."""
        if self.accept:
            return self.take(preferences, cards, may=may)
        names, declines = split_preferences(preferences, may=may)
        plain = [card for card in cards if not has_icon(card)]
        for name in names:
            if name in (cards if has_icon(name) else plain):
                return name
        if plain and not declines:
            return self.choose(plain)
        choice = choose_first(names, cards)
        return choice if choice is not None or declines else self.choose(cards)


def foresee_choice(
    chooser: Chooser,
    preferences: Preferences,
    sure: Sequence[Resource],
    unsure: Sequence[Resource],
    *,
    may: bool,
) -> Resource | None:
    """Find the card that `take` brings whatever else may lie there; None while that is open."""
    names, declines = split_preferences(preferences, may=may)
    for card in (one for name in names for one in _list_meant(name)):
        if card in sure or card in unsure or UNKNOWN in unsure:
            return card if card in sure else None
    if declines or UNKNOWN in unsure:
        return None
    choice = chooser.choose((*sure, *unsure))
    return choice if choice in sure else None


def split_preferences(preferences: Preferences, *, may: bool) -> tuple[Preferences, bool]:
    """Split preferences into the kinds named, and whether nothing else is wanted (JG-14)."""
    names = tuple(name for name in preferences if name != NONE)
    return names, may and preferences[-1:] == (NONE,)


def covers_offer(preferences: Preferences, cards: Sequence[Resource], *, may: bool) -> bool:
    """Whether standing preferences say what becomes of the cards on offer (JG-15)."""
    names, declines = split_preferences(preferences, may=may)
    return declines or choose_first(names, cards) is not None


def choose_first(names: Sequence[Kind], cards: Sequence[Resource]) -> Resource | None:
    """Choose the first named kind that is there; the card without the icon first (JG-6a)."""
    return next((card for name in names for card in _list_meant(name) if card in cards), None)


def matches_name(name: Kind, card: Resource) -> bool:
    """Whether a card is what this name asks for."""
    return card in _list_meant(name)


def choose_several(names: Sequence[Kind], cards: Sequence[Resource], number: int) -> list[Resource]:
    """Choose up to this many cards, in the order in which they are named; each name gets one."""
    rest = list(cards)
    choices: list[Resource] = []
    for name in names:
        card = choose_first([name], rest) if len(choices) < number else None
        if card is not None:
            rest.remove(card)
            choices.append(card)
    return choices


def _list_meant(name: Kind) -> Iterator[Resource]:
    yield name
    if not has_icon(name):
        yield add_icon(name)
