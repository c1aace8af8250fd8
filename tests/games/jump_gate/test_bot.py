"""The bot plays to win, from its view alone."""

import pytest

from adjudicator.core.dice import Dice
from adjudicator.core.finding import Finding
from adjudicator.core.game import Over
from tests.games.jump_gate.play import FIRST, LIBRARY, SECOND, dice_of, walk

VARIANTS = {"sun_dial": True, "explorers_club": True, "orbital_burn": True}


def wins_against_random(kind: str, options: dict[str, object], games: int) -> int:
    """How many two-player games the bot has won alone; it changes its seat."""
    seats = LIBRARY.kind(kind).seats[:2]
    won = 0
    for seed in range(games):
        bot, other = seats[seed % 2], seats[1 - seed % 2]
        *_, last = walk(kind, seed, 2, options, who={bot: "bot", other: "legal"})
        assert last.after.table.over is not None
        won += last.after.table.over.winners == (bot,)
    return won


EDITIONS = pytest.mark.parametrize(
    ("kind", "options"),
    [(SECOND, {}), (FIRST, {}), (FIRST, VARIANTS)],
    ids=["second", "2010", "2010-variants"],
)


@EDITIONS
def test_the_bot_beats_random_play(kind: str, options: dict[str, object]) -> None:
    assert wins_against_random(kind, options, 10) >= 9


@pytest.mark.soak
@EDITIONS
def test_the_bot_beats_random_play_100_games(kind: str, options: dict[str, object]) -> None:
    """It wins at least 90 of 100 two-player games."""
    assert wins_against_random(kind, options, 100) >= 90


@pytest.mark.parametrize("players", [2, 3, 5])
@EDITIONS
def test_bots_among_themselves_come_to_an_end_without_a_fault(
    kind: str, options: dict[str, object], players: int
) -> None:
    """It never writes what its view shows to fail, and leaves nothing to luck that it can see."""
    rules = LIBRARY.kind(kind).rules
    faults: list[Finding] = []
    last = None
    for step in walk(kind, players, players, options, who="bot"):
        for seat, orders in step.orders.items():
            faults += rules.check(rules.view(step.before, seat), seat, orders)
        last = step.after
    assert faults == []
    assert last is not None
    assert last.table.over is not None


@pytest.mark.soak
@EDITIONS
def test_bots_among_themselves_come_to_an_end_200_games(
    kind: str, options: dict[str, object]
) -> None:
    for seed in range(200):
        *_, last = walk(kind, seed, 3, options, who="bot", steps=250)
        assert last.after.table.over is not None, f"game {seed} stands still"


def test_bots_do_not_stand_still_where_hardly_anything_is_left() -> None:
    """Everything is claimed, and the last card without the icon lies where one must land first."""
    library = LIBRARY.kind(FIRST)
    ring = list(library.rules.components.worlds)
    planets: dict[str, object] = {planet: {"claim": "red"} for planet in ring}
    planets["cinder"] = {"claim": "blue", "face_down": ["nothing", "gem-red"]}
    document = {
        "seats": ["red", "blue"],
        "options": library.options(VARIANTS, ["red", "blue"]),
        "ring": ring,
        "planets": planets,
        "ships": {"red": {"planet": "anno", "landed": True}, "blue": "window"},
    }
    for seed in range(10):
        state = library.rules.load(document, Dice(b"key", f"given {seed}"))
        for number in range(120):
            due = library.rules.due(state)
            if isinstance(due, Over):
                break
            dice = dice_of(seed, f"{number}-turn")
            orders = {
                seat: library.rules.bot(library.rules.view(state, seat), seat, dice) for seat in due
            }
            state, _ = library.rules.resolve(state, orders, dice)
        assert state.table.over is not None, f"game {seed} stands still"
