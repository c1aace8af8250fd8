"""A bot that looks two actions ahead with what its seat sees, and takes the best.

It is meant as a sparring partner. How near the end is, and what others lack, it does not ask.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, Final

from adjudicator.core.dice import Dice
from adjudicator.core.document import Seat
from adjudicator.rules.jump_gate.orders import choices as seen
from adjudicator.rules.jump_gate.orders.choices import Action, Sight
from adjudicator.rules.jump_gate.orders.legal import legal
from adjudicator.rules.jump_gate.phases.scoring import find_gain
from adjudicator.rules.jump_gate.position.components import Card, Components, NavComp, Planet
from adjudicator.rules.jump_gate.position.resources import (
    Resource,
    has_icon,
    list_collectable,
    remove_icon,
)
from adjudicator.rules.jump_gate.position.state import Site, View, list_unmarked

Option = tuple[float, Action]

_UNSEEN: Final = 3.0
"""The expected value of a card that nobody has seen."""
_RIVAL: Final = 1.5
"""The loss when somebody else collects where this seat lands."""
_PROMISE: Final = 1.0
"""Beyond its points of now a card makes the next of its kind worth more."""
_USE: Final = 0.2
"""The later value of a use of a card."""
_KEEP: Final = 0.6
"""A card with less than this share of the usual use is discarded for another."""


class Appraisal:
    """One position as the seat values it."""

    def __init__(self, view: View, seat: str, components: Components) -> None:
        self._table = view.table
        self._components = components
        have = view.table.collected[seat] + view.hidden
        own = view.table.black_hole[seat]
        others = [n for other, n in view.table.black_hole.items() if other != seat]
        leads = own + 1 >= max(others, default=0)
        self._fear = 2.5 if leads else 0.8
        self._worth: dict[Resource, float] = {
            card: find_gain(card, have, components) + _PROMISE * (remove_icon(card) != "fame")
            for card in components.resource_cards
        }

    def appraise(self, card: Resource) -> float:
        """Appraise what collecting it brings."""
        return self._worth[card] - (self._fear if has_icon(card) else 0)

    def find_best(self, cards: Sequence[Resource]) -> Resource:
        """Find the one that brings most."""
        return max(cards, key=self.appraise)

    def rate_use(self, card: Card) -> float:
        """Rate how useful a card of the hand is."""
        return self._useful[card]

    @cached_property
    def _useful(self) -> dict[Card, float]:
        sites = [(self._components.worlds[one], site) for one, site in self._table.planets.items()]
        return {
            card.id: sum(
                (site.claim is None)
                * (card.fits("land", world.land[0]) + card.fits("land", world.land[1]))
                + 0.5 * (site.face_down > 0) * card.fits("scan", world.scan)
                + 0.4 * (site.claim is None) * card.fits("jump", world.jump)
                for world, site in sites
            )
            for card in self._components.navcomp
        }

    @cached_property
    def _usual(self) -> float:
        """The usefulness of a card that nobody has seen."""
        return sum(self._useful.values()) / len(self._useful)

    @cached_property
    def _claim(self) -> int:
        """The score of a claim (JGA-12, JGB-10)."""
        if self._table.options.explorers_club:
            return 5
        return self._components.scoring["planet_claim"].value

    def count_cost(self, *cards: Card) -> float:
        """Count what discarding them costs."""
        return sum(0.15 + 0.1 * self.rate_use(card) for card in cards)

    def list_deeds(self, here: Sight) -> Iterator[Option]:
        """List every action that brings something where the ship is."""
        yield from self._list_landings(here)
        yield from self._list_harvests(here)
        yield from self._list_scans(here)
        for card in seen.list_specials(here):
            yield from self._list_specials(here, card)
        yield self._offer_research(here)

    def list_moves(self, here: Sight) -> Iterator[Option]:
        """List every way to another place, and what it brings in itself."""
        for planet in seen.list_flights(here):
            yield 0, {"do": "fly", "to": planet}
        marker = 0 if self._components.is_second else 0.5
        for card, planet in seen.list_jumps(here):
            yield marker - self.count_cost(card), {"do": "jump", "to": planet, "card": card}
        for one in seen.list_specials(here):
            if one.special == "wormhole":
                for planet in seen.list_other_planets(here):
                    yield -self.count_cost(one.id), {"do": "special", "card": one.id, "to": planet}
        if here.landed:
            yield 0, {"do": "return-to-orbit"}

    def _list_landings(self, here: Sight) -> Iterator[Option]:
        pairs = seen.list_landings(here)
        if pairs and here.site is not None:
            cards = min(pairs, key=lambda pair: self.count_cost(*pair))
            action: Action = {"do": "land", "cards": list(cards)}
            yield self._value_landing(here, here.site) - self.count_cost(*cards), action

    def _value_landing(self, here: Sight, site: Site) -> float:
        """Value a landing: claim and card, less what others may collect there."""
        if site.claim is not None:  # JGA-14: only the face-down cards are available
            return 0.5 * bool(site.face_down)
        cards = sorted(map(self.appraise, list_collectable(site.face_up)), reverse=True)
        cards += [_UNSEEN * 0.75] * site.face_down
        rivals = [one for one in (*site.scans, *site.marks) if one != here.seat]
        own = cards[1] if here.seat in site.scans and len(cards) > 1 else 0
        return self._claim + max(cards, default=0) + own - _RIVAL * min(len(rivals), len(cards))

    def _list_harvests(self, here: Sight) -> Iterator[Option]:
        offer = seen.list_offer(here)
        if not offer:
            return
        best = self.find_best(offer)
        action: Action = {"do": "harvest", "take": [best]}
        if not self._components.is_second:
            yield self.appraise(best), action
        else:
            card = min(here.hand, key=self.count_cost)
            yield self.appraise(best) - self.count_cost(card), {**action, "card": card}

    def _list_scans(self, here: Sight) -> Iterator[Option]:
        cards = seen.list_scanners(here)
        if cards and here.at is not None:
            card = min(cards, key=self.count_cost)
            action: Action = {"do": "scan", "card": card}
            yield self._value_scan(here, here.at) - self.count_cost(card), action

    def _value_scan(self, here: Sight, planet: Planet) -> float:
        site = self._table.planets[planet]
        if self._components.is_second:
            open_to = [*map(self.appraise, list_unmarked(site)), _UNSEEN]
            return 1.0 if here.seat in site.marks else 1.0 + 0.6 * max(open_to)
        marker = 2 if self._table.options.explorers_club else 1
        return marker + (1.0 if site.claim is None else 0.2)

    def _offer_research(self, here: Sight) -> Option:
        """Offer research: the least useful cards make room, more of them the fewer have a use."""
        discards = [card for card in here.hand if self.rate_use(card) < _KEEP * self._usual]
        if not discards and len(here.hand) > 3:
            discards = sorted(here.hand, key=self.rate_use)[:2]
        action: Action = {"do": "research"}
        brings = self._value_draw(here, discards) - 0.2
        return brings, {**action, "discard": discards} if discards else action

    def _value_draw(self, here: Sight, discards: Sequence[Card]) -> float:
        """Value a full hand instead of these cards."""
        missing = self._components.constants.hand.size - len(here.hand) + len(discards)
        return _USE * (missing * self._usual - sum(map(self.rate_use, discards)))

    def _list_specials(self, here: Sight, card: NavComp) -> Iterator[Option]:
        listers = {
            "backroom-deal": self._list_deals,
            "hotshot-pilot": self._list_pilots,
            "inside-info": self._list_info,
            "long-range-scan": self._list_far_scans,
            "lost-records": self._list_records,
        }
        options = listers[card.special](here, card.id) if card.special in listers else ()
        for worth, more in options:
            yield worth - self.count_cost(card.id), {"do": "special", "card": card.id, **more}

    def _list_info(self, here: Sight, card: Card) -> Iterator[Option]:
        yield self._value_draw(here, [card]) + 0.3 * (len(here.hand) < 4), {}

    def _list_pilots(self, here: Sight, pilot: Card) -> Iterator[Option]:
        others = seen.list_co_pilots(here, pilot)
        if others and here.site is not None:
            other = min(others, key=self.count_cost)
            yield self._value_landing(here, here.site) - self.count_cost(other), {"cards": [other]}

    def _list_far_scans(self, here: Sight, _: Card) -> Iterator[Option]:
        for planet in here.table.ring:
            if seen.can_be_scanned(here, planet):
                yield self._value_scan(here, planet), {"at": planet}

    def _list_deals(self, here: Sight, _: Card) -> Iterator[Option]:
        own = sorted(seen.list_offer(here), key=self.appraise, reverse=True)[:2]
        if own:
            yield sum(map(self.appraise, own)), {"take": own}
        for planet, cards in seen.list_dealers(here).items():
            best = self.find_best(cards)
            yield self.appraise(best), {"at": planet, "take": [best]}

    def _list_records(self, here: Sight, _: Card) -> Iterator[Option]:
        for remove in seen.list_records(here):
            own = remove["player"] == here.seat
            if remove["from"] == "black-hole":
                yield self._fear if own else -1.0, {"remove": dict(remove)}
            elif not own:
                yield 1.0, {"remove": dict(remove)}


Form = dict[str, Any]

_SOON: Final = 0.9
"""The weight of the second action of the same turn."""
_LATER: Final = 0.5
"""The weight of an action of the next turn, before which others act."""


_IDLE: Final = 0.3
"""The value of moving on when nothing else helps, so that no game stands still."""


def bot(view: View, seat: Seat, dice: Dice, components: Components) -> Form:
    """Choose orders for the form that is due."""
    eyes = Appraisal(view, seat, components)
    here = seen.see_position(view, seat, components)
    worth, action = _find_best(eyes, here)
    if worth < _IDLE:
        return dict(legal(view, seat, dice, components))
    after = _see_after_move(here, action)
    if after is None or after.left < 1:
        return {"actions": [action]}
    return {"actions": [action, _find_best(eyes, after)[1]]}


def _find_best(eyes: Appraisal, here: Sight) -> Option:
    """Find the action that brings most, together with the best that can follow it."""
    options = list(eyes.list_deeds(here))
    options += [
        (worth + _value_arrival(eyes, here, action), action)
        for worth, action in eyes.list_moves(here)
    ]
    return max(options, key=lambda option: option[0])


def _value_arrival(eyes: Appraisal, here: Sight, action: Action) -> float:
    """Value what can be done where the ship arrives."""
    there = seen.see_after(here, action)
    if there is None:
        return 0
    share = _SOON if there.left > 0 else _LATER
    return share * max(worth for worth, _ in eyes.list_deeds(there))


def _see_after_move(here: Sight, action: Action) -> Sight | None:
    """Return what is seen after a move, which reveals nothing; None after everything else."""
    then = seen.see_after(here, action)
    if then is None or (then.at, then.landed) == (here.at, here.landed):
        return None
    return then
