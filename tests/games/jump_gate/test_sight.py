"""What reports, `legal` and the bot take for possible is what the check allows, and no more."""

from collections.abc import Iterator, Mapping
from itertools import chain, combinations
from typing import Any

import pytest

from adjudicator.core.dice import Dice
from adjudicator.core.events import make_event
from adjudicator.rules.jump_gate.orders import choices as seen
from adjudicator.rules.jump_gate.orders.choices import Sight
from adjudicator.rules.jump_gate.position.state import View
from adjudicator.rules.jump_gate.telling.headline import choose_headline
from tests.games.jump_gate.play import FIRST, LIBRARY, SECOND, walk

Action = Mapping[str, Any]


def thinkable(here: Sight) -> Iterator[Action]:
    """Every action that names everything it needs, whether it is possible or not."""
    ring, hand = here.table.ring, here.hand
    for planet in ring:
        yield {"do": "fly", "to": planet}
        yield from ({"do": "jump", "to": planet, "card": card} for card in hand)
    yield from ({"do": "scan", "card": card} for card in hand)
    yield from ({"do": "land", "cards": list(pair)} for pair in combinations(hand, 2))
    yield from ({"do": "harvest", "take": [card]} for card in here.components.resource_cards)
    if here.components.is_second:
        return
    yield {"do": "return-to-orbit"}
    for card in hand:
        name = here.components.cards[card].special
        if name is not None:
            wishes = _wishes(here, name)
            yield from ({"do": "special", "card": card, **wish} for wish in wishes)


def _wishes(here: Sight, name: str) -> list[dict[str, Any]]:
    ring, seats = here.table.ring, here.table.seats
    places = ("black-hole", "jump-gate", *ring)
    return {
        "wormhole": [{"to": planet} for planet in ring],
        "long-range-scan": [{"at": planet} for planet in ring],
        "backroom-deal": [{"at": planet} for planet in ring],
        "jump-paradox": [{"player": seat} for seat in seats],
        "hotshot-pilot": [{"cards": [card]} for card in here.hand],
        "lost-records": [
            {"remove": {"from": place, "player": seat}} for place in places for seat in seats
        ],
        "inside-info": [{}],
    }[name]


def possible(here: Sight) -> Iterator[Action]:
    """Every action that is thought possible."""
    yield from ({"do": "fly", "to": planet} for planet in seen.list_flights(here))
    yield from (
        {"do": "jump", "to": planet, "card": card} for card, planet in seen.list_jumps(here)
    )
    yield from ({"do": "scan", "card": card} for card in seen.list_scanners(here))
    yield from ({"do": "land", "cards": list(pair)} for pair in seen.list_landings(here))
    offer = set(seen.list_offer(here))
    # A kind without the icon takes a card with it where there is no other (JG-6a).
    offer |= {card.removesuffix("!") for card in offer}
    yield from ({"do": "harvest", "take": [card]} for card in sorted(offer))
    if here.landed:
        yield {"do": "return-to-orbit"}
    for card in seen.list_specials(here):
        special = {"do": "special", "card": card.id}
        yield from ({**special, **more} for more in _played(here, card.id, card.special or ""))


def _played(here: Sight, card: str, name: str) -> list[dict[str, Any]]:
    ring = here.table.ring
    own = [here.at] if seen.list_offer(here) else []
    return {
        "wormhole": [{"to": planet} for planet in seen.list_other_planets(here)],
        "long-range-scan": [{"at": one} for one in ring if seen.can_be_scanned(here, one)],
        "backroom-deal": [{"at": planet} for planet in (*own, *seen.list_dealers(here))],
        "jump-paradox": [{"player": seat} for seat in seen.list_partners(here)],
        "hotshot-pilot": [{"cards": [one]} for one in seen.list_co_pilots(here, card)],
        "lost-records": [{"remove": dict(one)} for one in seen.list_records(here)],
        "inside-info": [{}],
    }[name]


def told(actions: Iterator[Action]) -> set[str]:
    return {str(sorted(action.items(), key=str)) for action in actions}


@pytest.mark.parametrize(
    ("kind", "options"),
    [(SECOND, {}), (FIRST, {}), (FIRST, {"orbital_burn": True}), (FIRST, {"sun_dial": True})],
    ids=["second", "2010", "orbital-burn", "sun-dial"],
)
@pytest.mark.parametrize("games", [2, pytest.param(6, marks=pytest.mark.soak)])
@pytest.mark.parametrize("who", ["legal", "bot"])
def test_what_is_thought_possible_is_what_the_check_allows(
    kind: str, options: dict[str, object], who: str, games: int
) -> None:
    rules = LIBRARY.kind(kind).rules
    found: set[str] = set()
    played = (walk(kind, seed, 3, options, who=who, steps=90) for seed in range(games))
    for step in chain(*played):
        if step.number % 2:
            continue
        seat = step.before.table.active
        view: View = rules.view(step.before, seat)
        here = seen.see_position(view, seat, rules.components)
        allowed = (
            action
            for action in thinkable(here)
            if not rules.check(view, seat, {"actions": [action]})
        )
        expected = told(allowed)
        assert told(possible(here)) == expected
        found |= expected
    assert len(found) > 100, "hardly anything was possible; the test shows nothing"


def test_a_headline_tells_own_deeds_in_the_order_in_which_they_happened() -> None:
    events = [
        make_event("jumped", "JG-9", seat="red", origin=None, to="anno", cards=["n01"]),
        make_event("scanned", "JGB-5", seat="red", at="anno", cards=["n02"], turned="sand", left=1),
        make_event("marked", "JGB-5", seat="red", at="anno", resource="sand", before=None),
    ]
    kind, seats = LIBRARY.kind(SECOND), ["red", "blue"]
    state = kind.rules.setup(kind.options({}, seats), seats, Dice(b"key", "0-setup"))
    said = choose_headline(kind.rules.view(state, "red"), events)
    assert said == "You jumped to anno; you scanned anno and marked sand."
