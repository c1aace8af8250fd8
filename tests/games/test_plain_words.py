"""Plain words that need the position to be understood: they are guessed, so that they are asked."""

from collections.abc import Mapping
from typing import Any

import pytest

import adjudicator
from adjudicator.core.dice import Dice
from adjudicator.core.forms.clauses import reword


def _guess(kind: str, form: str, position: Mapping[str, Any], text: str) -> Any:
    own = adjudicator.load(kind).source
    seats = ["red", "blue", "green"]
    given = {**position, "seats": seats, "options": own.options({}, seats)}
    view = own.rules.view(own.rules.load(given, Dice(b"key", "given")), "red")
    return own.rules.guess_orders(view, "red", reword(own.form(form).root, text))


WARS = {
    "step": "jump",
    "map": {"A10": {"home": "red"}, "J1": {"home": "blue"}, "J10": {"home": "green"}},
    "fleets": {"red": {"A10": 5, "D5": 2}, "blue": {"J1": 5, "B9": 1}, "green": {"J10": 5}},
}


@pytest.mark.parametrize(
    ("text", "jumps"),
    [
        ("everything to A9", ["A10-A9 x5"]),
        ("send 4 fleets to attack J1", ["A10-J1 x4"]),
        ("jump: A10-B9", ["A10-B9 x5"]),
        ("leave one at home and send the rest to B9", ["A10-B9 x4"]),
        ("leave 1 at home, rest to B9. The others stay", ["A10-B9 x4"]),
        ("Move 4 fleets to B9. I keep one at home", ["A10-B9 x4"]),
        ("jump 2 from D5 to E5, keep 2 home", ["D5-E5 x2"]),
        ("Take B9 back with all 5 from A10", ["A10-B9 x5"]),
        ("4 to B9 from home", ["A10-B9 x4"]),
        ("2 to B9 and 2 to A9", ["A10-B9 x2", "A10-A9 x2"]),
        ("all to B9 except two", ["A10-B9 x3"]),
        ("take E5 with 2", ["D5-E5 x2"]),
        ("attack blue with everything", ["A10-B9 x5"]),
        ("attack blue with everything from A10", ["A10-B9 x5"]),
        ("attack blue's homeworld with 2 from D5", ["D5-J1 x2"]),
        ("half to A9", ["A10-A9 x2"]),
        ("4 to B9, and the rest stays home", ["A10-B9 x4"]),
        ("attack green with 2 from D5", ["D5-J10 x2"]),
        ("2 ships go to B9, 1 to A9.", ["A10-B9 x2", "A10-A9 x1"]),
        ("3 fleets should attack B9", ["A10-B9 x3"]),
        ("From A10: 2 fleets to B9 and 2 to A9, the rest stays home.", ["A10-B9 x2", "A10-A9 x2"]),
        ("2 to B9, one to A9, the other two guard my homeworld", ["A10-B9 x2", "A10-A9 x1"]),
        ("1 fleet to B9. Keep the remaining ones as reserve", None),
        ("1 fleet to B9 and leave the others at home as guard", ["A10-B9 x1"]),
        ("Send 4 from home to B9, and D5 -> E5 with everybody", ["A10-B9 x4", "D5-E5 x2"]),
        ("everything to H8", None),
        ("take care", None),
        ("leave 9 at home, rest to B9", None),
    ],
)
def test_jumps_are_guessed_where_the_map_leaves_one_reading(
    text: str, jumps: list[str] | None
) -> None:
    guessed = _guess("jump-wars", "jump", WARS, text)
    found = None if guessed is None else [_write(one) for one in guessed["jump"]]
    assert found == jumps


@pytest.mark.parametrize(
    ("text", "builds"),
    [
        ("Build 2 fleets on B3 and the rest at home please", [("B3", 2), ("A10", "max")]),
        ("1 fleet at D5, 1 at home", [("D5", 1), ("A10", 1)]),
        ("build half at home", None),
        ("2 at B3 and good luck", None),
    ],
)
def test_fleets_are_guessed_by_their_places(text: str, builds: list[Any] | None) -> None:
    guessed = _guess("jump-wars", "plan", {**WARS, "step": "plan"}, text)
    found = None if guessed is None else [(one["at"], one["fleets"]) for one in guessed["build"]]
    assert found == builds


@pytest.mark.parametrize(
    ("text", "plan"),
    [
        (
            "Let's use the command card for command, and put the rest of my money into ships",
            {"tech": {"advance": ["command"]}, "build": "max"},
        ),
        (
            "make jump better and rob blue. With what is left I build ships",
            {"tech": {"advance": ["jump"]}, "steal": "blue", "build": "max"},
        ),
        ("an alliance with green; 2 new fleets for me", {"ally": "green", "build": 2}),
        ("boost espionage with my pair", {"tech": {"pair": "espionage"}}),
        ("build max but advance command", None),
        ("use attack or defense", None),
        ("use jump unless it is a bad idea", None),
        ("keep my ships", None),
        ("attack blue", None),
    ],
)
def test_plans_are_guessed_by_what_each_clause_names(text: str, plan: Any) -> None:
    assert _guess("jump-wars", "plan", {**WARS, "step": "plan"}, text) == plan


def _write(jump: Mapping[str, Any]) -> str:
    return f"{jump['from']}-{jump['to']} x{jump['fleets']}"


DRIVE = {
    "step": "explore",
    "hands": {"red": ["gem-world", "drop-ships", "rebel-base", "mining-world", "comet-zone"]},
    "drawn": {"red": ["rebel-base", "mining-world", "comet-zone"]},
}


def test_a_second_world_is_guessed_where_one_convoy_can_bring_it() -> None:
    hand = ["mining-world", "gem-world", "colony-convoy"]
    place = {"step": "place", "hands": {"red": hand}}
    second = {"second": {"world": "mining-world", "by": "colony-convoy"}}
    assert _guess("jump-drive", "place", place, "second: mining-world") == second
    assert _guess("jump-drive", "place", place, "second world mining world by the convoy") == second
    without = {**place, "hands": {"red": hand[:2]}}
    assert _guess("jump-drive", "place", without, "second: gem-world") is None


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("keep the two cheapest", ["rebel-base"]),
        ("keep the gem world, drop ships, mining world and the rebel base", ["comet-zone"]),
        ("throw away the most expensive one", ["rebel-base"]),
        ("the base can go", ["rebel-base"]),
        ("I don't want the comet zone", ["comet-zone"]),
        ("The comet zone can go, I'd never manage that", ["comet-zone"]),
        ("keep cool", None),
        ("the gem world and drop ships can go", None),
        ("throw away both worlds", None),
    ],
)
def test_discards_are_guessed_where_the_hand_leaves_one_reading(
    text: str, cards: list[str] | None
) -> None:
    assert _guess("jump-drive", "explore", DRIVE, text) == (cards and {"discard": cards})


COPIES = {
    "step": "trim",
    "hands": {
        "red": [
            *("artist-colony", "artist-colony", "galactic-trendsetters", "galactic-trendsetters"),
            *("galactic-trendsetters", "mining-robots", "gem-world", "gem-world", "drop-ships"),
            *("rebel-base", "comet-zone", "mining-world", "trade-pact", "space-marines"),
            "genetics-lab",
        ]
    },
}


def test_as_many_copies_are_discarded_as_are_named() -> None:
    text = "discard both artist colonies, two galactic trendsetters and mining robots"
    assert _guess("jump-drive", "trim", COPIES, text) == {
        "discard": [
            *("artist-colony", "artist-colony", "galactic-trendsetters", "galactic-trendsetters"),
            "mining-robots",
        ]
    }
    assert _guess("jump-drive", "trim", COPIES, "discard 4 trendsetters and 1 robots") is None


PLACE = {
    "step": "place",
    "hands": {
        "red": [
            *("gem-world", "drop-ships", "rebel-base", "mining-world", "mining-robots"),
            *("trade-pact", "trade-pact"),
        ]
    },
}


@pytest.mark.parametrize(
    ("text", "placed"),
    [
        (
            "Hi, gem world as my world, and trade pact too",
            {"world": "gem-world", "development": "trade-pact"},
        ),
        (
            "mining world please, paying with drop ships and the rebel base",
            {"world": "mining-world", "pay": ["drop-ships", "rebel-base"]},
        ),
        (
            "Let's settle the Gem World this turn and use the survey team",
            {"world": "gem-world", "development": "survey-team"},
        ),
        ("Just the mining world then", {"world": "mining-world"}),
        (
            "Gem world, pay with the trade pacts",
            {"world": "gem-world", "pay": ["trade-pact", "trade-pact"]},
        ),
        ("Drop ships for my development", {"development": "drop-ships"}),
        (
            "Next I'd place Trade Pact and use gem world to pay for it",
            {"development": "trade-pact", "pay": ["gem-world"]},
        ),
        (
            "I want to put down Drop Ships. Pay with Mining Robots and the rebel base.",
            {"development": "drop-ships", "pay": ["mining-robots", "rebel-base"]},
        ),
        (
            "discard the gem world and a trade pact to play drop ships",
            {"development": "drop-ships", "pay": ["gem-world", "trade-pact"]},
        ),
        ("I'd go for the mining world now", {"world": "mining-world"}),
        (
            "First the trade pact for free, and mining world too",
            {"development": "trade-pact", "world": "mining-world"},
        ),
        ("the weather is fine so drop ships", None),
        ("I don't place drop ships", None),
        ("the world", None),
        ("gem world and mining world", None),
        ("not the gem world", None),
        ("keep gem world", None),
    ],
)
def test_placements_are_guessed_by_the_names_of_the_hand(
    text: str, placed: Mapping[str, Any] | None
) -> None:
    assert _guess("jump-drive", "place", PLACE, text) == placed


GATE = {
    "ring": ["anno", "cinder", "waldwelt"],
    "planets": {"anno": {"face_up": ["fame"]}},
    "ships": {"red": "anno", "blue": "cinder"},
    "active": "red",
}


@pytest.mark.parametrize(
    ("text", "planet"),
    [("fly clockwise", "cinder"), ("move to the next planet", "cinder"), ("go back", "waldwelt")],
)
def test_flights_are_guessed_by_the_ring(text: str, planet: str) -> None:
    assert _guess("jump-gate", "turn", GATE, text) == {"actions": [{"do": "fly", "to": planet}]}


HELD = {**GATE, "hands": {"red": ["n01", "n08", "n23", "n45"]}}


@pytest.mark.parametrize(
    ("text", "actions"),
    [
        (
            "I'd go to cinder using n23 and look at the planet with card 1",
            [{"do": "jump", "to": "cinder", "card": "n23"}, {"do": "scan", "card": "n01"}],
        ),
        ("Let me look at new cards first", None),
        (
            "Claim this planet with 8 and 45 and grab the fame, then refill my hand",
            [{"do": "land", "cards": ["n08", "n45"], "take": ["fame"]}, {"do": "research"}],
        ),
        (
            "grab the red gem using n08, afterwards move on to waldwelt",
            [
                {"do": "harvest", "card": "n08", "take": ["gem-red"]},
                {"do": "fly", "to": "waldwelt"},
            ],
        ),
        (
            "get the water with n08 and then head to cinder",
            [{"do": "harvest", "card": "n08", "take": ["water"]}, {"do": "fly", "to": "cinder"}],
        ),
        (
            "I'll draw new cards instead and drop 8 and 1",
            [{"do": "research", "discard": ["n08", "n01"]}],
        ),
        (
            "scan with 1 and 8",
            [{"do": "scan", "card": "n01"}, {"do": "scan", "card": "n08"}],
        ),
        (
            "scan with 1, then scan with 8, and both times mark fame or water",
            [
                {"do": "scan", "card": "n01", "mark": ["fame", "water"]},
                {"do": "scan", "card": "n08", "mark": ["fame", "water"]},
            ],
        ),
        (
            "land with 8 and 45. If there is fame I take it, otherwise energel-dark",
            [{"do": "land", "cards": ["n08", "n45"], "take": ["fame", "energel-dark"]}],
        ),
        ("claim it unless blue is faster", None),
        ("the weather on cinder is fine", None),
    ],
)
def test_actions_are_guessed_by_verbs_and_names(text: str, actions: list[Any] | None) -> None:
    assert _guess("jump-gate", "turn", HELD, text) == (actions and {"actions": actions})


def test_the_card_that_is_turned_up_is_any_kind_that_does_not_lie_there() -> None:
    """JG-14 takes kinds in the order written: one that lay there before comes last."""
    guess = _guess("jump-gate", "turn", HELD, "scan with 1 and mark turned-up")
    (action,) = guess["actions"]
    assert action["mark"][-1] == "fame"
    assert len(action["mark"]) == 8


def test_the_new_card_is_the_one_that_the_scan_turned_up() -> None:
    asked = {
        **GATE,
        "planets": {"anno": {"face_up": ["fame", "water!"], "face_down": ["sand"]}},
        "step": "mark",
        "actions_left": 1,
        "awaiting": {"mark": {"red": "anno"}},
    }
    assert _guess("jump-gate", "mark", asked, "card that came up") == {"mark": ["water!"]}


DEALS = {**GATE, "hands": {"red": ["n05", "n33", "n41", "n43"]}}


@pytest.mark.parametrize(
    ("text", "action"),
    [
        (
            "use n43 to remove marker from black hole",
            {"card": "n43", "remove": {"from": "black-hole", "player": "red"}},
        ),
        (
            "take away blue's scan marker at anno with 43",
            {"card": "n43", "remove": {"from": "anno", "player": "blue"}},
        ),
        ("use n41 to go to cinder", {"card": "n41", "to": "cinder"}),
        ("swap places with blue by n33", {"card": "n33", "player": "blue"}),
        ("play n05 for new cards", {"card": "n05"}),
        ("swap places with blue by n41", None),
        ("Don't use n41 to go to cinder", None),
        ("use n41", None),
    ],
)
def test_special_actions_are_guessed_by_card_and_purpose(
    text: str, action: Mapping[str, Any] | None
) -> None:
    guess = _guess("jump-gate-2010", "turn", DEALS, text)
    assert guess == (action and {"actions": [{"do": "special", **action}]})


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("send 4 fleets from home to B9", "send 4 fleets from A10 to B9"),
        ("2 from D5 to my homeworld", "2 from D5 to A10"),
        ("jump: home-B9 x4, D5 - home x2", "jump: A10-B9 x4, D5 - A10 x2"),
        ("2 from D5 home", "2 from D5 to A10"),
        ("Everyone stays home, feel at home", "Everyone stays home, feel at home"),
    ],
)
def test_home_is_the_own_homeworld_where_a_jump_begins_or_ends(text: str, named: str) -> None:
    own = adjudicator.load("jump-wars").source
    seats = ["red", "blue", "green"]
    given = {**WARS, "seats": seats, "options": own.options({}, seats)}
    view = own.rules.view(own.rules.load(given, Dice(b"key", "given")), "red")
    assert own.rules.name_places(view, "red", text) == named
