"""What can be done at a place in the 2010 edition, and what it brings."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from adjudicator.rules.jump_gate.bot.thought import Action, Option, Thought
from adjudicator.rules.jump_gate.position.components import Card, Planet
from adjudicator.rules.jump_gate.position.resources import NOTHING, Resource, list_collectable
from adjudicator.rules.jump_gate.position.state import Site


def list_deeds(
    mind: Thought, place: Planet | None, hand: Sequence[Card], *, landed: bool
) -> list[Option]:
    """List what can be done there with these cards."""
    deeds: list[Option] = []
    if place is not None:
        deeds += _list_harvests(mind, place, landed=landed)
        if not landed:
            deeds += _list_scans(mind, place, hand)
            deeds += _list_landings(mind, place, hand)
    for card in hand:
        name = mind.almanac.specials.get(card)
        if name in _SPECIALS:
            cost = mind.costs[card]
            for worth, more in _SPECIALS[name](mind, card, place, landed=landed):
                deeds.append((worth - cost, {"do": "special", "card": card, **more}))
    return deeds


def _list_offer(mind: Thought, planet: Planet, *, landed: bool) -> Sequence[Resource]:
    """List what a harvest can take there (JGA-8, JGA-14)."""
    below = mind.work.face_down[planet] if landed else ()
    return list_collectable((*mind.work.planets[planet].face_up, *below))


def _list_harvests(mind: Thought, planet: Planet, *, landed: bool) -> Iterator[Option]:
    if mind.work.planets[planet].claim is not None:
        cards = _list_offer(mind, planet, landed=landed)
        if cards:
            best = max(cards, key=mind.worth.__getitem__)
            yield mind.worth[best], {"do": "harvest", "take": [best]}


def _list_scans(mind: Thought, planet: Planet, hand: Sequence[Card]) -> Iterator[Option]:
    if mind.work.face_down[planet]:
        scanners = mind.almanac.scanners[planet]
        card = mind.find_cheapest([one for one in hand if one in scanners])
        if card is not None:
            worth = _value_scan(mind, mind.work.planets[planet])
            yield worth - mind.costs[card], {"do": "scan", "card": card}


def _value_scan(mind: Thought, site: Site) -> float:
    return mind.marker + (mind.weights.scan if site.claim is None else 0.2)


def _list_landings(mind: Thought, planet: Planet, hand: Sequence[Card]) -> Iterator[Option]:
    work, costs = mind.work, mind.costs
    if work.planets[planet].claim is not None and not work.options.orbital_burn:
        return
    value = _value_landing(mind, planet)
    pair = mind.find_pair(planet, hand)
    if pair is not None:
        yield value - costs[pair[0]] - costs[pair[1]], {"do": "land", "cards": list(pair)}
    one, other = mind.almanac.landers[planet]
    for pilot in hand:
        if mind.almanac.specials.get(pilot) == "hotshot-pilot":
            fitting = [card for card in hand if card != pilot and (card in one or card in other)]
            card = mind.find_cheapest(fitting)
            if card is not None:
                action: Action = {"do": "special", "card": pilot, "cards": [card]}
                yield value - costs[pilot] - costs[card], action


def _value_landing(mind: Thought, planet: Planet) -> float:
    """Value a landing: claim and best card, less what others may collect there."""
    work, weights, worth = mind.work, mind.weights, mind.worth
    site, covered = work.planets[planet], len(work.face_down[planet])
    if site.claim is not None:  # JGA-14: only the face-down cards are available
        return 0.5 * bool(covered)
    cards = [worth[card] for card in site.face_up if card != NOTHING]
    cards = sorted([*cards, *[weights.unseen] * covered], reverse=True)
    own = mind.seat in site.scans
    value = mind.claim + weights.claim - weights.rival * min(len(site.scans) - own, len(cards))
    return value + sum(cards[: 1 + own])


Special = Iterator[tuple[float, Action]]


def _list_deals(mind: Thought, _: Card, place: Planet | None, *, landed: bool) -> Special:
    for planet, site in mind.work.planets.items():
        if site.claim is None:
            continue
        cards = _list_offer(mind, planet, landed=landed and planet == place)
        if cards:
            take = mind.rank(cards)[: 2 if planet == place else 1]
            where = {} if planet == place else {"at": planet}
            yield sum([mind.worth[card] for card in take]), {**where, "take": take}


def _list_info(mind: Thought, card: Card, *_place: Planet | None, **_landed: bool) -> Special:
    yield mind.value_draw([card]), {}


def _list_far_scans(mind: Thought, _: Card, _place: Planet | None, *, landed: bool) -> Special:
    for planet, site in mind.work.planets.items():
        if mind.work.face_down[planet] and not landed:
            yield _value_scan(mind, site), {"at": planet}


def _list_records(mind: Thought, *_: Card | None, **_landed: bool) -> Special:
    work, seat = mind.work, mind.seat
    for player, number in work.black_hole.items():
        if number:
            worth = mind.weights.lead if player == seat else -1.0
            yield worth, {"remove": {"from": "black-hole", "player": player}}
    for player, number in work.jump_gate.items():
        if number and player != seat:
            yield 1.0, {"remove": {"from": "jump-gate", "player": player}}
    for planet, site in work.planets.items():
        for player in site.scans:
            if player != seat:
                yield float(mind.marker), {"remove": {"from": planet, "player": player}}


_SPECIALS: Mapping[str | None, Callable[..., Special]] = {
    "backroom-deal": _list_deals,
    "inside-info": _list_info,
    "long-range-scan": _list_far_scans,
    "lost-records": _list_records,
}
