"""What is expected of imagined positions, whatever the game."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from itertools import count
from math import sqrt
from pathlib import Path
from typing import Any

from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.games.scenarios import find_scenario_files, read_scenario_file
from adjudicator.core.dice import Dice, derive_dice_key, seed_from_number
from adjudicator.core.document import decode, encode
from adjudicator.core.game import Over

KEY = derive_dice_key(seed_from_number(15))
LIBRARY = FolderLibrary()
DRAWS = 10_000
_LONGEST = 1500


def assert_imagined(rules: Any, state: Any, label: str) -> None:
    """Everybody's view of what they imagine is their view, and it is stored like any position."""
    for seat in (*state.table.seats, None):
        view, dice = rules.view(state, seat), Dice(KEY, label)
        imagined = rules.imagine(view, seat, dice)
        assert rules.view(imagined, seat) == view, f"{label}: {seat} can tell them apart"
        assert rules.load(decode(encode(rules.dump(imagined)))) == imagined, f"{label}: {seat}"
        assert rules.due(imagined) == rules.due(state), f"{label}: others owe orders"
        assert rules.imagine(view, seat, Dice(KEY, label)) == imagined, f"{label}: not repeatable"


def play_on(rules: Any, state: Any, label: str) -> Any:
    """Play to the end at random."""
    for number in count():
        due = rules.due(state)
        if isinstance(due, Over) or number == _LONGEST:
            return due
        dice = Dice(KEY, f"{label}-{number}")
        orders = {seat: rules.legal(rules.view(state, seat), seat, dice) for seat in due}
        state, _ = rules.resolve(state, orders, dice)
    raise AssertionError


def scenario_positions(folder: Path) -> Iterable[tuple[Any, Any, str]]:
    """The positions of all scenarios in a folder: the rules, the state and a label."""
    for path in find_scenario_files([folder]):
        scenario = read_scenario_file(path)
        kind = LIBRARY.kind(scenario.kind)
        options = kind.options(scenario.options, scenario.seats)
        given = {**scenario.given, "options": options, "seats": list(scenario.seats)}
        yield kind.rules, kind.rules.load(given, Dice(KEY, "given")), path.stem


def assert_shares(
    rules: Any,
    state: Any,
    seat: str | None,
    cell: Callable[[Any], Hashable],
    ways: Iterable[Hashable],
) -> None:
    """The cells come up as often as among all the ways in which the unseen cards can lie."""
    view = rules.view(state, seat)
    found = Counter(
        cell(rules.imagine(view, seat, Dice(KEY, str(number)))) for number in range(DRAWS)
    )
    expected = Counter(ways)
    assert found.keys() <= expected.keys(), "something came up that cannot be"
    share = DRAWS / expected.total()
    off = sum((found[one] - share * n) ** 2 / (share * n) for one, n in expected.items())
    free = len(expected) - 1
    assert off < free + 4 * sqrt(2 * free), f"chi-square {off:.0f} with {free} degrees of freedom"
