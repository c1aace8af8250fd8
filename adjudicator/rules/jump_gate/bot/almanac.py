"""What cards do at which planet and what things add to a score, looked up once."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final

from adjudicator.core.document import Seat
from adjudicator.rules.jump_gate.bot.weights import Weights, find_weights
from adjudicator.rules.jump_gate.phases.scoring import (
    find_gain,
    find_most_markers,
    list_values,
    score_resources,
)
from adjudicator.rules.jump_gate.phases.working_copy import Work
from adjudicator.rules.jump_gate.position.components import Card, Components, Planet, World
from adjudicator.rules.jump_gate.position.resources import (
    DARK,
    FAME,
    GEMS,
    LIGHT,
    NOTHING,
    SAND,
    WATER,
    Resource,
    has_icon,
    remove_icon,
)

_REMEMBERED: Final = 1 << 11
"""Of each kind of finding; a daemon plays for many games at a time."""

Resources = tuple[Resource, ...]
Cards = frozenset[Card]
Openings = tuple[tuple[Planet, bool, bool], ...]
"""The planets in play: whether each is free to land on, and whether it can be scanned."""


class Almanac:
    """The cards, planets and resources of an edition, and what so many players value."""

    def __init__(self, components: Components, seats: int) -> None:
        self.components = components
        self.weights = find_weights(components, seats)
        worlds = components.worlds.values()
        self.jumpers = {world.slug: self._list_fitting("jump", world.jump) for world in worlds}
        """By planet the cards that jump there."""
        self.scanners = {world.slug: self._list_fitting("scan", world.scan) for world in worlds}
        self.landers = {world.slug: self._list_landers(world) for world in worlds}
        """By planet the cards for its first landing code, and those for its second."""
        self.specials: Mapping[Card, str] = {
            card.id: card.special for card in components.navcomp if card.special
        }
        lists = [list_values(components, is_club=is_club) for is_club in (False, True)]
        self._values = [(one["planet_claim"], one.get("scan_marker", 0)) for one in lists]
        self._promises = _list_promises(components.resource_cards, self.weights)
        self.find_gains = lru_cache(_REMEMBERED)(self._find_gains)
        self.appraise = lru_cache(_REMEMBERED)(self._appraise)
        self.count_points = lru_cache(_REMEMBERED)(self._count_points)
        self.rate_cards = lru_cache(_REMEMBERED)(self._rate_cards)

    def _list_fitting(self, action: str, number: int) -> Cards:
        return frozenset(card.id for card in self.components.navcomp if card.fits(action, number))

    def _list_landers(self, world: World) -> tuple[Cards, Cards]:
        one, other = world.land
        return self._list_fitting("land", one), self._list_fitting("land", other)

    def _find_gains(self, have: Resources) -> Mapping[Resource, int]:
        """Find what each resource would add to the points of these."""
        box = self.components
        return {card: find_gain(card, have, box) for card in box.resource_cards}

    def _appraise(
        self, have: Resources, others: tuple[Resources, ...], fear: float
    ) -> Mapping[Resource, float]:
        """Appraise each resource for whoever has these, while others have those."""
        rivals = [self.find_gains(cards) for cards in others]
        denied = self.weights.denied
        return {
            card: gain
            + self._promises[card]
            + denied * max([gains[card] for gains in rivals])
            - (fear if has_icon(card) else 0.0)
            for card, gain in self.find_gains(have).items()
        }

    def _count_points(self, have: Resources) -> int:
        """Count the points of these resources together."""
        return sum(score_resources(have, self.components).values())

    def find_values(self, work: Work) -> tuple[int, int]:
        """Find the points of a claim and of a scan marker (JGA-12, JGB-10)."""
        return self._values[work.options.explorers_club]

    def count_board(self, work: Work, seat: Seat) -> int:
        """Count the points of a seat beside its resources."""
        claim, marker = self.find_values(work)
        sites = work.planets.values()
        points = claim * sum([site.claim == seat for site in sites])
        if self.components.is_second:
            return points
        points += marker * sum([site.scans.get(seat, 0) for site in sites])
        most = seat in find_most_markers(work.jump_gate)
        return points + most * self.components.scoring["jump_gate_most"].value

    def find_loss(self, seats: int, cards: int) -> float:
        """Find the share of so many resources that the Black Hole takes (JGA-11)."""
        number = self.components.find_by_players(self.components.constants.black_hole_loss, seats)
        return min(1.0, number / cards) if cards else 0.0

    def _rate_cards(self, openings: Openings) -> tuple[Mapping[Card, float], float]:
        """Rate how useful each card is while planets are open like this, and the usual card."""
        rates = dict.fromkeys(self.components.cards, 0.0)

        def add(cards: Iterable[Card], use: float) -> None:
            for card in cards:
                rates[card] += use

        for planet, is_free, is_covered in openings:
            if is_free:
                share = self.weights.covered if is_covered else 1.0
                for cards in self.landers[planet]:
                    add(cards, share)
                add(self.jumpers[planet], 0.4 * share)
            if is_covered:
                add(self.scanners[planet], 0.5)
        return rates, sum(rates.values()) / len(rates)


def _list_promises(cards: Iterable[Resource], weights: Weights) -> Mapping[Resource, float]:
    """List what each card promises beyond its points of now."""
    kinds = {WATER: weights.water, SAND: weights.sand, FAME: 0.0, NOTHING: 0.0}
    kinds |= dict.fromkeys(GEMS, weights.gem) | dict.fromkeys((LIGHT, DARK), weights.energel)
    return {card: kinds[remove_icon(card)] for card in cards}
