"""Bots of every strength play to win, from their views alone."""

from itertools import cycle

import pytest

from adjudicator.core.dice import Dice, Draw
from adjudicator.core.document import encode
from adjudicator.core.finding import Finding
from adjudicator.core.game import STRENGTHS, Over
from adjudicator.rules.jump_gate.bot import hard
from tests.games.jump_gate.play import FIRST, LIBRARY, SECOND, dice_of, walk
from tests.league.matches import list_duels, play_match
from tests.league.standings import sum_up

VARIANTS = {"sun_dial": True, "explorers_club": True, "orbital_burn": True}


@pytest.fixture
def brief_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """The hard bot tries every action, but no action often."""
    monkeypatch.setattr(hard, "_REPEATS", 1)


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


ASKING = {"interrupts": "ask"}
EDITIONS = pytest.mark.parametrize(
    ("kind", "options"),
    [(SECOND, {}), (FIRST, {}), (FIRST, VARIANTS)],
    ids=["second", "2010", "2010-variants"],
)
ALL_OPTIONS = pytest.mark.parametrize(
    ("kind", "options", "most"),
    [(SECOND, {}, 5), (SECOND, ASKING, 5), (FIRST, ASKING, 6), (FIRST, VARIANTS | ASKING, 6)],
    ids=["second", "second-asking", "2010-asking", "2010-variants-asking"],
)


@EDITIONS
def test_the_bot_beats_random_play(kind: str, options: dict[str, object]) -> None:
    assert wins_against_random(kind, options, 10) >= 9


@pytest.mark.soak
@EDITIONS
def test_the_bot_beats_random_play_100_games(kind: str, options: dict[str, object]) -> None:
    """It wins at least 90 of 100 two-player games."""
    assert wins_against_random(kind, options, 100) >= 90


@pytest.mark.usefixtures("brief_search")
@pytest.mark.parametrize("strength", STRENGTHS)
@ALL_OPTIONS
def test_bots_of_all_seats_come_to_an_end_without_a_fault(
    kind: str, options: dict[str, object], most: int, strength: str
) -> None:
    """None writes what its view shows to fail, or leaves to luck what it can see.

    The hard ones are watched for a while only: where the others end, they do.
    """
    rules = LIBRARY.kind(kind).rules
    steps, sizes = (1000, {2, most - 2, most}) if strength != "hard" else (3, {most})
    for players in sorted(sizes):
        faults: list[Finding] = []
        last = None
        for step in walk(kind, players, players, options, who=f"bot:{strength}", steps=steps):
            for seat, orders in step.orders.items():
                faults += rules.check(rules.view(step.before, seat), seat, orders)
            last = step.after
        assert faults == []
        assert last is not None
        assert strength == "hard" or last.table.over is not None


@ALL_OPTIONS
def test_random_play_and_bots_of_all_seats_do_not_stumble_over_each_other(
    kind: str, options: dict[str, object], most: int
) -> None:
    """Random play brings about what bots never do to themselves."""
    seats = LIBRARY.kind(kind).seats[:most]
    players = cycle(["legal", "bot:easy", "bot:normal"])
    who = dict(zip(seats, players, strict=False))
    *_, last = walk(kind, most, most, options, who=who)
    assert last.after.table.over is not None


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


def share(kind: str, first: str, second: str, games: int, seats: int = 2) -> float:
    """The share of the first in games against the second on all other seats."""
    duels = list_duels(kind, seats, (first, second), games, 1, options={}, most=400)
    return sum_up(first, [play_match(match) for match in duels]).share


@pytest.mark.parametrize("kind", [SECOND, FIRST])
def test_the_normal_bot_beats_the_easy_one(kind: str) -> None:
    assert share(kind, "normal", "easy", 20) > 0.5


@pytest.mark.soak
@pytest.mark.parametrize("kind", [SECOND, FIRST])
def test_the_hard_bot_beats_the_normal_one(kind: str) -> None:
    assert share(kind, "hard", "normal", 100) >= 0.6
    assert share(kind, "hard", "normal", 60, seats=3) >= 1.4 / 3
    assert share(kind, "hard", "normal", 60, seats=4) >= 1.4 / 4


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
@EDITIONS
def test_a_bot_sees_neither_what_is_hidden_nor_the_dice_of_the_step(
    kind: str, options: dict[str, object]
) -> None:
    """The hands of others, decks, planets and the draws of the step differ; the orders do not."""
    rules = LIBRARY.kind(kind).rules
    for step in walk(kind, 11, 3, {**options, **ASKING}, who="bot", steps=6):
        if step.number % 5 != 1:
            continue
        seat = next(iter(step.orders))
        view = rules.view(step.before, seat)
        twin = rules.imagine(view, seat, Dice(bytes(32), "twin"))
        assert twin.hands != step.before.hands
        for strength in STRENGTHS:
            dice = OtherDice(step.dice, bytes(range(32)))
            own = rules.bot(view, seat, step.dice, strength)
            other = rules.bot(rules.view(twin, seat), seat, dice, strength)
            assert encode(own) == encode(other)
            assert dice.purposes <= {("bot", seat)}


@pytest.mark.parametrize("strength", STRENGTHS)
def test_a_bot_that_is_asked_takes_what_helps_it_most(strength: str) -> None:
    """Sand would be its fourth, which the program does not count, since two of them are hidden."""
    library = LIBRARY.kind(SECOND)
    document = {
        "seats": ["red", "blue"],
        "options": library.options(ASKING, ["red", "blue"]),
        "ring": ["anno", "cinder", "waldwelt"],
        "planets": {"anno": {"face_up": ["energel-light", "sand"]}},
        "ships": {"red": "anno"},
        "step": "mark",
        "collected": {"red": ["sand"]},
        "hidden": {"red": ["sand", "sand"]},
        "awaiting": {"mark": {"red": "anno"}},
        "actions_left": 1,
    }
    state = library.rules.load(document, Dice(b"key", "given"))
    view = library.rules.view(state, "red")
    assert library.rules.bot(view, "red", dice_of(1, "1-mark"), strength) == {"mark": ["sand"]}


def test_a_bot_behind_does_not_end_the_game_by_the_black_hole() -> None:
    """JGB-8: with the seventh marker red would lose at once; ahead it takes the same card."""
    library = LIBRARY.kind(SECOND)

    def harvests(others: list[str]) -> bool:
        document = {
            "seats": ["red", "blue"],
            "options": library.options({}, ["red", "blue"]),
            "ring": ["anno", "cinder", "waldwelt"],
            "planets": {
                "anno": {"face_up": ["water!"], "claim": "blue"},
                "cinder": {"face_down": ["sand", "sand"]},
            },
            "ships": {"red": "anno"},
            "hands": {"red": ["n01"]},
            "collected": {"red": ["water", "water", "fame"], "blue": others},
            "black_hole": {"red": 2, "blue": 4},
        }
        state = library.rules.load(document, Dice(b"key", "given"))
        orders = library.rules.bot(library.rules.view(state, "red"), "red", dice_of(1, "1-turn"))
        return orders["actions"][0]["do"] == "harvest"

    assert harvests(["fame"])
    assert not harvests(["sand"] * 7)
