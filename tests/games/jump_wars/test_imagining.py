"""An imagined position of Jump Wars agrees with its view, and each is as likely as it must be."""

from collections import Counter
from itertools import islice, permutations
from pathlib import Path
from typing import Any

import pytest

from adjudicator.core.dice import Dice
from adjudicator.core.game import Over
from adjudicator.core.tabletop import find_held, list_unseen
from adjudicator.rules.jump_wars.position.state import State
from tests.games.imagined import KEY, assert_imagined, assert_shares, play_on, scenario_positions
from tests.games.jump_wars.play import KIND, RULES, walk

GAMES: list[tuple[int, int, dict[str, Any], str]] = [
    (1, 2, {"turn_limit": 8}, "legal"),
    (2, 3, {}, "bot"),
    (3, 5, {"homeworlds": "choose", "grid": "hex", "turn_limit": 6}, "legal"),
    (4, 8, {"old_empire": True, "turn_limit": 4}, "bot"),
]


@pytest.mark.parametrize(("seed", "players", "options", "who"), GAMES)
def test_nobody_can_tell_what_they_imagine_from_the_truth(
    seed: int, players: int, options: dict[str, Any], who: str
) -> None:
    seats = KIND.seats[:players]
    for step in walk(seed, seats, options, players=dict.fromkeys(seats, who), steps=60):
        assert_imagined(RULES, step.before, f"{seed}-{step.number}")
    assert_imagined(RULES, step.after, f"{seed}-last")


@pytest.mark.parametrize("one_in", [2, pytest.param(1, marks=pytest.mark.soak)])
def test_positions_of_the_scenarios_are_imagined_too(one_in: int) -> None:
    steps = Counter[str]()
    for rules, state, label in islice(
        scenario_positions(Path(__file__).parent / "scenarios"), 0, None, one_in
    ):
        assert_imagined(rules, state, label)
        steps[state.table.step] += 1
    assert min(steps[step] for step in ("homeworlds", "plan", "jump", "reveal")) >= 5


def test_imagined_games_are_played_to_their_end() -> None:
    seats = KIND.seats[:3]
    for step in walk(5, seats, {"turn_limit": 6}):
        seat = (*seats, None)[step.number % 4]
        imagined = RULES.imagine(RULES.view(step.before, seat), seat, Dice(KEY, str(step.number)))
        assert isinstance(play_on(RULES, imagined, str(step.number)), Over)


BOX = list(Counter(RULES.components.cards).elements())


@pytest.mark.parametrize(
    ("kept_out", "held"),
    [
        ([], []),
        ([*BOX[:4], *BOX[5:6], BOX[-1]], [BOX[0], BOX[-1]]),  # there are five of each technology
    ],
)
def test_every_way_in_which_the_unseen_cards_can_lie_is_equally_likely(
    kept_out: list[str], held: list[str]
) -> None:
    unseen = [*BOX[:2], *BOX[5:6], *BOX[-3:]]  # two of one technology, one of another, specials
    own, rest = BOX[6:8], [*BOX[2:5], *BOX[8:-3]]
    hands = {"red": own, "blue": unseen[:2], "green": unseen[2:3]}
    document = {
        "seats": ["red", "blue", "green"],
        "hands": hands,
        "deck": unseen[3:],
        "discard": rest,
        "kept_out": kept_out,
    }
    state = RULES.load(document)

    def cell(found: State) -> Any:
        return found.hands["blue"], found.hands["green"], *found.deck

    in_order = RULES.components.sort_cards
    free = list((Counter(unseen) - Counter(held)).elements())
    places = permutations(range(len(unseen)))  # the held ones come first
    ways = (
        (in_order(cards[:2]), cards[2:3], *cards[3:])
        for way in places
        if min(way[3:]) >= len(held)
        for cards in [tuple([*held, *free][place] for place in way)]
    )
    assert_shares(RULES, state, "red", cell, ways)


def test_a_card_that_was_not_on_the_pile_when_it_became_the_deck_is_in_a_hand() -> None:
    """Everybody can know it, also who imagines; games of earlier versions go on as they were."""
    seats, held, shuffles = KIND.seats[:5], 0, 0
    for step in walk(1, seats, {}, steps=60):
        table = step.before.table
        shuffles = max(shuffles, step.before.shuffles)
        for seat in seats:
            view, hands = RULES.view(step.before, seat), step.before.hands
            unseen = list_unseen(RULES.components.cards, (view.hand, table.discard))
            known = Counter(find_held(unseen, RULES.components.cards, table.kept_out))
            imagined = RULES.imagine(view, seat, step.dice).hands
            for found in (hands, imagined):
                assert known <= Counter(c for s in seats if s != seat for c in found[s])
            held += known.total()
        older = RULES.forget(step.before)
        after, events = RULES.resolve(older, step.orders, step.dice)
        assert (after, events) == (RULES.forget(step.after), step.events)
        assert "kept_out" not in RULES.dump(after)
    assert (shuffles > 1, held > 50) == (True, True)


def test_own_preferences_are_known_and_those_of_others_are_not() -> None:
    standing = {"reveal": "pass"}
    kept = {"fight": {"targets": ["blue"]}}
    document = {
        "seats": ["red", "blue", "green"],
        "step": "reveal",
        "fleets": {"red": {"A1": 5}, "blue": {"B2": 5}},
        "levels": {"red": {"espionage": 2}},
        "written": {"red": ["A1-A2 x3"], "blue": ["B2-B3 x3"]},
        "kept": {"red": kept, "blue": kept},
        "standing": {"green": standing, "blue": standing},
        "deck": [],
    }
    state = RULES.load(document)
    for seat in state.table.seats:
        imagined = RULES.imagine(RULES.view(state, seat), seat, Dice(KEY, seat))
        own_kept = {seat: state.kept[seat]} if seat in state.kept else {}
        own_standing = {seat: standing} if seat in state.standing else {}
        assert (imagined.kept, imagined.standing) == (own_kept, own_standing)
