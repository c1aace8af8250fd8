"""The state document: what may be left out, what cannot be, and that it reads back as written."""

import pytest

from adjudicator.core.document import Impossible, decode, encode
from adjudicator.rules.jump_wars.position.state import (
    Ally,
    FightOrders,
    FinalOrders,
    Hold,
    Jump,
    NovaBombs,
    PrivateOrders,
    RevealedOrders,
)
from tests.rules.jump_wars.games import GAME, given, new, play


def again(state):
    """The state, written down as it is stored and read again."""
    return GAME.load(decode(encode(GAME.dump(state))))


@pytest.mark.parametrize("number", range(2, 9))
def test_games_read_back_as_they_were(number):
    state = new(number, number, old_empire=True, grid="hex", turn_limit=3)
    for _ in range(7):
        assert again(state) == state
        state, _ = play(state, {})
    assert state.table.winners is not None
    assert again(state) == state


FULL = """
turn: 4
step: reveal
map: {A1: {home: red}, J10: {home: blue}, E5: {home: empire}, D5: nebula, E6: cluster, B1: void}
fleets: {red: {A1: 5, C4: 2}, blue: {J10: 5}, empire: {E5: 3}}
held: {D5: red}
levels: {red: {attack: 2}}
raised: {red: {attack: 1}}
specials: {red: [nova-bombs, time-jump], blue: [nova-bombs]}
hands: {red: [jump, attack, attack]}
tokens: {red: 12}
deck: [attack, jump]
discard: [trade, defense]
ally: {of: red, is: blue}
written: {red: [C4-D5 x3, A1-B1 all], blue: [{from: J10, to: K9, fleets: 2}]}
empire: {by: red, turns: 2}
start_player: blue
used: {red: [leadership]}
kept: {red: {move_homeworld: B2, fight: {targets: [blue, empire], nova_bombs: [{at: D5, ships: 1}]},
             final: {discard: [trade]}}}
standing: {red: {reveal: pass}}
options: {old_empire: true}
"""


def test_every_key_of_the_document():
    state = given(FULL)
    table = state.table
    assert (table.turn, table.step, table.start_player) == (4, "reveal", "blue")
    assert table.terrain == {"D5": "nebula", "E6": "cluster"}
    assert table.homes == {"red": "A1", "blue": "J10", "empire": "E5"}
    assert table.fleets == {"red": {"A1": 5, "C4": 2}, "blue": {"J10": 5}, "empire": {"E5": 3}}
    assert table.held == {"D5": "red"}
    red = table.players["red"]
    assert (red.find_level("attack"), red.levels["attack"], red.find_level("jump")) == (3, 2, 1)
    assert red.specials == ("nova-bombs", "time-jump")
    assert (red.tokens, red.used, table.players["blue"].tokens) == (12, ("leadership",), 0)
    assert state.hands == {"red": ("attack", "attack", "jump"), "blue": (), "green": ()}
    assert (state.deck, table.discard) == (("attack", "jump"), ("trade", "defense"))
    assert (table.ally, table.hold) == (Ally("red", "blue"), Hold("red", 2))
    assert table.written == {
        "red": RevealedOrders((Jump("C4", "D5", 3), Jump("A1", "B1", "all")), "B2"),
        "blue": RevealedOrders((Jump("J10", "K9", 2),)),
    }
    assert state.kept == {
        "red": PrivateOrders(
            FightOrders(("blue", "empire"), (NovaBombs("D5", 1),)), FinalOrders(("trade",))
        )
    }
    assert state.standing == {"red": {"reveal": "pass"}}
    assert again(state) == state


def test_what_is_not_named_has_its_default():
    state = given("fleets: {red: {A1: 5, C4: 1}, blue: {C4: 2, J10: 1}}")
    table = state.table
    assert (table.turn, table.step, table.start_player) == (1, "plan", "red")
    assert table.held == {"A1": "red", "J10": "blue"}  # two sides stand on C4
    assert set(table.players["green"].levels.values()) == {1}
    assert len(state.deck) == 74
    assert table.winners is None
    assert given(options={"start_player": "green"}).table.start_player == "green"
    assert given("held: {}", fleets={"red": {"A1": 1}}).table.held == {}


def test_the_deck_is_what_is_nowhere_else_shuffled():
    state = given("hands: {red: [cloaking, attack]}\ndiscard: [attack, jump]")
    assert len(state.deck) == 70
    assert state.deck.count("attack") == 3
    assert "cloaking" not in state.deck
    assert state.deck == given("hands: {red: [cloaking, attack]}\ndiscard: [attack, jump]").deck
    assert list(state.deck) != sorted(state.deck, key=state.deck.index)


def test_null_is_not_there():
    state = given(
        "map: {A1: null, B1: {home: red}}\nfleets: {red: {B1: 2, C1: null}, blue: null}\n"
        "levels: {red: {attack: null}}\ntokens: {red: null}\nally: null\nempire: null\nover: null\n"
        "held: null\ndeck: null\nhands: {red: null}\nwritten: null"
    )
    assert state.table.terrain == {}
    assert state.table.fleets == {"red": {"B1": 2}}
    assert state.table.held == {"B1": "red"}
    assert state.table.players["red"].levels["attack"] == 1


def test_any_spelling_will_do():
    state = given(
        "Map: {a1: {Home: RED}, b2: Star Field, c3: black}\nfleets: {Red: {a1: 2}}\n"
        "levels: {R: {Manu: 3}}\nhands: {red: [Nova Bombs]}\nStart-Player: Green"
    )
    assert state.table.terrain == {"B2": "star-field", "C3": "black-hole"}
    assert state.table.homes == {"red": "A1"}
    assert state.table.players["red"].levels["manufacturing"] == 3
    assert state.hands["red"] == ("nova-bombs",)
    assert state.table.start_player == "green"


def test_winners_stand_in_the_order_of_the_seats():
    assert given("over: {winners: [green, red]}").table.winners == ("red", "green")
    drawn = given("over: {winners: []}")
    assert drawn.table.winners == ()
    assert GAME.dump(drawn)["over"] == {"winners": []}


def test_defaults_that_a_scenario_asks_for_with_null_are_left_out():
    document = GAME.dump(given("levels: {red: {attack: 1, jump: 2}}\nmap: {B1: void}"))
    assert document["levels"] == {"red": {"jump": 2}}
    assert document["map"] == {}
    assert "ally" not in document
    assert "over" not in document


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("fleets: {pink: {A1: 31}}", "fleets.pink"),
        ("fleets: {empire: {E5: 3}}", "fleets.empire"),
        ("fleets: {red: {K1: 1}}", "fleets.red.K1"),
        ("fleets: {red: {A11: 1}}", "fleets.red.A11"),
        ("fleets: {red: {A1: -1}}", "fleets.red.A1"),
        ("fleets: {red: {A1: some}}", "fleets.red.A1"),
        ("fleets: {red: {A1: 1, a1: 2}}", "fleets.red.a1"),
        ("fleets: {red: {A1: 1}}\nmap: {A1: black-hole}", "fleets.red.A1"),
        ("fleets: [red]", "fleets"),
        ("map: {A0: nebula}", "map.A0"),
        ("map: {A1: sun}", "map.A1"),
        ("map: {A1: 5}", "map.A1"),
        ("map: {A1: {home: pink}}", "map.A1.home"),
        ("map: {A1: {house: red}}", "map.A1.house"),
        ("map: {A1: {home: red}, B1: {home: red}}", "map.B1.home"),
        ("held: {Z1: red}", "held.Z1"),
        ("held: {A1: pink}", "held.A1"),
        ("levels: {red: {attack: 0}}", "levels.red.attack"),
        ("levels: {red: {nova-bombs: 1}}", "levels.red.nova-bombs"),
        ("raised: {red: {attack: -1}}", "raised.red.attack"),
        ("specials: {red: [attack]}", "specials.red[1]"),
        ("specials: {red: [cloaking, cloaking]}", "specials.red[2]"),
        ("specials: {red: [progenitor-ruins]}", "specials.red[1]"),
        ("hands: {red: [attack, sword]}", "hands.red[2]"),
        ("hands: {red: [cloaking], blue: [cloaking]}", "hands.blue"),
        ("hands: {red: [jump, jump, jump, jump, jump, jump]}", "hands.red"),
        ("hands: {red: [jump]}\ndiscard: [jump, jump, jump, jump, jump]", "discard"),
        ("deck: [cloaking, cloaking]", "deck"),
        ("tokens: {red: -1}", "tokens.red"),
        ("tokens: {pink: 1}", "tokens.pink"),
        ("turn: 0", "turn"),
        ("turn: true", "turn"),
        ("step: trade", "step"),
        ("ally: {of: red, is: pink}", "ally.is"),
        ("ally: {of: red, is: red}", "ally.is"),
        ("ally: {of: red}", "ally.is"),
        ("empire: {by: pink, turns: 1}", "empire.by"),
        ("over: {winners: [pink]}", "over.winners[1]"),
        ("start_player: pink", "start_player"),
        ("used: {red: [sleep]}", "used.red[1]"),
        ("standing: {red: {reveal: maybe}}", "standing.red.reveal"),
        ("written: {red: [C4-D5 x3]}", "written"),
        ("step: reveal\nwritten: {red: [C4-D5]}", "written.red[1]"),
        ("step: reveal\nkept: {red: {fight: {targets: [pink]}}}", "kept.red.fight.targets[1]"),
        (
            "step: reveal\nkept: {red: {fight: {nova_bombs: [{at: D5}]}}}",
            "kept.red.fight.nova_bombs[1].ships",
        ),
        ("fleet: {}", "fleet"),
        ("options: {grid: flat}", "options.grid"),
        ("seats: [red]", "seats"),
    ],
)
def test_a_position_that_cannot_be_is_named_by_its_key(text, path):
    with pytest.raises(Impossible) as fault:
        given(text)
    assert fault.value.path == path


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("map: {A1: 5}", "expected a kind of space or {home: <its side>}, got 5"),
        ("step: reveal\nkept: {red: {fight: {nova_bombs: [{at: D5}]}}}", "is missing"),
    ],
)
def test_what_is_expected_is_said(text, told):
    with pytest.raises(Impossible) as fault:
        given(text)
    assert told in fault.value.message


def test_without_dice_the_deck_must_be_there():
    with pytest.raises(Impossible, match="deck"):
        GAME.load({"seats": ["red", "blue"]})
    assert GAME.load({"seats": ["red", "blue"], "deck": []}).deck == ()
