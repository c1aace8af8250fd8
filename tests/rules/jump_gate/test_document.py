"""The state document: what may be left out, what cannot be, and that it reads back as written."""

from typing import Any

import pytest

from adjudicator.core.document import Impossible, decode, encode
from adjudicator.core.game import Over
from adjudicator.rules.jump_gate.game import JumpGate
from adjudicator.rules.jump_gate.position.state import Awaiting, Ship, Standing
from tests.rules.jump_gate.games import FIRST, SECOND, dice, given

FULL_SECOND = """
turn: 9
step: collect
active: blue
actions_left: 1
planets:
  anno: {face_up: [gem-red, "water!"], face_down: [], marks: {red: gem-red}}
  window: {face_up: [fame], face_down: [fame, sand], claim: red}
ships: {red: gate, blue: anno}
hands: {red: [n03, n17]}
navcomp_deck: [n01]
navcomp_discard: [n09]
hidden: {red: [water]}
collected: {red: [fame, "gem-blue!"]}
black_hole: {red: 2, blue: 1}
final_turns: [red, blue]
standing: {blue: {collect: none}, red: {collect: [fame, water], black_hole: accept}}
awaiting: {collect: {red: anno}, then: []}
take: [fame, none]
"""

FULL_FIRST = """
turn: 9
active: blue
planets: {anno: {face_up: [nothing, "water!"], face_down: [fame, nothing], claim: red,
  scans: {blue: 1, red: 2}}}
ships: {blue: {planet: anno, landed: true}, red: anno}
jump_gate: {red: 3}
deadline: kept
over: {winners: [blue, red], scores: {red: 41, blue: 41}}
"""


BOTH_ASKED = """
step: collect
planets: {anno: {scans: {red: 1, blue: 1}}}
awaiting: {collect: {red: anno, blue: anno}}
"""


def _again(game: JumpGate, state: Any) -> Any:
    """The state, written down as it is stored and read again."""
    return game.load(decode(encode(game.dump(state))))


def test_every_key_of_the_second_edition() -> None:
    state = given(SECOND, FULL_SECOND)
    table = state.table
    assert (table.turn, table.step, table.active, table.actions_left) == (9, "collect", "blue", 1)
    assert table.planets["anno"].marks == {"red": "gem-red"}
    assert (table.planets["window"].face_down, state.piles["window"]) == (2, ("fame", "sand"))
    assert table.planets["cinder"].face_up == ()
    assert table.ships == {"red": Ship(), "blue": Ship("anno")}
    assert (state.deck, table.discard) == (("n01",), ("n09",))
    assert state.hidden == {"red": ("water",), "blue": ()}
    assert table.black_hole == {"red": 2, "blue": 1}
    assert table.final_turns == ("red", "blue")
    assert state.standing["blue"] == Standing(collect=("none",))
    assert state.standing["red"] == Standing(collect=("fame", "water"), black_hole="accept")
    assert table.awaiting == Awaiting(what="collect", at="anno", asked=("red",))
    assert state.take == ("fame", "none")
    assert _again(SECOND, state) == state


def test_every_key_of_the_2010_edition() -> None:
    state = given(FIRST, FULL_FIRST, orbital_burn=True, start_player="red")
    table = state.table
    assert table.planets["anno"].scans == {"red": 2, "blue": 1}
    assert table.ships["blue"] == Ship("anno", landed=True)
    assert table.jump_gate == {"red": 3, "blue": 0}
    assert table.deadline == "kept"
    assert table.over == Over(("red", "blue"), {"red": 41, "blue": 41})  # winners in seat order
    assert len(state.deck) == 48
    assert _again(FIRST, state) == state


def test_what_is_not_named() -> None:
    table = given(SECOND, "").table
    assert (table.turn, table.step, table.active, table.actions_left) == (1, "turn", "red", 2)
    assert set(table.ships.values()) == {Ship()}


def test_names_in_any_spelling() -> None:
    text = 'planets: {Window: {face_up: ["Gem Red", FAME!]}}\nships: {Red: WINDOW}\nstep: Turn'
    table = given(SECOND, text).table
    assert table.planets["window"].face_up == ("gem-red", "fame!")
    assert table.ships["red"] == Ship("window")


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("ring: [anno, cinder]", "ring"),
        ("ring: [anno, cinder, anno]", "ring[3]"),
        ("ring: [anno, cinder, pluto]", "ring[3]"),
        ("ring:", "ring"),
        ("planets: {sethium: {face_up: [fame]}}", "planets.sethium"),
        ("planets: {anno: {face_up: [fame]}, Anno: {}}", "planets.Anno"),
        ("planets: {anno: {face_up: [gold]}}", "planets.anno.face_up[1]"),
        ("planets: {anno: {face_up: [gem-red, gem-red, gem-red]}}", "planets.anno.face_up"),
        ("planets: {anno: {face_up: [nothing]}}", "planets.anno.face_up[1]"),
        ("planets: {anno: {face_up: [fame], marks: {red: water}}}", "planets.anno.marks.red"),
        (
            "planets: {anno: {face_up: [fame], marks: {red: fame, blue: fame}}}",
            "planets.anno.marks.blue",
        ),
        ("planets: {anno: {scans: {red: 1}}}", "planets.anno.scans"),
        ("planets: {anno: {claim: green}}", "planets.anno.claim"),
        ("ships: {red: sethium}", "ships.red"),
        ("ships: {red: {planet: anno, landed: true}}", "ships.red.landed"),
        ("hands: {red: [n01], blue: [n01]}", "hands.blue"),
        ("hands: {red: [n01, n02, n03, n04, n05, n06]}", "hands.red"),
        ("hands: {red: [n49]}", "hands.red[1]"),
        ("hands: {red: [n01]}\nnavcomp_discard: [n01]", "navcomp_discard"),
        ("hands: {red: [n01]}\nnavcomp_deck: [n01]", "navcomp_deck"),
        ("hidden: {red: [fame, fame]}\ncollected: {blue: [fame, fame]}", "hidden.red"),
        ("jump_gate: {red: 1}", "jump_gate"),
        ("black_hole: {red: -1}", "black_hole.red"),
        ("actions_left: 3", "actions_left"),
        ("turn: 0", "turn"),
        ("step: night", "step"),
        ("step: collect", "awaiting"),
        ("awaiting: {collect: {red: anno}}", "awaiting"),
        ("step: mark\nawaiting: {mark: {blue: anno}}", "awaiting.mark"),
        ("step: collect\nawaiting: {collect: {blue: anno}}", "awaiting.collect.blue"),
        ("step: collect\nawaiting: {collect: {red: anno, blue: window}}", "awaiting.collect"),
        ("final_turns: [red, red]", "final_turns[2]"),
        ("standing: {red: {black_hole: love}}", "standing.red.black_hole"),
        ("standing: {red: {collect: [gold]}}", "standing.red.collect[1]"),
        ("deadline: new", "deadline"),
        ("tokens: {red: 3}", "tokens"),
    ],
)
def test_what_cannot_be_is_named_by_its_path(text: str, path: str) -> None:
    with pytest.raises(Impossible) as fault:
        given(SECOND, text)
    assert fault.value.path == path


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("hidden: {red: [water]}", "hidden"),
        ("final_turns: [red]", "final_turns"),
        ("planets: {anno: {face_up: [fame], marks: {red: fame}}}", "planets.anno.marks"),
        ("planets: {anno: {face_up: [sand]}}", "planets.anno.face_up[1]"),
        ("step: mark\nawaiting: {mark: {red: anno}}", "step"),
        (BOTH_ASKED, "awaiting.collect"),
    ],
)
def test_what_the_2010_edition_does_not_know(text: str, path: str) -> None:
    with pytest.raises(Impossible) as fault:
        given(FIRST, text)
    assert fault.value.path == path


def test_without_dice_the_deck_must_be_there() -> None:
    with pytest.raises(Impossible, match="navcomp_deck: is missing"):
        SECOND.load({"seats": ["red", "blue"], "ring": ["anno", "cinder", "window"]})


ASKS = """
planets: {anno: {face_up: [gem-red, water, fame], scans: {blue: 1}}}
ships: {red: anno}
hands: {red: [n18, n20]}
standing: {blue: {collect: [water]}}
"""


@pytest.mark.parametrize(("begun", "step"), [("now", "turn"), ("by an earlier version", "collect")])
def test_a_game_of_an_earlier_version_asks_in_spite_of_standing_lists(
    begun: str, step: str
) -> None:
    """Such a game is replayed as it was played (JG-15)."""
    state = given(FIRST, ASKS, interrupts="ask")
    if begun != "now":
        state = _again(FIRST, FIRST.forget(state))
    landing = {"do": "land", "cards": ["n18", "n20"], "take": ["gem-red"]}
    after, _ = FIRST.resolve(state, {"red": {"actions": [landing]}}, dice("1-turn"))
    assert after.table.step == step
