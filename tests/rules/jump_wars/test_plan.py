"""The plan step: who is told what, and what a scenario cannot say about the dice."""

import pytest

from adjudicator.core.document import encode
from adjudicator.core.events import NEGATED, list_visible
from tests.rules.jump_wars.games import GAME, dice, given, new, play
from tests.rules.jump_wars.tables import named

RICH = """
map: {A1: {home: red}, J10: {home: blue}, A10: {home: green}, B2: star-field, C3: cluster}
fleets: {red: {A1: 5, B2: 1}, blue: {J10: 5}, green: {A10: 5, C3: 2}}
tokens: {red: 20, blue: 9, green: 5}
levels: {red: {trade: 3, diplomacy: 3}}
"""


def seen(events, seat, kind):
    """The data of the events of a kind that a seat may know."""
    return [event.data for event in list_visible(events, seat) if event.kind == kind]


def test_who_sees_the_cards_that_are_drawn():
    _, events = play(
        given(RICH, hands={"red": ["progenitor-ruins"]}), "red: {draw: {progenitor_ruins: true}}"
    )
    (drawn,) = seen(events, "red", "drew-cards")
    assert len(drawn["cards"]) == 2
    for other in ("blue", "green", None):
        assert not seen(events, other, "drew-cards")
        assert seen(events, other, "drew") == [{"seat": "red", "cards": 2, "extra": False}]


def test_who_sees_the_cards_that_are_traded():
    orders = """
    red: {trade: [{with: blue, give: {rt: 5, cards: [attack]}, want: {cards: [jump]}}]}
    blue: {trade: [{with: red, give: {cards: [jump]}, want: {rt: 5, cards: [attack]}}]}
    """
    state, events = play(given(RICH, hands={"red": ["attack"], "blue": ["jump"]}), orders)
    assert (state.hands["red"], state.hands["blue"]) == (("jump",), ("attack",))
    for partner in ("red", "blue"):
        cards = [data["cards"] for data in seen(events, partner, "traded-cards")]
        assert cards == [["attack"], ["jump"]]
    for other in ("green", None):
        assert not seen(events, other, "traded-cards")
        assert [(data["rt"], data["cards"]) for data in seen(events, other, "traded")] == [
            (5, 1),
            (0, 1),
        ]


def test_a_gift_that_cannot_be_paid_is_told_to_both():
    state = given(RICH)
    after, events = play(state, "red: {trade: [{with: blue, give: {rt: 21}}]}")
    assert [e.rule for e in list_visible(events, "red") if e.kind == NEGATED] == ["JW-16"]
    assert len(seen(events, "blue", "trade-failed")) == 1
    assert not seen(events, "green", "trade-failed")
    assert after.table.players["blue"].tokens >= state.table.players["blue"].tokens


def test_thief_and_victim_see_the_card_and_the_dice_choose_it():
    hand = ["attack", "defense", "jump", "research", "cloaking"]
    state = given(RICH, hands={"blue": hand})
    taken = set()
    for seed in range(30):
        after, events = GAME.resolve(state, {"red": {"steal": "blue"}}, dice("plan", seed))
        (card,) = after.hands["red"]
        taken.add(card)
        assert seen(events, "red", "stolen-card") == seen(events, "blue", "stolen-card")
        assert seen(events, "red", "stolen-card")[0]["card"] == card
        assert not seen(events, "green", "stolen-card")
        assert seen(events, None, "stolen") == [{"thief": "red", "victim": "blue"}]
    assert taken == set(hand)


def test_negated_plan_orders_are_the_writers_business():
    orders = {"red": {"cutting_edge": ["attack"], "ally": "red", "tech": {"pair": "jump"}}}
    _, events = play(given(RICH), orders)
    assert [e.rule for e in list_visible(events, "red") if e.kind == NEGATED] == [
        "JW-13",
        "JW-18",
        "JW-20",
    ]
    assert not [e for e in list_visible(events, "blue") if e.kind == NEGATED]


def test_a_hidden_draw_does_not_shift_a_visible_one():
    """Another seat's reshuffle and theft leave the draws of the others as they were."""
    state = given(RICH, hands={"blue": ["attack", "jump"], "red": ["progenitor-ruins"]})
    steal, _ = play(state, {"red": {"steal": "blue"}})
    both, _ = play(state, {"red": {"steal": "blue", "draw": {"progenitor_ruins": True}}})
    assert set(steal.hands["blue"]) == set(both.hands["blue"])


def test_an_income_is_told_by_its_sources():
    _, events = play(given(RICH, specials={"red": ["space-raiding", "genesis"]}), {})
    mined = {data["seat"]: (data["sum"], data["rt"]) for data in named(events, "mined")}
    assert mined["red"] == ({"own-homeworld": 5, "star-field": 2}, 7)
    assert mined["green"] == ({"own-homeworld": 5, "cluster": 1}, 6)  # red's B2 is next to C3
    assert named(events, "raided") == [{"at": "C3", "seat": "green", "by": ["red"], "less": 1}]


def test_what_was_mined_is_remembered_until_the_turn_ends():
    """For the table of the turns that are over."""
    state, events = play(given(RICH), {})
    mined = {data["seat"]: data["rt"] for data in named(events, "mined")}
    assert state.table.mined == mined
    assert any(mined.values())
    state, _ = play(state, {}, cut=True)
    assert (state.table.mined, state.table.past[-1].mine) == ({}, mined)


@pytest.mark.parametrize("form", [{}, None])
def test_no_orders_is_nothing_done_but_mining(form):
    state = given(RICH)
    after, events = GAME.resolve(state, {"red": form} if form is not None else {}, dice("plan"))
    assert {event.kind for event in events} == {"mined"}
    assert after.table.step == "jump"
    assert after.hands == state.hands


def test_nothing_handed_in_is_changed():
    state = given(RICH, hands={"red": ["attack", "attack", "jump"]})
    before = encode(GAME.dump(state))
    orders = {
        "red": {
            "cutting_edge": ["attack"],
            "mine": {"discard": ["jump"]},
            "build": "max",
            "trade": [{"with": "blue", "give": {"rt": 1}}],
        }
    }
    told = encode(orders)
    play(state, orders)
    assert encode(GAME.dump(state)) == before
    assert encode(orders) == told


def test_standing_orders_come_with_any_form():
    state, _ = play(new(3), {"red": {"standing": {"reveal": "pass"}}})
    assert state.standing == {"red": {"reveal": "pass"}}
    state, _ = play(state, {"red": {"standing": {"reveal": "ask"}}})
    assert state.standing == {"red": {"reveal": "ask"}}


def test_raises_rights_and_ally_end_with_the_turn():
    state = given(
        RICH, specials={"red": ["leadership"]}, hands={"red": ["attack"], "blue": [], "green": []}
    )
    state, _ = play(state, "red: {leadership: jump, cutting_edge: [attack], ally: blue}")
    red = state.table.players["red"]
    assert (red.find_level("attack"), red.find_level("jump"), red.used) == (2, 2, ("leadership",))
    assert state.table.ally is not None
    state, events = play(state, {})
    red = state.table.players["red"]
    assert (state.table.step, state.table.turn) == ("plan", 2)
    assert (red.raised, red.used, state.table.ally) == ({}, (), None)
    assert state.table.held == {
        "A1": "red",
        "B2": "red",
        "J10": "blue",
        "A10": "green",
        "C3": "green",
    }
    assert named(events, "turn") == [{"turn": 2}]
