"""What can be done at a planet in the second edition, and what it brings."""

from collections.abc import Sequence
from typing import Final

from adjudicator.rules.jump_gate.bot.thought import Action, Option, Thought
from adjudicator.rules.jump_gate.phases.working_copy import count_markers
from adjudicator.rules.jump_gate.position.components import Card, Planet
from adjudicator.rules.jump_gate.position.resources import Resource, has_icon
from adjudicator.rules.jump_gate.position.state import Site, list_unmarked

_WISHES: Final = 5
"""The most resources that a scan hopes to turn up."""


def list_deeds(mind: Thought, planet: Planet, hand: Sequence[Card]) -> list[Option]:
    """List what can be done there with these cards."""
    site, covered = mind.work.planets[planet], len(mind.work.face_down[planet])
    unmarked = list_unmarked(site)
    deeds: list[Option] = []
    if covered:
        scanners = mind.almanac.scanners[planet]
        card = mind.find_cheapest([one for one in hand if one in scanners])
        if card is not None:
            deeds.append(_offer_scan(mind, planet, hand, card, unmarked))
    elif site.claim is None:
        pair = mind.find_pair(planet, hand)
        if pair is not None:
            deeds.append(_offer_landing(mind, site, unmarked, pair))
    mark = site.marks.get(mind.seat)
    offer = (mark,) if mark is not None else () if covered else unmarked
    if offer:
        best = max(offer, key=mind.worth.__getitem__)
        card = min(hand, key=mind.costs.__getitem__)
        action: Action = {"do": "harvest", "take": [best], "card": card}
        deeds.append((mind.worth[best] - mind.costs[card], action))
    return deeds


def _offer_scan(
    mind: Thought, planet: Planet, hand: Sequence[Card], card: Card, unmarked: Sequence[Resource]
) -> Option:
    """Offer a scan: what may be marked then, and whether the planet is open for a landing."""
    weights, worth, site = mind.weights, mind.worth, mind.work.planets[planet]
    own = site.marks.get(mind.seat)
    value = weights.scan - mind.costs[card]
    if own is None:
        value += _weigh_mark(mind) * max([weights.unseen, *[worth[one] for one in unmarked]])
    if len(mind.work.face_down[planet]) == 1 and site.claim is None:
        rest = [one for one in hand if one != card]
        value += weights.opened if mind.find_pair(planet, rest) is None else weights.ready
    visible = unmarked if own is None else (*unmarked, own)
    wishes = list_wishes(mind, visible)
    return value, {"do": "scan", "card": card, **({"mark": wishes} if wishes else {})}


def _weigh_mark(mind: Thought) -> float:
    """Weigh a mark on a card, as a share of the card's worth."""
    full = mind.work.components.constants.black_hole_end.markers
    filled = count_markers(mind.work.black_hole) / full
    return mind.weights.mark * (1 - mind.weights.lapse * filled**2)


def list_wishes(mind: Thought, visible: Sequence[Resource]) -> list[Resource]:
    """List what is worth a mark, the best first: down to the best that lies open already."""
    worth = mind.worth
    best = max(visible, key=worth.__getitem__, default=None)
    least = worth[best] if best is not None else 0.0
    better = [card for card in worth if worth[card] > least and not has_icon(card)]
    wishes = mind.rank(better)[:_WISHES]
    return wishes if best is None else [*wishes, best]


def _offer_landing(
    mind: Thought, site: Site, unmarked: Sequence[Resource], pair: tuple[Card, Card]
) -> Option:
    """Offer a landing: the claim, the own marked card, the best of the rest; rivals take theirs."""
    worth, weights = mind.worth, mind.weights
    mark = site.marks.get(mind.seat)
    value = mind.claim + weights.claim - weights.rival * (len(site.marks) - (mark is not None))
    if mark is not None:
        value += max(0.0, worth[mark])
    action: Action = {"do": "land", "cards": list(pair)}
    if unmarked:
        take = [card for card in mind.rank(unmarked) if worth[card] > 0][:2]
        value += worth[take[0]] if take else 0.0
        action["take"] = take or ["none"]
    return value - mind.costs[pair[0]] - mind.costs[pair[1]], action
