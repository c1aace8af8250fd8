"""An imagined position of Jump Wars agrees with its view, and each is as likely as it must be."""

from collections import Counter
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from adjudicator.core.dice import Dice
from adjudicator.core.game import Over
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


def test_positions_of_the_scenarios_are_imagined_too() -> None:
    steps = Counter[str]()
    for rules, state, label in scenario_positions(Path(__file__).parent / "scenarios"):
        assert_imagined(rules, state, label)
        steps[state.table.step] += 1
    assert min(steps[step] for step in ("homeworlds", "plan", "jump", "reveal")) >= 5


def test_imagined_games_are_played_to_their_end() -> None:
    seats = KIND.seats[:3]
    for step in walk(5, seats, {"turn_limit": 6}):
        seat = (*seats, None)[step.number % 4]
        imagined = RULES.imagine(RULES.view(step.before, seat), seat, Dice(KEY, str(step.number)))
        assert isinstance(play_on(RULES, imagined, str(step.number)), Over)


def test_every_way_in_which_the_unseen_cards_can_lie_is_equally_likely() -> None:
    box = list(Counter(RULES.components.cards).elements())
    unseen = [*box[:2], *box[5:6], *box[-3:]]  # two of one technology, one of another, specials
    own, rest = box[6:8], [*box[2:5], *box[8:-3]]
    hands = {"red": own, "blue": unseen[:2], "green": unseen[2:3]}
    document = {
        "seats": ["red", "blue", "green"],
        "hands": hands,
        "deck": unseen[3:],
        "discard": rest,
    }
    state = RULES.load(document)

    def cell(found: State) -> Any:
        return found.hands["blue"], found.hands["green"], *found.deck

    in_order = RULES.components.sort_cards
    ways = ((in_order(way[:2]), way[2:3], *way[3:]) for way in permutations(unseen))
    assert_shares(RULES, state, "red", cell, ways)


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
