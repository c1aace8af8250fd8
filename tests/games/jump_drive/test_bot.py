"""The bot plays to win, from its view alone."""

from collections.abc import Mapping
from statistics import median

import pytest

from adjudicator.core.game import Over
from tests.games.jump_drive.play import KIND, RULES, Played, walk


def played(seed: int, players: Mapping[str, str]) -> Played:
    """The last step of a game."""
    *_, last = walk(seed, tuple(players), {}, players=players)
    return last


def wins_against_random(games: int) -> int:
    """How many the bot wins alone, in either seat."""
    won = 0
    for seed in range(games):
        bot = KIND.seats[seed % 2]
        players = {seat: "bot" if seat == bot else "legal" for seat in KIND.seats[:2]}
        due = RULES.due(played(seed, players).after)
        assert isinstance(due, Over)
        won += due.winners == (bot,)
    return won


def rounds_among_bots(games: int, seats: int = 2) -> float:
    """How many rounds half of the games between bots take at most."""
    players = dict.fromkeys(KIND.seats[:seats], "bot")
    return median(played(seed, players).after.table.round for seed in range(games))


def test_the_bot_beats_random_play() -> None:
    assert wins_against_random(30) >= 29


def test_bots_need_as_many_rounds_as_the_rulebook_says() -> None:
    """JD-13: a game of the bot against itself takes 5 to 9 rounds."""
    assert 5 <= rounds_among_bots(15) <= 9
    assert 5 <= rounds_among_bots(5, seats=4) <= 9


@pytest.mark.soak
def test_the_bot_wins_98_of_100_games_against_random_play() -> None:
    assert wins_against_random(100) >= 98


@pytest.mark.soak
def test_half_of_100_games_among_bots_take_5_to_9_rounds() -> None:
    assert 5 <= rounds_among_bots(100) <= 9


@pytest.mark.parametrize("seed", range(4))
def test_the_bot_orders_nothing_that_is_refused_or_fails(seed: int) -> None:
    seats = KIND.seats[: 2 + seed % 3]
    options = {"first_game": seed == 3}
    for step in walk(seed, seats, options, players=dict.fromkeys(seats, "bot")):
        for seat, orders in step.orders.items():
            assert RULES.check(RULES.view(step.before, seat), seat, orders) == ()
        assert [event for event in step.events if event.kind == "negated"] == []


@pytest.mark.parametrize("seed", range(4))
def test_the_bot_uses_what_its_cards_can_do(seed: int) -> None:
    """Games among bots do not stop at what is plain: worlds are conquered, teams taken."""
    seats = KIND.seats[:4]
    kinds: dict[str, int] = {}
    for step in walk(seed, seats, {}, players=dict.fromkeys(seats, "bot")):
        for event in step.events:
            kinds[event.rule] = kinds.get(event.rule, 0) + (event.kind in ("settled", "developed"))
    assert kinds["JD-7"] > 0
    assert kinds["JD-9"] > 0
    assert kinds["JD-6"] > 0


def test_the_bot_answers_when_it_is_asked_for_a_second_world() -> None:
    """Random play asks; a bot that takes its seat over then answers (JD-21)."""
    brought = 0
    for seed in range(60):
        for step in walk(seed, KIND.seats[:3], {}):
            if step.before.table.step != "second":
                continue
            for seat in step.orders:
                view = RULES.view(step.before, seat)
                orders = RULES.bot(view, seat, step.dice)
                assert RULES.check(view, seat, orders) == ()
                brought += "world" in orders
    assert brought > 5
