"""The bot plays to win, from its view alone."""

import pytest

from adjudicator.core.finding import Grade
from adjudicator.core.game import STRENGTHS, Over, Strength, choose_orders
from tests.games.jump_wars.play import KIND, RULES, begin, dice_of, walk


def winners(seed: int, players: dict[str, str], options: dict[str, object], turns: int) -> object:
    """Who has won after so many turns; None when nobody has."""
    seats = tuple(players)
    last = None
    for step in walk(seed, seats, options, players=players):
        last = step.after
        if last.table.turn > turns:
            return None
    due = RULES.due(last)
    assert isinstance(due, Over)
    return due.winners


def play_out(strengths: tuple[Strength, ...], seed: int) -> tuple[int, tuple[str, ...]]:
    """The last turn of a game of bots, and who has won."""
    seats = KIND.seats[: len(strengths)]
    state, number = begin(seed, seats, {}), 0
    while not isinstance(due := RULES.due(state), Over):
        assert state.table.turn <= 150
        number += 1
        dice = dice_of(seed, str(number))
        orders = {
            seat: choose_orders(RULES, RULES.view(state, seat), seat, dice, strength)
            for seat, strength in zip(seats, strengths, strict=True)
            if seat in due
        }
        state, _ = RULES.resolve(state, orders, dice)
    return state.table.turn, due.winners


def test_normal_bots_beat_easy_ones_and_come_to_an_end() -> None:
    """Of 20 games, which are the same on every machine, one of two wins most."""
    won = 0.0
    for seed in range(10):
        for own, strengths in enumerate((("normal", "easy"), ("easy", "normal"))):
            _, winners = play_out(strengths, seed)
            won += (KIND.seats[own] in winners) / len(winners)
    assert won >= 14


def test_whoever_is_barred_raises_diplomacy() -> None:
    """A level is worth what it bars, so nobody stays the ally of the same diplomat for ever."""
    document = {
        "seats": ["red", "blue"],
        "map": {"A1": {"home": "red"}, "J10": {"home": "blue"}},
        "fleets": {"red": {"A1": 50}, "blue": {"J10": 5}},
        "levels": {"red": {}, "blue": {"diplomacy": 2}},
        "hands": {"red": ["defense", "diplomacy", "logistics"]},
        "deck": [],
    }
    view = RULES.view(RULES.load(document), "red")
    for strength in STRENGTHS:
        form = choose_orders(RULES, view, "red", dice_of(1, "1"), strength)
        assert form["tech"]["advance"] == ["diplomacy"]


def test_a_large_stack_attacks_with_as_many_orders_as_it_takes() -> None:
    """One order moves few of many fleets: a homeworld with as many would never fall (JW-31)."""
    document = {
        "seats": ["red", "blue"],
        "turn": 20,
        "step": "jump",
        "map": {"A1": {"home": "red"}, "C1": {"home": "blue"}},
        "fleets": {"red": {"B1": 40}, "blue": {"C1": 8}},
        "levels": {"red": {"command": 4}},
        "deck": [],
    }
    view = RULES.view(RULES.load(document), "red")
    for strength in STRENGTHS:
        form = choose_orders(RULES, view, "red", dice_of(1, "1"), strength)
        assert sum(jump["fleets"] for jump in form["jump"] if jump["to"] == "C1") >= 18


def conquests(games: int) -> int:
    seats = KIND.seats[:3]
    return sum(bool(winners(seed, dict.fromkeys(seats, "bot"), {}, 60)) for seed in range(games))


def wins_against_random(games: int) -> int:
    seats = KIND.seats[:2]
    won = 0
    for seed in range(games):
        bot, other = seats[seed % 2], seats[1 - seed % 2]
        players = {seat: "bot" if seat == bot else "legal" for seat in seats}
        assert players[other] == "legal"
        won += winners(seed, players, {"turn_limit": 60}, 61) == (bot,)
    return won


def test_three_bots_come_to_an_end() -> None:
    """At least half of the games end by conquest within 60 turns."""
    assert conquests(12) >= 6


def test_the_bot_beats_random_play() -> None:
    """With a limit of 60 turns it wins at least 95 of 100."""
    assert wins_against_random(20) >= 19


@pytest.mark.soak
def test_three_bots_come_to_an_end_200_games() -> None:
    assert conquests(200) >= 100


@pytest.mark.soak
def test_the_bot_beats_random_play_100_games() -> None:
    assert wins_against_random(100) >= 95


@pytest.mark.parametrize(
    "options",
    [{}, {"grid": "hex", "old_empire": True}, {"homeworlds": "choose"}],
    ids=["square", "hex-empire", "choose"],
)
def test_the_bot_orders_nothing_that_its_view_shows_to_fail(options: dict[str, object]) -> None:
    seats = KIND.seats[:5]
    for step in walk(3, seats, options, players=dict.fromkeys(seats, "bot"), steps=60):
        for seat, orders in step.orders.items():
            findings = RULES.check(RULES.view(step.before, seat), seat, orders)
            assert [f for f in findings if f.grade is Grade.DOOMED] == []
