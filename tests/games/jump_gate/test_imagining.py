"""An imagined position of Jump Gate agrees with its view, and each is as likely as it must be."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import permutations, product
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from adjudicator.core.dice import Dice
from adjudicator.core.game import Over
from adjudicator.rules.jump_gate.position.state import State
from tests.games.imagined import KEY, assert_imagined, assert_shares, play_on, scenario_positions
from tests.games.jump_gate.play import FIRST, LIBRARY, SECOND, walk

GAMES: list[tuple[str, int, int, dict[str, Any], str, int]] = [
    (SECOND, 1, 2, {"interrupts": "ask"}, "legal", 1000),
    (SECOND, 2, 5, {}, "bot", 80),
    (FIRST, 3, 2, {"interrupts": "ask", "orbital_burn": True}, "legal", 1000),
    (FIRST, 4, 6, {"sun_dial": True}, "bot", 60),
]


@pytest.mark.parametrize(("kind", "seed", "players", "options", "who", "steps"), GAMES)
def test_nobody_can_tell_what_they_imagine_from_the_truth(
    kind: str, seed: int, players: int, options: dict[str, Any], who: str, steps: int
) -> None:
    rules = LIBRARY.kind(kind).rules
    for step in walk(kind, seed, players, options, who=who, steps=steps):
        assert_imagined(rules, step.before, f"{seed}-{step.number}")
    assert_imagined(rules, step.after, f"{seed}-last")


def test_positions_of_the_scenarios_are_imagined_too() -> None:
    steps = Counter[tuple[str, str]]()
    for rules, state, label in scenario_positions(Path(__file__).parent / "scenarios"):
        assert_imagined(rules, state, label)
        steps[rules.kind, state.table.step] += 1
    asked = [(SECOND, "turn"), (SECOND, "mark"), (SECOND, "collect")]
    assert min(steps[one] for one in (*asked, (FIRST, "turn"), (FIRST, "collect"))) >= 5


@pytest.mark.parametrize(
    ("kind", "options"),
    [(SECOND, {"interrupts": "ask"}), (FIRST, {"orbital_burn": True, "interrupts": "ask"})],
)
def test_imagined_games_are_played_to_their_end(kind: str, options: dict[str, Any]) -> None:
    rules = LIBRARY.kind(kind).rules
    for step in walk(kind, 5, 3, options):
        if step.number % 6 == 0:
            seat = (*step.before.table.seats, None)[step.number // 6 % 4]
            view = rules.view(step.before, seat)
            imagined = rules.imagine(view, seat, Dice(KEY, str(step.number)))
            assert isinstance(play_on(rules, imagined, str(step.number)), Over)


RING = tuple(LIBRARY.kind(SECOND).rules.components.worlds)[:3]
OWN, *UNSEEN = tuple(LIBRARY.kind(SECOND).rules.components.cards)[:4]


def small(kind: str, left_over: str, piles: Mapping[str, Sequence[str]], hidden: str = "") -> State:
    """A position of which red does not see the last NavComp cards and resources."""
    rules = LIBRARY.kind(kind).rules
    collected = Counter(rules.components.resource_cards)
    for cards in ([left_over], [hidden] if hidden else [], *piles.values()):
        collected.subtract(cards)
    document = {
        "seats": ["red", "blue"],
        "ring": list(RING),
        "hands": {"red": [OWN], "blue": UNSEEN[:1]},
        "navcomp_deck": UNSEEN[1:],
        "navcomp_discard": [card for card in rules.components.cards if card not in (OWN, *UNSEEN)],
        "planets": {planet: {"face_down": list(cards)} for planet, cards in piles.items()},
        "collected": {"red": list(collected.elements())},
    }
    state: State = rules.load({**document, **({"hidden": {"blue": [hidden]}} if hidden else {})})
    return state


def cell(found: State) -> Any:
    """Where the cards lie that red does not see."""
    return found.hands["blue"], found.deck, found.hidden["blue"], *found.piles.values()


def ways(resources: Iterable[Sequence[tuple[str, ...]]]) -> Iterator[Any]:
    """Every way of the NavComp cards with every way of the resources."""
    for navcomp, (hidden, *piles) in product(permutations(UNSEEN), resources):
        yield navcomp[:1], navcomp[1:], hidden, *piles, ()


def test_every_way_in_which_unseen_cards_can_lie_is_equally_likely_but_hidden_fame() -> None:
    state = small(SECOND, "fame!", {RING[0]: ["fame!", "water"], RING[1]: ["water"]}, "sand")
    lying = permutations(["fame!", "fame!", "water", "water", "sand"])
    resources = [(way[:1], way[1:3], way[3:4]) for way in lying if way[0] != "fame!"]
    assert_shares(LIBRARY.kind(SECOND).rules, state, "red", cell, ways(resources))


@pytest.mark.parametrize("kind", [SECOND, FIRST])
def test_a_card_that_was_not_on_the_pile_when_it_became_the_deck_is_in_a_hand(kind: str) -> None:
    """Everybody can know it, also who imagines; games of earlier versions go on as they were."""
    rules, held = LIBRARY.kind(kind).rules, 0
    for step in walk(kind, 11, 5, {}):
        table, hands = step.before.table, step.before.hands
        seat = table.active
        known = {*table.kept_out} - {*hands[seat], *table.discard}
        imagined = rules.imagine(rules.view(step.before, seat), seat, step.dice).hands
        for found in (hands, imagined):
            assert known <= {
                card for other in table.seats if other != seat for card in found[other]
            }
        held += len(known)
        older = rules.forget(step.before)
        after, events = rules.resolve(older, step.orders, step.dice)
        assert (after, events) == (rules.forget(step.after), step.events)
        assert "kept_out" not in rules.dump(after)
    assert held > 50


def test_cards_that_must_be_in_hands_are_dealt_evenly() -> None:
    state = small(FIRST, "nothing", {RING[0]: ["water"]})
    state = replace(state, table=replace(state.table, kept_out=(OWN, UNSEEN[0])))
    alike = [((UNSEEN[0],), deck, (), ("water",), (), ()) for deck in permutations(UNSEEN[1:])]
    assert_shares(LIBRARY.kind(FIRST).rules, state, "red", cell, alike)


def test_in_2010_what_is_nowhere_was_nothing() -> None:
    state = small(FIRST, "nothing", {RING[0]: ["nothing", "water"], RING[1]: ["fame!"]})
    lying = permutations(["nothing", "water", "fame!"])
    resources = [((), way[:2], way[2:]) for way in lying]
    assert_shares(LIBRARY.kind(FIRST).rules, state, "red", cell, ways(resources))


def test_the_landed_know_what_lies_below_them_but_not_in_which_order() -> None:
    rules = LIBRARY.kind(FIRST).rules
    document = {
        "options": {"orbital_burn": True},
        "seats": ["red", "blue"],
        "ring": list(RING),
        "planets": {RING[0]: {"face_down": ["fame", "water"], "face_up": ["gem-red"]}},
        "ships": {"red": {"planet": RING[0], "landed": True}},
        "navcomp_deck": [],
    }
    state = rules.load(document)
    below = permutations(["fame", "water"])
    assert_shares(rules, state, "red", lambda found: found.piles[RING[0]], below)


def test_own_standing_orders_and_choices_are_known_and_those_of_others_are_not() -> None:
    rules = LIBRARY.kind(SECOND).rules
    own, theirs = {"collect": ["fame"]}, {"collect": "none"}
    document = {
        "seats": ["red", "blue"],
        "ring": list(RING),
        "step": "collect",
        "planets": {RING[0]: {"face_up": ["fame", "water"], "marks": {"red": "fame"}}},
        "awaiting": {"collect": {"red": RING[0]}},
        "standing": {"red": own, "blue": theirs},
        "take": ["water"],
        "navcomp_deck": [],
    }
    state = rules.load(document)
    red, blue = (
        rules.imagine(rules.view(state, seat), seat, Dice(KEY, seat)) for seat in ("red", "blue")
    )
    assert (red.standing, red.take) == ({"red": state.standing["red"]}, ("water",))
    assert (blue.standing, blue.take) == ({"blue": state.standing["blue"]}, None)
