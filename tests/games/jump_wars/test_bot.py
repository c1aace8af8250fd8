"""The bot plays to win, from its view alone."""

import pytest

from adjudicator.core.dice import Dice, Draw
from adjudicator.core.document import Orders
from adjudicator.core.finding import Grade
from adjudicator.core.game import STRENGTHS, Over, Strength, choose_orders
from adjudicator.rules.jump_wars.bot.estimates import find_threats
from adjudicator.rules.jump_wars.position.state import State
from tests.games.jump_wars.play import KIND, RULES, begin, dice_of, walk
from tests.league.matches import list_duels, play_match
from tests.league.standings import sum_up


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
        "fleets": {"red": {"A1": 20, "B1": 40}, "blue": {"C1": 8}},
        "levels": {"red": {"command": 4}},
        "deck": [],
    }
    view = RULES.view(RULES.load(document), "red")
    for strength in STRENGTHS:
        form = choose_orders(RULES, view, "red", dice_of(1, "1"), strength)
        assert sum(jump["fleets"] for jump in form["jump"] if jump["to"] == "C1") >= 18


def play_turn(fleets: dict[str, dict[str, int]], red: Strength) -> object:
    """Who has won once red has played a turn against a normal bot; homeworlds: A1 and C1."""
    document = {
        "seats": ["red", "blue"],
        "turn": 20,
        "step": "jump",
        "map": {"A1": {"home": "red"}, "C1": {"home": "blue"}},
        "fleets": fleets,
        "deck": [],
    }
    state = RULES.load(document)
    orders = {
        seat: choose_orders(RULES, RULES.view(state, seat), seat, dice_of(1, "1"), strength)
        for seat, strength in (("red", red), ("blue", "normal"))
    }
    due = RULES.due(RULES.resolve(state, orders, dice_of(1, "1"))[0])
    return due.winners if isinstance(due, Over) else None


@pytest.mark.parametrize("strength", STRENGTHS)
def test_an_empty_homeworld_is_taken_and_the_own_one_guarded(strength: Strength) -> None:
    """JW-60: as many stay at A1 as it takes against the six beside it, so red wins alone."""
    assert play_turn({"red": {"A1": 10}, "blue": {"B1": 6}}, strength) == ("red",)


@pytest.mark.parametrize("strength", STRENGTHS)
def test_whoever_cannot_keep_a_homeworld_takes_the_other_one(strength: Strength) -> None:
    """JW-60: an exchange gives the game to both, staying gives it to the enemy alone."""
    assert play_turn({"red": {"A1": 3}, "blue": {"B1": 12}}, strength) == ("red", "blue")


def test_a_stack_threatens_with_all_the_orders_it_can_be_given() -> None:
    """JW-29, JW-31: two orders of six fleets each; three fleets would hold against one of them."""
    document = {
        "seats": ["red", "blue"],
        "step": "jump",
        "map": {"A1": {"home": "red"}, "J10": {"home": "blue"}},
        "fleets": {"red": {"A1": 3}, "blue": {"B1": 13, "J9": 9}},
        "deck": [],
    }
    table = RULES.load(document).table
    assert find_threats(table, "red", "A1", table.holes) == {"blue": 12}


def order_against_a_hoard(strength: Strength, initiative: int) -> tuple[State, Orders]:
    """Red's orders with nova bombs beside 200 fleets at blue's homeworld, and the state before."""
    document = {
        "seats": ["red", "blue"],
        "turn": 20,
        "step": "jump",
        "map": {"A1": {"home": "red"}, "C1": {"home": "blue"}},
        "fleets": {"red": {"A1": 300, "B1": 9}, "blue": {"C1": 200}},
        "levels": {"blue": {"initiative": initiative, "defense": 2}},
        "specials": {"red": ["nova-bombs"]},
        "hands": {"blue": ["defense"]},
        "deck": [],
    }
    state = RULES.load(document)
    orders = choose_orders(RULES, RULES.view(state, "red"), "red", dice_of(1, "1"), strength)
    return state, {"red": orders}


@pytest.mark.parametrize("strength", ["normal", "hard"])
def test_a_stack_too_large_to_be_beaten_is_bombed(strength: Strength) -> None:
    """JW-56: one order moves six fleets; as many bombs as a raised defense takes destroy all."""
    state, orders = order_against_a_hoard(strength, 1)
    raised = {"cutting_edge": ["defense"]}
    after, _ = RULES.resolve(state, {**orders, "blue": raised}, dice_of(1, "1"))
    assert after.table.fleets.get("blue", {}) == {}


@pytest.mark.parametrize("strength", STRENGTHS)
def test_nobody_bombs_who_would_be_shot_before(strength: Strength) -> None:
    """JW-53: 200 fleets with the higher initiative leave no ship to be sacrificed."""
    _, orders = order_against_a_hoard(strength, 2)
    assert "fight" not in orders["red"]


class NotedDice(Dice):
    """Dice that note what they are thrown for."""

    def __init__(self, number: int) -> None:
        super().__init__(bytes([number]) * 32, "noted")
        self.purposes: set[tuple[str, ...]] = set()

    def draw(self, *purpose: str) -> Draw:
        self.purposes.add(purpose)
        return super().draw(*purpose)


@pytest.mark.parametrize(
    "options", [{}, {"grid": "hex", "old_empire": True}], ids=["square", "hex-empire"]
)
def test_the_hard_bot_orders_only_what_can_be_done(options: dict[str, object]) -> None:
    """It sees its own view and throws its own dice; the same dice choose the same orders."""
    seats = KIND.seats[:3]
    strengths = dict.fromkeys(seats, "bot")
    for step in walk(5, seats, options, players=strengths, steps=22):
        if step.number % 7:
            continue
        view, dice = RULES.view(step.before, "red"), NotedDice(step.number)
        orders = choose_orders(RULES, view, "red", dice, "hard")
        findings = RULES.check(view, "red", orders)
        assert [f for f in findings if f.grade is Grade.DOOMED] == []
        assert dice.purposes <= {("bot", "red")}
        assert choose_orders(RULES, view, "red", NotedDice(step.number), "hard") == orders


@pytest.mark.soak
def test_the_hard_bot_beats_the_normal_one() -> None:
    """It wins three of four games, so that 60 come out below 0.55 about once in 5,000 tries."""
    duels = list_duels("jump-wars", 2, ("hard", "normal"), 60, 1, options={}, most=400)
    assert sum_up("hard", [play_match(match) for match in duels]).share >= 0.55


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
