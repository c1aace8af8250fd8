"""JW-13b: what a receipt says of plan orders, and that it never calls doomed what may happen."""

from typing import Any

import pytest
from hypothesis import given as supposing
from hypothesis import settings
from hypothesis import strategies as some

from adjudicator.core.events import NEGATED
from adjudicator.core.finding import Grade
from tests.rules.jump_wars.games import GAME, dice, given
from tests.rules.jump_wars.tables import BOX
from tests.samples import examples

MAP = """
map: {A1: {home: red}, J10: {home: blue}, B2: star-field}
fleets: {red: {A1: 5}, blue: {J10: 5}}
"""
RED = "red"


def grades(orders: dict[str, Any], **facts: Any) -> list[tuple[str, str]]:
    """Grade and rule of what red's receipt says."""
    state = given(MAP, **{"seats": ["red", "blue"], "deck": [], **facts})
    found = GAME.check(GAME.view(state, RED), RED, orders)
    return [(finding.grade.value, finding.rule) for finding in found]


@pytest.mark.parametrize(
    ("orders", "facts", "expected"),
    [
        ({"cutting_edge": ["attack"]}, {}, [("doomed", "JW-13")]),
        ({"cutting_edge": ["attack"]}, {"hands": {"red": ["attack"]}}, []),
        ({"cutting_edge": ["attack"] * 2}, {"hands": {"red": ["attack"]}}, [("doomed", "JW-13")]),
        # The cards of others come later, with the trades.
        ({"cutting_edge": ["attack"]}, {"hands": {"blue": ["attack"]}}, [("doomed", "JW-13")]),
        ({"tech": {"advance": ["attack"]}}, {"hands": {"blue": ["jump"]}}, [("doubtful", "JW-19")]),
        ({"tech": {"advance": ["attack"]}}, {}, [("doomed", "JW-19")]),
        ({"tech": {"pair": "jump"}}, {"hands": {"red": ["jump"]}}, [("doomed", "JW-20")]),
        (
            {"cutting_edge": ["attack"], "draw": {"progenitor_ruins": True}},
            {"hands": {"red": ["progenitor-ruins"]}, "deck": ["jump"]},
            [("doubtful", "JW-13")],
        ),
        ({"draw": {"progenitor_ruins": True}}, {}, [("doomed", "JW-15")]),
        ({"draw": {"positronic_brains": True}}, {"tokens": {"red": 20}}, [("doomed", "JW-15")]),
        (
            {"draw": {"positronic_brains": True}},
            {"tokens": {"red": 9}, "specials": {"red": ["positronic-brains"]}, "deck": ["jump"]},
            [("doomed", "JW-15")],
        ),
        ({"leadership": "attack"}, {}, [("doomed", "JW-36")]),
        ({"leadership": "attack"}, {"specials": {"red": ["leadership"]}}, []),
        ({"steal": "blue"}, {"hands": {"blue": ["jump"]}}, [("doomed", "JW-17")]),
        (
            {"steal": "blue", "cutting_edge": ["trade"]},
            {"hands": {"red": ["trade"], "blue": ["jump"]}},
            [],
        ),
        ({"steal": "blue"}, {"levels": {"red": {"trade": 2}}}, [("doubtful", "JW-17")]),
        ({"steal": "red"}, {"levels": {"red": {"trade": 2}}}, [("doomed", "JW-17")]),
        ({"ally": "blue"}, {}, [("doomed", "JW-18")]),
        ({"ally": "blue"}, {"levels": {"red": {"diplomacy": 2}}}, []),
        ({"build": 1}, {}, []),  # this step's mining pays for it
        ({"build": 1}, {"levels": {"red": {"attack": 2}}}, [("doomed", "JW-25")]),
        ({"build": [{"at": "B2", "fleets": 1}]}, {"tokens": {"red": 9}}, [("doomed", "JW-26")]),
        (
            {"sabotage": [{"discard": "jump", "player": "blue", "at": "J10"}]},
            {"hands": {"red": ["jump"]}},
            [("doomed", "JW-27")],
        ),
        (
            {"sabotage": [{"discard": "jump", "player": "blue", "at": "J10"}]},
            {"hands": {"red": ["jump"]}, "specials": {"red": ["sabotage"]}},
            [],
        ),
        (
            {"sabotage": [{"discard": "jump", "player": "blue", "at": "J10"}]},
            {"hands": {"red": ["jump"]}, "specials": {"red": ["sabotage"]}, "fleets": {}},
            [("doubtful", "JW-27")],
        ),
        (
            {"sabotage": [{"discard": "jump", "player": "blue", "at": "A1"}]},
            {"hands": {"red": ["jump"]}, "specials": {"red": ["sabotage"]}},
            [("doomed", "JW-27")],
        ),
        ({"trade": [{"with": "red", "give": {"rt": 0}}]}, {}, [("doomed", "JW-16")]),
        ({"trade": [{"with": "blue", "give": {"rt": 1}}]}, {}, [("doomed", "JW-16")]),
        (
            {"trade": [{"with": "blue", "give": {"rt": 1}}]},
            {"tokens": {"blue": 1}},
            [("doubtful", "JW-16")],
        ),
        ({"trade": [{"with": "blue", "give": {"rt": 1}}]}, {"tokens": {"red": 1}}, []),
        (
            {"trade": [{"with": "blue", "give": {"rt": 1}, "want": {"cards": ["jump"]}}]},
            {"tokens": {"red": 1}},
            [("doubtful", "JW-16")],
        ),
        ({"mine": {"discard": ["jump"]}}, {}, [("doomed", "JW-23")]),
        ({}, {}, []),
    ],
)
def test_grade_and_rule(orders, facts, expected):
    assert grades(orders, **facts) == expected


def test_findings_say_where_and_why():
    state = given(MAP)
    orders = {"cutting_edge": ["jump", "attack"], "draw": {"progenitor_ruins": True}}
    found = GAME.check(GAME.view(state, RED), RED, orders)
    assert [finding.path for finding in found] == [
        ("draw", "progenitor_ruins"),
        ("cutting_edge", 0),
        ("cutting_edge", 1),
    ]
    assert all(finding.entry == finding.path for finding in found)
    assert "progenitor ruins" in found[0].message


def test_what_fails_in_any_case_is_told_with_the_reason_of_the_best_case():
    """A partner may still answer, but the tokens are not there: that is what must be mended."""
    state = given(MAP, seats=["red", "blue"], deck=[])
    orders = {"trade": [{"with": "blue", "give": {"rt": 1}, "want": {"cards": ["jump"]}}]}
    (found,) = GAME.check(GAME.view(state, RED), RED, orders)
    assert (found.grade, found.message) == (Grade.DOOMED, "You cannot pay 1 RT.")


def test_wishes_for_a_homeworld():
    state = GAME.setup(
        {"homeworlds": "choose", "old_empire": True}, ["red", "blue"], dice("0-setup")
    )
    for wishes, grade in (
        (["E5", "E7", "K1"], Grade.DOOMED),
        (["E5", "E7", "K1", "A1"], Grade.DOUBTFUL),  # A1 is left, so the list does not fail
    ):
        found = GAME.check(GAME.view(state, RED), RED, {"homeworld": wishes})
        assert [(finding.path, finding.grade) for finding in found] == [
            (("homeworld", place), grade) for place in range(3)
        ]
    assert found[2].message == "K1 is not on the map; it will be passed over."


CARDS = some.sampled_from(
    ["attack", "jump", "cloaking", "leadership", "progenitor-ruins", "sabotage"]
)
TECHS = some.sampled_from(["attack", "jump", "trade", "diplomacy"])
SEATS = some.sampled_from(["red", "blue", "green"])
SPACES = some.sampled_from(["A1", "J10", "A10", "B2", "K1"])
FEW = some.integers(0, 3)
GOODS = some.fixed_dictionaries({"rt": FEW, "cards": some.lists(CARDS, max_size=2)})
FORMS = some.fixed_dictionaries(
    {},
    optional={
        "cutting_edge": some.lists(TECHS, max_size=3),
        "leadership": TECHS,
        "draw": some.fixed_dictionaries(
            {"progenitor_ruins": some.booleans(), "positronic_brains": some.booleans()}
        ),
        "trade": some.lists(
            some.fixed_dictionaries({"with": SEATS, "give": GOODS}, optional={"want": GOODS}),
            max_size=3,
        ),
        "steal": SEATS,
        "ally": SEATS,
        "tech": some.fixed_dictionaries(
            {}, optional={"advance": some.lists(CARDS, max_size=3), "pair": TECHS}
        ),
        "mine": some.fixed_dictionaries({"discard": some.lists(CARDS, max_size=2)}),
        "build": some.one_of(
            FEW,
            some.just("max"),
            some.lists(
                some.fixed_dictionaries(
                    {"at": SPACES, "fleets": some.one_of(FEW, some.just("max"))}
                ),
                max_size=2,
            ),
        ),
        "sabotage": some.lists(
            some.fixed_dictionaries({"discard": CARDS, "player": SEATS, "at": SPACES}), max_size=2
        ),
    },
)
CARD_NAMES = ["attack", "jump", "trade", "diplomacy"]
HANDS = some.lists(some.sampled_from(CARD_NAMES), max_size=3)
FACTS = some.fixed_dictionaries(
    {
        "hands": some.fixed_dictionaries(
            {"red": HANDS, "blue": HANDS, "green": some.just([])}
        ).filter(lambda hands: max(map([*hands["red"], *hands["blue"]].count, CARD_NAMES)) <= 5),
        "specials": some.fixed_dictionaries(
            {"red": some.sampled_from([[], ["sabotage", "leadership"], ["positronic-brains"]])}
        ),
        "levels": some.fixed_dictionaries(
            {"red": some.sampled_from([{}, {"trade": 2}, {"diplomacy": 2, "attack": 3}])}
        ),
        "tokens": some.fixed_dictionaries(
            {"red": some.integers(0, 12), "blue": some.integers(0, 5)}
        ),
    }
)


@settings(max_examples=examples(150), deadline=None)
@supposing(FACTS, FORMS, FORMS, FORMS)
def test_doomed_fails_whatever_the_others_do_and_cards_are_kept(facts, red, blue, green):
    more = {"A10": {"home": "green"}, "A1": {"home": "red"}, "J10": {"home": "blue"}}
    state = given(MAP, **facts, map={**more, "B2": "star-field"})
    found = GAME.check(GAME.view(state, RED), RED, red)
    doomed = {finding.path for finding in found if finding.grade is Grade.DOOMED}
    after, events = GAME.resolve(state, {"red": red, "blue": blue, "green": green}, dice("plan"))
    negated = {
        tuple(event.data["path"])
        for event in events
        if event.kind == NEGATED and event.data["seat"] == RED
    }
    assert doomed <= negated
    assert sum(map(len, after.hands.values())) + len(after.deck) + len(after.table.discard) == sum(
        BOX.cards.values()
    )
    for player in after.table.players.values():
        assert player.tokens >= 0


@pytest.mark.parametrize("tokens", [10, 11, 13, 20])
def test_random_orders_offer_only_what_the_brains_leave(tokens: int) -> None:
    """JW-15, JW-13c: positronic brains are paid 10 RT before anything is traded."""
    facts = {"specials": {RED: ["positronic-brains"]}, "tokens": {RED: tokens}}
    state = given(MAP, seats=[RED, "blue"], **facts)
    view = GAME.view(state, RED)
    traded = 0
    for seed in range(400):
        orders = GAME.legal(view, RED, dice("plan", seed))
        offers = orders.get("trade", ())
        traded += bool(offers)
        left = tokens - 10 * ("positronic_brains" in orders.get("draw", {}))
        assert sum(offer["give"]["rt"] for offer in offers) <= left
        doomed = [one for one in GAME.check(view, RED, orders) if one.grade is Grade.DOOMED]
        assert [one for one in doomed if one.rule == "JW-16"] == []
    assert traded > 20
