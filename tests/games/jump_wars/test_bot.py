"""The bot plays to win, from its view alone."""

import pytest

from adjudicator.core.finding import Grade
from adjudicator.core.game import Over
from tests.games.jump_wars.play import KIND, RULES, walk


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
