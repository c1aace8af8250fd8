"""A position as a player sees it, and what things are worth there.

It looks at nothing but what the player may know, and quickly: imagined positions are played on by
the best action that is found here.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from adjudicator.core.document import Seat
from adjudicator.rules.jump_gate.bot.almanac import Almanac
from adjudicator.rules.jump_gate.phases.scoring import find_most_markers
from adjudicator.rules.jump_gate.phases.working_copy import Work, count_markers
from adjudicator.rules.jump_gate.position.components import Card, Planet
from adjudicator.rules.jump_gate.position.resources import Resource

Action = dict[str, Any]
Option = tuple[float, Action]

_CLEAR: Final = 6
"""A lead of so many points is half as good as one beyond all doubt."""
_HIDDEN: Final = 2.5
"""What a hidden resource of another counts on average."""


class Thought:
    """One position as one player sees it, who is the active one unless named."""

    def __init__(self, work: Work, almanac: Almanac, seat: Seat | None = None) -> None:
        self.work, self.almanac = work, almanac
        self.weights = weights = almanac.weights
        self.seat: Seat = seat or work.active
        self.hand: Sequence[Card] = work.hands[self.seat]
        self.ship = work.ships[self.seat]
        covered, resources = work.face_down, work.collected
        sites = work.planets.items()
        openings = [(planet, site.claim is None, bool(covered[planet])) for planet, site in sites]
        self.rates, self.usual = almanac.rate_cards(tuple(openings))
        """How useful each card is, and the usual card."""
        card, use = weights.card, weights.use
        self.costs = {one: card + use * self.rates[one] for one in self.hand}
        """What it costs to discard each card of the hand."""
        others = tuple([cards for seat, cards in resources.items() if seat != self.seat])
        own = resources[self.seat] + work.hidden[self.seat]
        self.worth = almanac.appraise(own, others, self._fear_marker())
        """What it brings to collect each resource."""
        self.places: dict[Planet | None, Option] = {}
        """The best that can be done at each place, as far as it was looked up."""

    def _fear_marker(self) -> float:
        """Weigh one more marker on the Black Hole: how near the end is, and who loses by it."""
        weights, markers = self.weights, self.work.black_hole
        full = self.work.components.constants.black_hole_end.markers
        total, own = count_markers(markers) + 1, markers[self.seat] + 1
        if total >= full:
            lead = self._foresee_end({**markers, self.seat: own})
            return -weights.finish * lead / (abs(lead) + _CLEAR)
        fear = weights.lead if own >= max(markers.values()) else weights.fear
        return fear * (1 + weights.late * total / full)

    def _foresee_end(self, markers: Mapping[Seat, int]) -> float:
        """Foresee the lead if the Black Hole ended the game now, its losses included."""
        losers = find_most_markers(markers)
        points = {seat: self._count_points(seat, loses=seat in losers) for seat in markers}
        return points.pop(self.seat) - max(points.values())

    def _count_points(self, seat: Seat, *, loses: bool) -> float:
        work, almanac = self.work, self.almanac
        cards = work.collected[seat]
        points = almanac.count_board(work, seat)
        if not work.components.is_second:
            share = almanac.find_loss(len(work.seats), len(cards)) if loses else 0.0
            return points + (1 - share) * almanac.count_points(cards)
        hidden = work.hidden[seat]
        if loses or seat != self.seat:
            guess = 0.0 if loses else _HIDDEN * len(hidden)
            return points + almanac.count_points(cards) + guess
        return points + almanac.count_points(cards + hidden)

    @property
    def claim(self) -> int:
        """The points of a claim (JGA-12, JGB-10)."""
        return self.almanac.find_values(self.work)[0]

    @property
    def marker(self) -> int:
        """The points of a scan marker (JGA-12)."""
        return self.almanac.find_values(self.work)[1]

    def find_cheapest(self, cards: Iterable[Card]) -> Card | None:
        """Find the card that is missed least."""
        return min(cards, key=self.costs.__getitem__, default=None)

    def find_pair(self, planet: Planet, hand: Sequence[Card]) -> tuple[Card, Card] | None:
        """Find the two cards that land there and are missed least."""
        one, other = self.almanac.landers[planet]
        first = [card for card in hand if card in one]
        second = [card for card in hand if card in other] if first else []
        costs = self.costs
        pairs = [(costs[a] + costs[b], a, b) for a in first for b in second if a != b]
        return min(pairs)[1:] if pairs else None

    def rank(self, cards: Iterable[Resource]) -> list[Resource]:
        """Rank resources, the best first."""
        return sorted(cards, key=lambda card: -self.worth[card])

    def value_draw(self, discards: Sequence[Card]) -> float:
        """Value a full hand instead of these cards."""
        rates, weights = self.rates, self.weights
        rest = len(self.hand) - len(discards)
        missing = self.work.components.constants.hand.size - rest
        gain = weights.draw * (missing * self.usual - sum([rates[card] for card in discards]))
        return gain + weights.empty * max(0, 3 - rest)

    def offer_research(self) -> Option:
        """Offer research: the least useful cards make room, more of them the fewer have a use."""
        rates, weights = self.rates, self.weights
        discards = [card for card in self.hand if rates[card] < weights.keep * self.usual]
        if not discards and len(self.hand) > 3:
            discards = sorted(self.hand, key=rates.__getitem__)[:2]
        brings = self.value_draw(discards) + weights.research
        return brings, {"do": "research", **({"discard": discards} if discards else {})}
