"""An imagined position of Jump Drive agrees with its view, and each is as likely as it must be."""

from collections import Counter
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from adjudicator.core.dice import Dice
from adjudicator.core.game import Over
from adjudicator.rules.jump_drive.position.state import State
from tests.games.imagined import (
    KEY,
    assert_imagined,
    assert_shares,
    play_on,
    scenario_positions,
)
from tests.games.jump_drive.play import KIND, RULES, begin, walk

GAMES: list[tuple[int, int, dict[str, Any], str]] = [
    (1, 2, {}, "legal"),
    (2, 3, {}, "bot"),
    (3, 4, {}, "legal"),
    (4, 4, {"first_game": True}, "legal"),
    (5, 3, {"first_game": True}, "bot"),
]


@pytest.mark.parametrize(("seed", "players", "options", "who"), GAMES)
def test_nobody_can_tell_what_they_imagine_from_the_truth(
    seed: int, players: int, options: dict[str, Any], who: str
) -> None:
    seats = KIND.seats[:players]
    for step in walk(seed, seats, options, players=dict.fromkeys(seats, who)):
        assert_imagined(RULES, step.before, f"{seed}-{step.number}")
    assert_imagined(RULES, step.after, f"{seed}-over")


def test_positions_of_the_scenarios_are_imagined_too() -> None:
    steps = Counter[str]()
    for rules, state, label in scenario_positions(Path(__file__).parent / "scenarios"):
        assert_imagined(rules, state, label)
        steps[state.table.step] += 1
    assert min(steps[step] for step in ("opening", "place", "explore", "second", "trim")) >= 5


def test_imagined_games_are_played_to_their_end() -> None:
    seats = KIND.seats[:3]
    for step in walk(7, seats, {}):
        seat = (*seats, None)[step.number % 4]
        imagined = RULES.imagine(RULES.view(step.before, seat), seat, Dice(KEY, str(step.number)))
        assert isinstance(play_on(RULES, imagined, str(step.number)), Over)


def small(unseen: int) -> tuple[State, list[str]]:
    """A position in which nearly all cards lie in red's empire, and those that red cannot see."""
    box = list(Counter(RULES.components.deck).elements())
    rest, placed = [box[0], *box[-unseen:]], box[1:-unseen]
    document = {
        "seats": ["red", "blue", "green"],
        "step": "explore",
        "hands": {"red": rest[:1], "blue": rest[1:3], "green": rest[3:4]},
        "drawn": {"blue": rest[2:3]},
        "empires": {"red": placed},
        "deck": rest[4:6],
        "discard": rest[6:],
    }
    return RULES.load(document), rest[1:]


def test_every_way_in_which_the_unseen_cards_can_lie_is_equally_likely() -> None:
    state, unseen = small(6)
    assert len(set(unseen)) < len(unseen) == 6  # some are copies of others

    def cell(found: State) -> Any:
        return found.hands["blue"], found.drawn["blue"], found.hands["green"], *found.deck

    ways = ((tuple(sorted(way[:2])), way[:1], way[2:3], *way[3:5]) for way in permutations(unseen))
    assert_shares(RULES, state, "red", cell, ways)


def test_who_looks_on_imagines_every_hand() -> None:
    state, unseen = small(3)

    def cell(found: State) -> Any:
        return found.hands["red"], found.hands["blue"], found.hands["green"]

    ways = (
        (way[:1], tuple(sorted(way[1:3])), way[3:4])
        for way in permutations([*state.hands["red"], *unseen])
    )
    assert_shares(RULES, state, None, cell, ways)


def test_a_convoy_that_was_seen_to_go_onto_the_pile_lies_there() -> None:
    """Until the pile becomes the deck; games begun earlier go on as they were."""
    lying, forgotten = 0, 0
    for seed in range(20):
        for step in walk(seed, KIND.seats[:4], {}):
            seen = Counter(step.before.table.open_discards)
            for seat in (*step.before.table.seats, None):
                imagined = RULES.imagine(RULES.view(step.before, seat), seat, step.dice)
                assert seen <= Counter(step.before.discard) & Counter(imagined.discard)
            lying += seen.total()
            forgotten += seen.total() > len(step.after.table.open_discards)
            older = RULES.forget(step.before)
            after, events = RULES.resolve(older, step.orders, step.dice)
            assert (after, events) == (RULES.forget(step.after), step.events)
            assert "open_discards" not in RULES.dump(after)
    assert (lying > 10, forgotten > 1) == (True, True)


def test_a_first_game_begins_with_preset_hands() -> None:
    state = begin(3, KIND.seats[:3], {"first_game": True})
    red, *others = state.table.seats
    presets = set(RULES.components.presets.values()) - {state.hands[red]}

    def cell(found: State) -> Any:
        return tuple(found.hands[seat] for seat in others)

    assert_shares(RULES, state, red, cell, permutations(presets, 2))
