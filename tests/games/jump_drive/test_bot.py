"""Bots of every strength play to win, from their views alone."""

from collections.abc import Mapping
from itertools import combinations
from statistics import median

import pytest

from adjudicator.core.dice import Dice, Draw
from adjudicator.core.document import encode
from adjudicator.core.game import STRENGTHS, Over, choose_orders
from adjudicator.rules.jump_drive.bot import hard
from adjudicator.rules.jump_drive.bot.almanac import STRENGTH, Almanac, Tally, list_rivals
from adjudicator.rules.jump_drive.bot.choices import Chooser, Side
from adjudicator.rules.jump_drive.bot.hard import list_orders
from adjudicator.rules.jump_drive.orders.check import (
    find_empire_after,
    find_holdings,
    list_choices,
)
from adjudicator.rules.jump_drive.phases.costs import make_placement
from adjudicator.rules.jump_drive.phases.faults import find_first_fault
from adjudicator.rules.jump_drive.position.counting import (
    count_general,
    count_income,
    count_points,
    count_totals,
)
from tests.games.jump_drive.play import KIND, RULES, Played, walk
from tests.league.matches import list_duels, play_match
from tests.league.standings import sum_up

COMPONENTS = RULES.components
ALMANAC = Almanac(COMPONENTS)


@pytest.fixture
def brief_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """The hard bot tries every choice, but no choice often."""
    monkeypatch.setattr(hard, "_TRIES", 21)


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


def share(first: str, second: str, games: int, seats: int = 2) -> float:
    """The share of the first in games against the second on all other seats."""
    duels = list_duels("jump-drive", seats, (first, second), games, 1, options={}, most=200)
    return sum_up(first, [play_match(match) for match in duels]).share


def test_the_normal_bot_beats_the_easy_one() -> None:
    assert share("normal", "easy", 60) >= 0.6
    assert share("normal", "easy", 30, seats=3) >= 1.3 / 3


@pytest.mark.soak
def test_the_hard_bot_beats_the_normal_one() -> None:
    """It wins two of three games, so that 100 come out below one half once in 2,000 tries."""
    assert share("hard", "normal", 100) >= 0.5


def test_cards_leave_a_hand_from_the_lowest_on_and_in_other_orders() -> None:
    """The first order is the appraisal's; of each other the cards that leave are others."""
    hand = ("a", "b", "b", "c", "d", "e", "f")
    orders = list_orders(hand, 2, 21)
    assert orders[0] == hand
    assert orders[1] == ("a", "c", "b", "b", "d", "e", "f")
    assert all(sorted(order) == sorted(hand) for order in orders)
    assert len({order[:2] for order in orders}) == len(orders)
    assert {tuple(sorted(order[:2])) for order in orders} == set(combinations(hand, 2))
    assert list_orders(hand[:2], 2, 21) == [("a", "b")]
    assert list_orders(hand, 0, 21) == [hand]
    assert list_orders(hand, 2, 4) == orders[:4]


@pytest.mark.usefixtures("brief_search")
@pytest.mark.parametrize(
    ("strength", "seed", "steps"),
    [("easy", 2, 99), ("easy", 4, 99), ("hard", 2, 5), ("hard", 3, 4), ("hard", 4, 3)],
)
def test_every_strength_orders_only_what_is_legal(strength: str, seed: int, steps: int) -> None:
    seats, options = KIND.seats[:seed], {"first_game": seed == 3}
    players = dict.fromkeys(seats, f"bot:{strength}")
    placed = 0
    for step in walk(seed, seats, options, players=players, steps=steps):
        for seat, orders in step.orders.items():
            assert RULES.check(RULES.view(step.before, seat), seat, orders) == ()
        assert [event for event in step.events if event.kind == "negated"] == []
        placed += sum(event.kind in ("settled", "developed") for event in step.events)
    assert placed


class OtherDice(Dice):
    """The dice of a step that fall otherwise, except for the bot's own."""

    def __init__(self, dice: Dice, key: bytes) -> None:
        super().__init__(key, "other")
        self._true = dice
        self.purposes: set[tuple[str, ...]] = set()

    def draw(self, *purpose: str) -> Draw:
        self.purposes.add(purpose)
        return self._true.draw(*purpose) if purpose[0] == "bot" else super().draw(*purpose)


@pytest.mark.usefixtures("brief_search")
def test_a_bot_sees_neither_what_is_hidden_nor_the_dice_of_the_step() -> None:
    """The hands of others, the deck and the draws of the step differ; the orders do not."""
    for step in walk(11, KIND.seats[:2], {}, players=dict.fromkeys(KIND.seats[:2], "bot"), steps=3):
        seat = step.before.table.seats[step.number % 2]
        view = RULES.view(step.before, seat)
        twin = RULES.imagine(view, seat, Dice(bytes(32), "twin"))
        assert twin.hands != step.before.hands
        assert twin.deck != step.before.deck
        for strength in STRENGTHS:
            dice = OtherDice(step.dice, bytes(range(32)))
            own = choose_orders(RULES, view, seat, step.dice, strength)
            other = choose_orders(RULES, RULES.view(twin, seat), seat, dice, strength)
            assert encode(own) == encode(other)
            assert dice.purposes <= {("bot", seat)}


def test_a_card_promises_what_it_gains_with_those_that_are_still_to_come() -> None:
    """JD-17: consumer markets bring a point and a card of income for each blue world."""
    deck = COMPONENTS.deck
    blue = sum(number for name, number in deck.items() if COMPONENTS.cards[name].colour == "blue")
    share = blue / sum(deck.values())
    assert ALMANAC.traits["consumer-markets"].promise == pytest.approx((1 + 0.7) * share)
    assert ALMANAC.traits["drop-ships"].promise == 0


def test_positions_of_any_kind_are_tallied_as_the_rules_count_them() -> None:
    for seed in range(6):
        for step in walk(seed, KIND.seats[: 2 + seed % 3], {}):
            empires = step.after.table.empires
            tallies = {seat: Tally(ALMANAC).grow(*empire) for seat, empire in empires.items()}
            points = count_totals(empires, COMPONENTS, count_points)
            income = count_totals(empires, COMPONENTS, count_income)
            for seat, tally in tallies.items():
                rivals = list_rivals(tallies[other] for other in empires if other != seat)
                assert tally.count_gain(rivals) == (points[seat], income[seat])
                strength = count_general(COMPONENTS.find_cards(empires[seat]))
                assert tally.things[STRENGTH] == strength


def test_the_hard_bot_knows_every_placement_with_its_costs() -> None:
    """Except that a specialist pays only for worlds that are too strong."""
    second = 0
    for seed in range(8):
        for step in walk(seed, KIND.seats[:2], {}):
            if step.before.table.step != "place":
                continue
            seat = step.before.table.seats[0]
            own = find_holdings(RULES.view(step.before, seat))
            tally = Tally(ALMANAC).grow(*own.empire)
            side = Side(tally=tally, hand=own.hand, surveyed=own.surveyed)
            exploring, *found = Chooser(side, ALMANAC).list_choices()
            assert exploring.form.explore
            for choice in found:
                play = make_placement(own, choice.form, COMPONENTS)
                costs = play.costs
                assert find_first_fault(play) is None
                assert choice.cost == costs.development + costs.world + costs.second
                after = [card.slug for card in find_empire_after(play)]
                assert sorted(choice.tally.names) == sorted(after)
                second += play.second is not None
            forms = [choice.form for choice in found]
            for play in list_choices(own, COMPONENTS):
                form = play.form
                if play.world is None or not (form.contact_specialist or form.second):
                    assert form in forms
    assert second > 5
