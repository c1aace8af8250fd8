"""JW-3 to JW-8, JW-61: how a game begins."""

from collections import Counter

import pytest

from adjudicator.core.document import Impossible, encode
from adjudicator.rules.jump_wars.phases.homeworlds import populate
from adjudicator.rules.jump_wars.position.space import SPACES, find_distances
from tests.rules.jump_wars.games import GAME, SEATS, dice, new, play
from tests.rules.jump_wars.tables import BOX

EVERY = [
    (number, grid, old) for number in range(2, 9) for grid in ("square", "hex") for old in (0, 1)
]


@pytest.mark.parametrize(("number", "grid", "old"), EVERY)
def test_everybody_begins_alike(number, grid, old):
    state = new(number, grid=grid, old_empire=bool(old))
    table = state.table
    assert (table.step, table.turn) == ("plan", 1)
    assert set(table.seats) == set(SEATS[:number])
    for seat, player in table.players.items():
        assert table.fleets[seat] == {table.homes[seat]: 5}
        assert set(player.levels.values()) == {1}
        assert (player.tokens, player.specials, player.raised) == (0, (), {})
        assert len(state.hands[seat]) == 2  # nobody has the highest research
    assert table.homes.get("empire") == ("E5" if old else None)
    assert table.fleets.get("empire") == ({"E5": 3} if old else None)


@pytest.mark.parametrize(("number", "grid", "old"), EVERY)
def test_counters_lie_everywhere_else_and_none_too_often(number, grid, old):
    table = new(number, grid=grid, old_empire=bool(old)).table
    assert not set(table.terrain) & set(table.homes.values())
    dealt = Counter(table.terrain.values())
    dealt["void"] = 100 - len(table.homes) - len(table.terrain)
    assert all(left.count - dealt[name] >= 0 for name, left in BOX.counters.items())


@pytest.mark.parametrize("seed", range(20))
def test_every_homeworld_can_be_reached(seed):
    table = new(8, seed, grid="hex", old_empire=True).table
    holes = frozenset(space for space, name in table.terrain.items() if name == "black-hole")
    reached = find_distances("hex", holes, "E5")
    assert all(home in reached for home in table.homes.values())


def cut_off():
    """A seed whose first deal leaves a homeworld in a pocket."""
    for seed in range(2000):
        table = new(4, seed, grid="hex", connected=False).table
        holes = frozenset(space for space, name in table.terrain.items() if name == "black-hole")
        if any(home not in find_distances("hex", holes, "A1") for home in table.homes.values()):
            return seed, table
    raise AssertionError("no deal of 2000 cuts a homeworld off")


def test_a_deal_that_cuts_somebody_off_is_dealt_again_from_the_same_dice():
    seed, first = cut_off()
    again = new(4, seed, grid="hex").table
    assert again.homes == first.homes
    assert again.terrain != first.terrain
    table, deals = populate(again, dice("0-setup", seed), BOX)
    assert table.homes == first.homes
    assert deals > 1
    assert table.terrain == again.terrain


def test_the_deck_is_the_whole_box():
    state = new(3)
    cards = Counter(state.deck)
    for hand in state.hands.values():
        cards.update(hand)
    assert cards == Counter(dict(BOX.cards))
    assert sum(cards.values()) == 74


def test_seats_are_dealt_to_the_spaces_and_the_start_player_is_drawn():
    games = [new(4, seed).table for seed in range(40)]
    assert len({tuple(game.homes[seat] for seat in game.seats) for game in games}) > 5
    assert {game.start_player for game in games} == set(SEATS[:4])


def test_the_same_seed_gives_the_same_bytes():
    assert encode(GAME.dump(new(5, 7))) == encode(GAME.dump(new(5, 7)))
    assert encode(GAME.dump(new(5, 7))) != encode(GAME.dump(new(5, 8)))


def test_a_mapping_places_everybody():
    table = new(2, homeworlds={"Blue": "c3", "red": "H8"}, start_player="RED").table
    assert table.homes == {"red": "H8", "blue": "C3"}
    assert table.start_player == "red"


def test_choosing_is_a_step_of_its_own_and_the_first_turn_follows():
    state = new(3, homeworlds="choose", start_player="blue")
    assert state.table.step == "homeworlds"
    assert not state.table.homes
    orders = {"blue": {"homeworld": ["D4"]}, "green": {"homeworld": ["D5", "H8"]}}
    cut, _ = play(state, orders, cut=True)
    assert (cut.table.step, cut.table.turn) == ("draw", 1)
    after, events = play(state, orders)
    assert after.table.homes == {"blue": "D4", "green": "H8", "red": "J1"}
    assert (after.table.step, after.table.turn) == ("plan", 1)
    assert after.table.fleets["green"] == {"H8": 5}
    assert len(after.table.terrain) + len(SPACES) // 3 > 80
    assert [event.data["wish"] for event in events if event.kind == "homeworld"] == [1, 2, None]

    (dealt,) = [event for event in events if event.kind == "dealt"]
    assert (dealt.rule, dealt.data["deals"] >= 1) == ("JW-3", True)


def test_a_receipt_warns_of_spaces_near_the_homeworld_placed_before():
    """Red is placed first, at A1 if it names no space; that is only how things stand."""
    state = new(2, homeworlds="choose", start_player="red")
    assert state.table.options.spacing > 1

    def told(seat: str, *spaces: str) -> list[tuple[str, tuple[str, ...]]]:
        found = GAME.check(GAME.view(state, seat), seat, {"homeworld": spaces})
        return [(one.grade.value, one.path) for one in found]

    assert told("red", "A2") == []
    assert told("blue", "A2") == [("doubtful", ("homeworld",))]
    assert told("blue", "A2", "J10") == []


@pytest.mark.parametrize(
    ("seats", "options", "path"),
    [
        (["red"], {}, "seats"),
        ([*SEATS, "pink"], {}, "seats"),
        (["red", "Red"], {}, "seats"),
        (["red", "empire"], {}, "seats"),
        (["red", "blue"], {"grid": "round"}, "grid"),
        (["red", "blue"], {"gird": "hex"}, "gird"),
        (["red", "blue"], {"turn_limit": 0}, "turn_limit"),
        (["red", "blue"], {"connected": "no"}, "connected"),
        (["red", "blue"], {"start_player": "pink"}, "start_player"),
        (["red", "blue"], {"homeworlds": "far"}, "homeworlds"),
        (["red", "blue"], {"homeworlds": {"red": "A1"}}, "homeworlds"),
        (["red", "blue"], {"homeworlds": {"red": "A1", "blue": "K1"}}, "homeworlds.blue"),
        (["red", "blue"], {"homeworlds": {"red": "A1", "blue": "A1"}}, "homeworlds.blue"),
        (
            ["red", "blue"],
            {"old_empire": True, "homeworlds": {"red": "A1", "blue": "E5"}},
            "homeworlds.blue",
        ),
    ],
)
def test_what_cannot_be_chosen_is_named(seats, options, path):
    with pytest.raises(Impossible) as fault:
        GAME.setup(options, seats, dice("0-setup"))
    assert fault.value.path == path
