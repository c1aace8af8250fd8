"""The ten functions: what is owed when, and how the seats stand."""

import pytest

from adjudicator.core.dice import Dice, derive_dice_key, seed_from_number
from adjudicator.core.finding import Grade
from adjudicator.core.game import Due, Over
from tests.rules.jump_wars.games import GAME, given, new, play


def test_names_are_public_lists():
    assert len(GAME.names["tech"]) == 12
    assert len(GAME.names["card"]) == 26
    assert GAME.names["side"] == ("empire",)
    assert (GAME.kind, GAME.title) == ("jump-wars", "Jump Wars")


def test_who_owes_what():
    state = new(3)
    assert GAME.due(state) == dict.fromkeys(state.table.seats, Due("plan"))
    state, _ = play(state, {})
    assert GAME.due(state) == dict.fromkeys(state.table.seats, Due("jump"))
    cut, _ = play(state, {}, cut=True)
    assert GAME.due(cut) == {}
    whole, _ = play(state, {})
    assert (whole.table.step, whole.table.turn) == ("plan", 2)
    assert GAME.due(given("over: {winners: [red]}")) == Over(("red",))


def test_a_cut_state_goes_on_where_it_was_cut():
    state, _ = play(new(3), {})
    cut, _ = play(state, {}, cut=True)
    begun, events = play(cut, {})
    assert (begun.table.step, begun.table.turn) == ("plan", 2)
    assert events[0].kind == "turn"
    assert sum(map(len, begun.hands.values())) == sum(map(len, cut.hands.values())) + 6


def test_reveal_is_asked_only_of_those_who_may_answer():
    state = given(
        "step: jump\nmap: {A1: {home: red}, J10: {home: blue}, A10: {home: green}}\n"
        "fleets: {red: {A1: 5}, blue: {J10: 5}, green: {A10: 5}}\nlevels: {red: {espionage: 2}}"
    )
    jump = {"jump": [{"from": "A1", "to": "B1", "fleets": 1}]}
    state, _ = play(state, {"red": jump})
    assert GAME.due(state) == {"red": Due("reveal", clock="short", counts_as_missed=False)}


def test_the_score_orders_the_seats():
    text = """
    map: {A1: {home: red}, J10: {home: blue}, A10: {home: green}}
    fleets: {red: {A1: 1, J10: 1}, blue: {C3: 9}, green: {A10: 1}}
    """
    assert GAME.score(given(text)) == {"red": 2, "blue": 0, "green": 1}
    assert GAME.score(given(text, over={"winners": ["blue"]})) == {"red": 1, "blue": 2, "green": 0}
    assert GAME.score(given("map: {}")) == {"red": 0, "blue": 0, "green": 0}


@pytest.mark.parametrize("step", ["plan", "jump", "reveal"])
@pytest.mark.parametrize("writer", ["bot", "legal"])
def test_whoever_plays_copes_with_a_position_without_a_homeworld(writer, step):
    """A GM may have taken it off the map; what is ordered all the same is not doomed."""
    state = given(
        f"step: {step}\nmap: {{J10: {{home: blue}}, A10: {{home: green}}, C3: star-field}}\n"
        "fleets: {red: {C3: 2, E5: 4}, blue: {J10: 5}}\ntokens: {red: 40}\n"
        "specials: {red: [planet-jump, star-docks]}"
    )
    for number in range(20):
        dice = Dice(derive_dice_key(seed_from_number(number)), step)
        view = GAME.view(state, "red")
        orders = getattr(GAME, writer)(view, "red", dice)
        found = GAME.check(view, "red", orders)
        assert [one for one in found if one.grade in (Grade.DOOMED, Grade.REFUSED)] == []
